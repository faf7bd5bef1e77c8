import { randomBytes } from 'node:crypto'
import { beforeEach, expect, it } from 'vitest'
import { type openStore, storeOfTest } from '../../../test/support/storage/testing.ts'
import { aChargePoint } from '../../../test/support/storage-contract/records.ts'
import type { ConnectorWiring } from '../../domain/charging/records.ts'
import { createEmission, freshEventId } from '../../domain/events/emission.ts'
import type { LimitGroup } from '../../domain/limit-groups/records.ts'
import type { StationView } from '../../domain/limit-groups/view.ts'
import type { BlockOrder } from '../../domain/ports/blocks.ts'
import type { Core, Log } from '../../domain/ports/core.ts'
import type { ChangeSet } from '../../domain/ports/storage-records.ts'
import type { EventData } from '../../domain/ports/storage-webhooks.ts'
import { createPlanner, type PlannerContext } from './planner.ts'
import { createCourse, statusOf } from './status.ts'

const START = Date.UTC(2026, 10, 21, 12)

let store: ReturnType<typeof openStore>
let now = START
let orders: BlockOrder[] = []
let views: StationView[] = []
const place = (): PlannerContext => ({
  reads: store.reads,
  writes: store.writes,
  now: () => now,
  log: { warn: () => undefined } as Partial<Log> as Log,
  settings: { voltage: 230 },
  core: {
    limitViews: async () => views,
    decideBlock: async (order) => {
      orders.push(order)
      return {}
    },
  } as Partial<Core> as Core,
})
const quiet = async (): Promise<void> => undefined
const revisions = (): readonly unknown[] => orders.map(({ input }) => 'revision' in input && input.revision)
const ofSite = <Kind extends 'load' | 'external'>(kind: Kind) => ({ accountId: 'a', name: 'site', kind })
const course = () => store.reads.listRecords('limit_minutes', { where: { accountId: 'a', name: 'site' }, limit: 99 })
const courseInto = (reported: EventData[] = []) =>
  createCourse({
    reads: store.reads,
    writes: store.writes,
    now: () => now,
    wake: () => undefined,
    recorded: (event, at) => {
      reported.push(event)
      return createEmission({ figuresIntervalMs: 0 }, freshEventId(randomBytes)).ofDecision(event, at, now, undefined)
    },
  })
const storedGroup = async (): Promise<LimitGroup> => {
  const [group] = await store.reads.listRecords('limit_groups', { where: { accountId: 'a' }, limit: 1 })
  if (!group) throw new Error('There is no group.')
  return group
}
const regroup = (desired: Partial<LimitGroup['desired']>) =>
  storedGroup().then((group) =>
    store.writes.putRecords('limit_groups', [{ ...group, desired: { ...group.desired, ...desired } }]),
  )
const wire = (connectors: readonly ConnectorWiring[], more: Partial<ChangeSet> = {}) => {
  const put = { chargePointId: 'CP1', connectors, updatedAt: now }
  return store.core.commit([{ chargePointId: 'CP1', records: [{ kind: 'wirings', put }], ...more }])
}
const eachEvse = (change: Partial<StationView['evses'][number]>): void => {
  views = views.map((view) => ({ ...view, evses: view.evses.map((one) => ({ ...one, ...change })) }))
}
/** Of the group, by what a planner makes that knows nothing but what is stored. */
const mayDrawByPlan = async (): Promise<unknown> => {
  let mayDraw: unknown
  await createPlanner(place()).tick(async (_, __, { groups }) => {
    mayDraw = groups[0]?.mayDraw
  })
  return mayDraw
}
const shares = () => store.reads.listRecords('limit_shares', { where: { accountId: 'a' }, limit: 9 })

beforeEach(async () => {
  now = START
  orders = []
  store = storeOfTest()
  await store.writes.createAccount({ id: 'a', name: 'A', createdAt: START })
  await store.writes.createChargePoint(aChargePoint({ accountId: 'a', securityProfile: 0, createdAt: START }))
  const desired = { amps: 100, selector: {}, fallbackAmps: 8 }
  const group = { accountId: 'a', name: 'site', desired, revision: 1, createdAt: START, updatedAt: START }
  await store.writes.putRecords('limit_groups', [group])
  const evse = { evseId: 1, isIgnoring: false, desiredRevision: 0, leastAmps: 0, refusesFallback: false }
  views = [
    { chargePointId: 'CP1', isConnected: true, clockAheadMs: 0, clockAtLeastMs: 0, holdsLeases: true, evses: [evse] },
  ]
})

it('GROUP-A9: a planner that was replaced gives nothing, until it knows what was given meanwhile', async () => {
  const before = createPlanner(place())
  const after = createPlanner(place())
  // Both have looked, and neither has planned.
  views = views.map((view) => ({ ...view, isConnected: false }))
  await before.tick(quiet)
  views = views.map((view) => ({ ...view, isConnected: true }))
  await after.tick(quiet)
  expect(revisions()).toHaveLength(1)
  now += 1000
  await before.tick(quiet)
  expect(revisions()).toHaveLength(1)
  expect(await shares()).toMatchObject([{ state: { ledger: { fallback: { sent: [{ amps: 8 }] } } } }])
})

it('GROUP-A9: a planner that was replaced took back what the next one had left as it was', async () => {
  const replaced = createPlanner(place())
  await replaced.tick(quiet)
  eachEvse({ desiredRevision: START })
  await createPlanner(place()).tick(quiet)
  expect(revisions()).toEqual([START])
  const given = await shares()
  // It saw the account without its group.
  await store.writes.removeRecords('limit_groups', [{ accountId: 'a', name: 'site' }])
  await replaced.tick(quiet)
  expect(revisions()).toEqual([START])
  expect(await shares()).toEqual(given)
})

it('GROUP-A9: what was being taken back when a planner fell silent counted as held by the next one', async () => {
  const { core, ...others } = place()
  let isSilent = false
  const decideBlock: typeof core.decideBlock = (order) =>
    isSilent ? Promise.reject(new Error()) : core.decideBlock(order)
  const planner = createPlanner({ ...others, core: { ...core, decideBlock } })
  await planner.tick(quiet)
  eachEvse({ desiredRevision: START, fallback: { revision: START } })
  const group = await storedGroup()
  await store.writes.removeRecords('limit_groups', [group])
  isSilent = true
  await planner.tick(quiet)
  await store.writes.putRecords('limit_groups', [group])
  expect(await mayDrawByPlan()).toEqual([32, 32, 32])
  expect(orders.at(-1)).toMatchObject({ input: { shares: [{ fallbackAmps: 8 }] } })
  // The order of the silent one comes late: it is not above what was given since.
  expect(Number(revisions().at(-1))).toBeGreaterThan(START + 1)
})

it('GROUP-P1: a connector on L2 below a row of one phase counted on L1 of the building', async () => {
  const of = { accountId: 'a', revision: 1, createdAt: START, updatedAt: START }
  await store.writes.putRecords('limit_groups', [
    { ...of, name: 'site', desired: { amps: 32, fallbackAmps: 10 } },
    { ...of, name: 'row', desired: { amps: 32, phases: 1, parent: 'site', selector: {} } },
  ])
  await wire([{ connectorId: 1, phases: 1, phaseRotation: 'STR' }])
  const building = { amps: [0, 30, 0], until: now + 60_000, excludesCharging: true }
  await store.writes.putRecords('limit_group_inputs', [{ ...ofSite('load'), given: building, at: now }])
  await createPlanner(place()).tick(quiet)
  expect(orders).toMatchObject([{ input: { shares: [{ fallbackAmps: 0 }] } }])
})

it('GROUP-P1: an account described one connector of an EVSE, and the other one counted as the same', async () => {
  const connectors = [1, 2].map((connectorId) => ({ evseId: 1, connectorId, status: 'Available', updatedAt: now }))
  await wire([{ evseId: 1, connectorId: 1, phases: 1, phaseRotation: 'STR', maxAmps: 16 }], { connectors })
  expect(await mayDrawByPlan()).toEqual([32, 32, 32])
})

it('GROUP-P1: either connector of an EVSE may be in use, so it is not held to the phases of the other', async () => {
  await wire([
    { evseId: 1, connectorId: 1, phases: 3, maxAmps: 16 },
    { evseId: 1, connectorId: 2, phases: 1, phaseRotation: 'STR', maxAmps: 32 },
  ])
  expect(await mayDrawByPlan()).toEqual([32, 32, 32])
  expect(orders).toMatchObject([{ input: { shares: [{ fallbackAmps: 8 }] } }])
  expect(JSON.stringify(orders)).not.toContain('"phases"')
})

it('GROUP-A9: what was stored and not carried out is carried out by the next process, as it was', async () => {
  const stalled = place()
  const planner = createPlanner({
    ...stalled,
    core: { ...stalled.core, decideBlock: () => Promise.reject(new Error()) },
  })
  await planner.tick(quiet)
  expect(orders).toEqual([])
  now += 5000
  await createPlanner(place()).tick(quiet)
  expect(orders).toMatchObject([{ chargePointId: 'CP1', input: { revision: START, shares: [{ fallbackAmps: 8 }] } }])
})

it('GROUP-A9: an EVSE that belongs to no group any more gives back what it holds', async () => {
  const planner = createPlanner(place())
  await planner.tick(quiet)
  await store.writes.removeRecords('limit_groups', [{ accountId: 'a', name: 'site' }])
  await planner.tick(quiet)
  expect(orders.at(-1)).toMatchObject({ input: { kind: 'sharesGiven', shares: [{ evseId: 1 }] } })
  expect(await shares()).toEqual([])
})

it('GROUP-A9: a planner that was replaced took back what the next one had given since', async () => {
  const replaced = createPlanner(place())
  await replaced.tick(quiet)
  now += 1000
  await regroup({ fallbackAmps: 6 })
  await createPlanner(place()).tick(quiet)
  const given = await shares()
  expect(revisions()).toEqual([START, START + 1000])
  // It saw the account without its group.
  await store.writes.removeRecords('limit_groups', [{ accountId: 'a', name: 'site' }])
  await replaced.tick(quiet)
  expect(revisions()).toEqual([START, START + 1000])
  expect(await shares()).toEqual(given)
})

it('GROUP-H1, GROUP-H3: a row for each minute, and an event when something begins, not again after a restart', async () => {
  const reported: EventData[] = []
  const given = { amps: [10, 10, 10], until: START + 60_000 }
  await store.writes.putRecords('limit_group_inputs', [{ ...ofSite('load'), given, at: START }])
  const planner = createPlanner(place())
  const { note } = courseInto(reported)
  for (const seconds of [0, 1, 59, 60, 61]) {
    now = START + seconds * 1000
    await planner.tick(note)
  }
  await createPlanner(place()).tick(courseInto(reported).note)
  expect(reported.map(({ type, data }) => [type, data])).toMatchObject([
    ['limit-group.stale', { name: 'site', limitAmps: [100, 100, 100] }],
  ])
  expect((await course()).map(({ at, loadAmps }) => [at - START, loadAmps])).toEqual([
    [0, [10, 10, 10]],
    [60_000, undefined],
    // Of the minute in which it started it does not know the begin.
    [61_000, undefined],
  ])
})

it('GROUP-H1: of two orders from outside within a minute, and of their ends, the history had the last one', async () => {
  const planner = createPlanner(place())
  const { note } = courseInto()
  await planner.tick(note)
  const key = ofSite('external')
  for (const [seconds, amps] of [
    [10, 20],
    [20, 30],
    [30, undefined],
    [40, 30],
    [60, 30],
  ] as const) {
    now = START + seconds * 1000
    const given = { amps, source: 'grid', until: START + 3_600_000 }
    if (amps === undefined) await store.writes.removeRecords('limit_group_inputs', [key])
    else await store.writes.putRecords('limit_group_inputs', [{ ...key, given, at: now }])
    await planner.tick(note)
    now += 1000
    await planner.tick(note)
  }
  expect((await course()).map(({ at, limitAmps, external }) => [at - START, limitAmps[0], external?.amps])).toEqual([
    [0, 100, undefined],
    [10_000, 20, 20],
    [20_000, 30, 30],
    [30_000, 100, undefined],
    [40_000, 30, 30],
    [60_000, 30, 30],
  ])
})

it('GROUP-H1: a clock that was put back by an hour stopped the course until it was there again', async () => {
  const planner = createPlanner(place())
  const { note } = courseInto()
  for (const minutes of [60, 0, 0, 1]) {
    now = START + minutes * 60_000
    await planner.tick(note)
  }
  expect((await course()).map(({ at }) => at - START)).toEqual([0, 60_000, 3_600_000])
})

it('GROUP-H2, GROUP-H3: a building of 120 A on a fuse of 100 A left the state ok, and no event', async () => {
  const given = { amps: [120, 0, 0], until: START + 60_000, excludesCharging: true }
  await store.writes.putRecords('limit_group_inputs', [{ ...ofSite('load'), given, at: START }])
  const { note } = courseInto()
  await createPlanner(place()).tick(note)
  expect(await statusOf(place(), 'a', 'site')).toMatchObject({ state: 'exceeded' })
  const events = await store.reads.listEvents({ accountId: 'a', type: 'limit-group.exceeded', limit: 9 })
  expect(events).toHaveLength(1)
})

it('GROUP-H3: a clock that was put back by an hour delayed limit-group.exceeded by as much', async () => {
  await regroup({ amps: 20 })
  const planner = createPlanner(place())
  const reported: EventData[] = []
  const { note } = courseInto(reported)
  for (const seconds of [3600, 5, 6, 20, 21]) {
    now = START + seconds * 1000
    await planner.tick(note)
    expect(reported.map(({ type }) => type)).toEqual(seconds === 21 ? ['limit-group.exceeded'] : [])
  }
})

it('GROUP-B4: a clock that was put back by an hour left a charge point that joins without a fallback as long', async () => {
  const planner = createPlanner(place())
  now = START + 3_600_000
  await planner.tick(quiet)
  await store.writes.createChargePoint(
    aChargePoint({ id: 'CP2', accountId: 'a', securityProfile: 0, createdAt: START }),
  )
  views = [...views, ...views.map((view) => ({ ...view, chargePointId: 'CP2' }))]
  now = START
  await planner.tick(quiet)
  expect(orders.map(({ chargePointId }) => chargePointId)).toContain('CP2')
})

it('GROUP-H2: one that was paused had “its share” for a reason, until others had made room for it', async () => {
  await regroup({ fallbackAmps: 0 })
  await createPlanner(place()).tick(quiet)
  eachEvse({ fallback: { revision: START }, desiredRevision: START, charge: { id: 'C', startedAt: START } })
  const status = await statusOf(place(), 'a', 'site')
  expect(status?.evses).toMatchObject([{ state: 'paused', mayDrawAmps: 0, reason: { code: 'comes', group: 'site' } }])
})

it('GROUP-H1: who orders without end does not fill the database', async () => {
  const planner = createPlanner(place())
  const { note } = courseInto()
  for (let second = 0; second < 60; second++) {
    now = START + second * 1000
    const given = { amps: 20 + second, source: 'grid', until: START + 3_600_000 }
    await store.writes.putRecords('limit_group_inputs', [{ ...ofSite('external'), given, at: now }])
    await planner.tick(note)
  }
  const rows = await course()
  expect([rows.length, rows.at(-1)?.external?.amps]).toEqual([10, 79])
})

it('GROUP-H1: what was allowed stood above the limit for a minute, while cuts were on their way', async () => {
  await regroup({ amps: 20 })
  const planner = createPlanner(place())
  const { note } = courseInto()
  await planner.tick(note)
  // Its connector may give 32 A until the fallback is accepted.
  expect(await course()).toMatchObject([{ at: START, limitAmps: [20, 20, 20], allowedAmps: [32, 32, 32] }])
  now += 2000
  eachEvse({ desiredRevision: START, fallback: { revision: START } })
  await planner.tick(note)
  expect(await course()).toMatchObject([{ at: START, limitAmps: [20, 20, 20], allowedAmps: [8, 8, 8] }])
})
