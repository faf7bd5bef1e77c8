import { expect, it } from 'vitest'
import { aLimitGroup } from '../../../test/support/records.ts'
import { reasonText } from '../../application/limit-groups/reason-words.ts'
import { isAbove } from '../charging/profile.ts'
import { nextDemand } from './demand.ts'
import { type GroupEvse, keyOf } from './evse.ts'
import { EMPTY_LEDGER, type Given, type Ledger } from './ledger.ts'
import { type Connection, type Plan, plan } from './plan.ts'
import { TURN_MS } from './shares.ts'

const NOW = 100_000_000
const MINUTE = 60_000
const site = aLimitGroup({ limitAmps: 40, safeAmps: 20 })
const fallback = (amps: number): Given => ({ revision: 1, amps, afterAmps: amps })
const lease = (amps: number, until = NOW + 500_000): Given => ({ revision: 2, amps, until, afterAmps: 0 })
const holds = (leased?: Given, amps = 0): Ledger => ({
  fallback: { accepted: fallback(amps), sent: [] },
  lease: { sent: [], accepted: leased },
})
let made = 0
const evse = (more: Partial<GroupEvse> = {}): GroupEvse => ({
  chargePointId: `S${made++}`,
  evseId: 1,
  group: 'site',
  phases: [0, 1, 2],
  maxAmps: 32,
  isOnline: true,
  ledger: holds(),
  clockAheadMs: 0,
  clockAtLeastMs: 0,
  ...more,
})
const charging = (more: Partial<GroupEvse> & { readonly charging?: Partial<GroupEvse['charge']> } = {}): GroupEvse => {
  const { charging: said, ...rest } = more
  return evse({ charge: { id: 'C', startedAt: NOW - 60_000, priority: 0, wantAmps: 32, ...said }, ...rest })
}
const planned = (evses: readonly GroupEvse[], more: Partial<Connection> = {}): Plan =>
  plan(
    { groups: [site], evses, loads: new Map(), externals: new Map(), drawn: new Map(), voltage: 230, ...more },
    NOW,
    9,
  )
const orders = (evses: readonly GroupEvse[], more: Partial<Connection> = {}) =>
  planned(evses, more).orders.map(({ chargePointId, place, given, why }) => {
    const at = evses.findIndex((one) => one.chargePointId === chargePointId)
    return [at, place, why, given.amps]
  })
const shares = (evses: readonly GroupEvse[], more: Partial<Connection> = {}) => {
  const { evses: found } = planned(evses, more)
  return evses.map((one) => found.get(keyOf(one))?.amps)
}
const reasons = (evses: readonly GroupEvse[]) => {
  const { evses: found } = planned(evses)
  return evses.map((one) => found.get(keyOf(one))?.reason.code)
}

it('GROUP-S1: all rise alike, to what each can take or until a line is full', () => {
  expect(shares([charging(), charging({ maxAmps: 8 }), charging()])).toEqual([16, 8, 16])
  expect(reasons([charging(), charging({ maxAmps: 8 }), charging()])).toEqual(['shared', 'all', 'shared'])
})

it('GROUP-S1: two on different phases do not take from each other', () => {
  expect(shares([charging({ phases: [0] }), charging({ phases: [2] })])).toEqual([32, 32])
})

it.each([
  ['three phases', { phases: [0, 1, 2] }, 6.1],
  ['one that is known', { phases: [1] }, 18.3],
  // A third of it was counted on each.
  ['one that nobody told', { phases: [0, 1, 2], phaseCount: 1 }, 18.3],
  ['two that nobody told', { phases: [0, 1, 2], phaseCount: 2 }, 9.2],
])('GROUP-P1, GROUP-E4: 4.2 kW of %s are the least, on each that it may load', (_, wired, amps) => {
  const floor = { groups: [{ ...site, minWatts: 4200, limitAmps: 20 }] }
  const car = (wantAmps: number) => charging({ ...wired, charging: { wantAmps } })
  expect(shares([car(1)], floor)).toEqual([amps])
  const order = { amps: 0, source: 'grid', until: NOW + 1, renewedAt: NOW, failSafeAmps: 0 }
  const cut = planned([car(1)], { ...floor, externals: new Map([['site', order]]) })
  expect(cut.groups[0]?.capacity.limitAmps).toEqual([0, 1, 2].map((phase) => (wired.phases.includes(phase) ? amps : 0)))
})

it('GROUP-P3: watts of one phase must be enough for a car that needs 6 A of three of them', () => {
  const hidden = (more: object) => charging({ spread: 3, charging: { wantAmps: 6 }, ...more })
  expect(shares([hidden({}), charging({})])).toEqual([18, 22])
  expect(shares([hidden({ maxAmps: 16 }), charging({})])).toEqual([16, 24])
  expect(shares([hidden({})], { groups: [{ ...site, minWatts: 4200 }] })).toEqual([18.3])
  expect(reasons([hidden({}), hidden({}), hidden({})])).toEqual(['carTakesLess', 'carTakesLess', 'waits'])
})

it('GROUP-H2: the reason says with what each counts: one without a fallback had none to count with', () => {
  const cars = [
    evse(),
    evse({ ledger: EMPTY_LEDGER }),
    charging({ ledger: EMPTY_LEDGER }),
    evse({ ledger: holds(lease(20)) }),
    evse({ overdraw: { isIgnoring: false, drawnAmps: 9 } }),
    evse({ ledger: EMPTY_LEDGER, isOnline: false }),
  ]
  expect(reasons(cars)).toEqual(['idle', 'unbounded', 'unbounded', 'ending', 'above', 'silent'])
  const { evses } = planned(cars)
  expect(cars.map((one) => evses.get(keyOf(one))?.mayDrawAmps)).toEqual([0, 32, 32, 20, 9, 32])
  expect(reasonText({ code: 'unbounded' })).toContain('all that its connector can give')
  expect(reasonText({ code: 'unbounded' }, 'de')).toContain('mit allem')
})

it('GROUP-S1: a row has its own limit within that of the building', () => {
  const row = { ...site, name: 'row', parent: 'site', limitAmps: 16 }
  const inRow = { group: 'row' }
  expect(shares([charging(inRow), charging(inRow), charging()], { groups: [site, row] })).toEqual([8, 8, 24])
})

it.each([
  ['equal', [10, 10, 10, 10]],
  ['firstCome', [6, 6, 6, 22]],
  ['priority', [6, 22, 6, 6]],
] as const)('GROUP-S2: %s', (strategy, amps) => {
  const cars = [
    charging({ charging: { priority: 1, startedAt: NOW - 3 } }),
    charging({ charging: { priority: 5, startedAt: NOW - 2 } }),
    charging({ charging: { priority: 0, startedAt: NOW - 1 } }),
    charging({ charging: { priority: 1, startedAt: NOW - 4 } }),
  ]
  expect(shares(cars, { groups: [{ ...site, strategy }] })).toEqual(amps)
})

it('GROUP-S3: who cannot have the minimum is paused, and whose turn is over makes room', () => {
  const served = (minutes: number) => charging({ charging: { servedSince: NOW - minutes * MINUTE } })
  const paused = (minutes: number) => charging({ charging: { pausedSince: NOW - minutes * MINUTE } })
  const two = { groups: [{ ...site, limitAmps: 12 }] }
  expect(shares([served(5), served(TURN_MS / MINUTE), paused(3), paused(4)], two)).toEqual([6, 0, 0, 6])
  expect(shares([served(20), served(30)], two)).toEqual([6, 6])
  const full = charging({ charging: { isFull: true } })
  expect(shares([full, served(20), paused(1)], two)).toEqual([0, 6, 6])
})

it('GROUP-S4: the strategy of the uppermost group is that of all below it', () => {
  const row = { ...site, name: 'row', parent: 'site', strategy: 'equal' } as const
  const first = { ...site, strategy: 'firstCome' } as const
  const cars = [charging({ group: 'row', charging: { startedAt: NOW - 1 } }), charging({ group: 'row' })]
  expect(shares(cars, { groups: [row, first] })).toEqual([8, 32])
})

it('GROUP-S6: a car that leaves some of what it is offered gives it away, and gets it back', () => {
  const drawing = { allowedAmps: 16, drawnAmps: 10, maxAmps: 32, minAmps: 6 }
  let demand = nextDemand(undefined, drawing, 0)
  demand = nextDemand(demand, drawing, 4 * MINUTE)
  expect(demand.wantAmps).toBe(32)
  demand = nextDemand(demand, drawing, 5 * MINUTE)
  expect(demand).toMatchObject({ wantAmps: 10, isFull: false })
  const again = { ...drawing, allowedAmps: 10 }
  demand = nextDemand(demand, again, 6 * MINUTE)
  expect(demand.wantAmps).toBe(13)
  expect(nextDemand(demand, { ...again, allowedAmps: 13, drawnAmps: 13 }, 7 * MINUTE).wantAmps).toBe(13)
  expect(nextDemand(demand, { ...again, allowedAmps: 13, drawnAmps: 13 }, 8 * MINUTE).wantAmps).toBe(16)
  expect(nextDemand({ wantAmps: 32, leavesSince: 0 }, { ...drawing, drawnAmps: 0 }, 5 * MINUTE)).toMatchObject({
    wantAmps: 6,
    isFull: true,
  })
})

it('GROUP-A3: a fallback comes first, and one for which there is no room gets 0', () => {
  const strange = { ledger: EMPTY_LEDGER }
  const eight = { groups: [{ ...site, fallbackAmps: 8 }] }
  expect(orders([charging(strange), evse(strange)], eight)).toEqual([
    [0, 'fallback', 'cut', 8],
    [1, 'fallback', 'cut', 8],
  ])
  const out = evse({ isOnline: false, maxAmps: 40, ledger: holds(lease(36), 8) })
  expect(orders([out, evse(strange)], eight)).toEqual([[1, 'fallback', 'cut', 0]])
  expect(orders([charging({ ...strange, holdsNoFallback: true }), charging()])).toEqual([[1, 'lease', 'raise', 8]])
})

it.each([
  ['as it is given', { fallbackAmps: 10 }, 10],
  ['the limit divided by the EVSEs, in whole amps', { limitAmps: 35, fallbackAmps: undefined }, 8],
  ['0 below six', { limitAmps: 20, fallbackAmps: undefined }, 0],
  ['less where the building leaves no room for all', { limitAmps: 100, fallbackAmps: 10, bufferAmps: 70 }, 7],
])('GROUP-A4: the fallback is %s', (_, change, amps) => {
  const strange = Array.from({ length: 4 }, () => evse({ ledger: EMPTY_LEDGER }))
  expect(orders(strange, { groups: [{ ...site, ...change }] }).map(([, , , given]) => given)).toEqual([
    ...[amps, amps, amps, amps],
  ])
})

it('GROUP-A4: a fallback for which there is no room any more is cut, and what a lease falls to with it', () => {
  const car = charging({
    ledger: { ...holds(lease(20), 8), lease: { accepted: { ...lease(20), afterAmps: 8 }, sent: [] } },
  })
  const plans = planned([car], { groups: [{ ...site, limitAmps: 20, fallbackAmps: 0 }] })
  expect(plans.orders.map(({ place, given }) => [place, given.amps])).toEqual([
    ['fallback', 0],
    ['lease', 20],
  ])
  expect(plans.orders[1]?.given.afterAmps).toBe(0)
})

it('GROUP-A6: nobody is given more while one may have forgotten its limit', () => {
  const resumed = charging({ ledger: holds(lease(10)), maxAmps: 32, doubtUntil: NOW + 1 })
  expect(orders([resumed, charging({ maxAmps: 30 })])).toEqual([[1, 'lease', 'raise', 8]])
  const later = { ...resumed, doubtUntil: NOW }
  expect(orders([later, charging({ maxAmps: 20 })])).toEqual([
    [1, 'lease', 'raise', 20],
    [0, 'lease', 'raise', 20],
  ])
})

it('GROUP-A7: the others make room for a station that refuses 0, and it is not asked again', () => {
  const other = charging({ maxAmps: 40, charging: { wantAmps: 40 } })
  expect(orders([evse({ leastAmps: 6 }), other])).toEqual([[1, 'lease', 'raise', 34]])
})

it('GROUP-A5: the others are cut with the first reading that is above', () => {
  const overdraw = { isIgnoring: false, drawnAmps: 30 }
  const above = charging({ ledger: holds(lease(20)), overdraw })
  const other = charging({ ledger: holds(lease(20)), changedAt: NOW })
  expect(orders([above, other])).toEqual([[1, 'lease', 'cut', 10]])
  expect(reasons([above, other])).toEqual(['above', 'shared'])
})

it('GROUP-A8: what a charge leaves behind is taken back at once, so that the next one does not begin with it', () => {
  const left = evse({ ledger: holds(lease(30)), changedAt: NOW })
  expect(orders([left, charging()])).toEqual([
    [0, 'lease', 'cut', 0],
    [1, 'lease', 'raise', 10],
  ])
})

it('GROUP-A8: a lease is renewed at half of its time, and one that has ended counts no more', () => {
  const car = (until: number) => charging({ ledger: holds(lease(32, until)) })
  expect(orders([car(NOW + 400_000)])).toEqual([])
  expect(orders([car(NOW + 299_999)])).toEqual([[0, 'lease', 'renew', 32]])
  const [order] = planned([charging({ clockAheadMs: 90_000 })]).orders
  expect(order?.given.endsAt).toBe(NOW + 600_000)
  expect(order?.given.until).toBe(NOW + 600_000 + 90_000 + 15_000)
  const silent = charging({ isOnline: false, ledger: holds(lease(30)) })
  expect(shares([silent, charging()])).toEqual([30, 10])
  expect(shares([{ ...silent, ledger: holds(lease(30, NOW)) }, charging()])).toEqual([0, 32])
})

it('GROUP-S5: an EVSE is changed once in 30 seconds, but for cuts that the law demands', () => {
  const young = { ledger: holds(lease(30)), changedAt: NOW - 29_000 }
  expect(orders([charging(young), charging()])).toEqual([[1, 'lease', 'raise', 10]])
  expect(orders([charging({ ...young, changedAt: NOW - 30_000 }), charging()])).toEqual([
    [0, 'lease', 'cut', 20],
    [1, 'lease', 'raise', 10],
  ])
  const less = { groups: [{ ...site, limitAmps: 20 }] }
  expect(orders([charging(young)], less)).toEqual([[0, 'lease', 'cut', 20]])
})

it('a group in which more is out than it carries says so', () => {
  const [group] = planned([evse({ isOnline: false, ledger: holds(lease(50)), maxAmps: 63 })]).groups
  expect(group).toMatchObject({ isExceeded: true, mayDraw: [50, 50, 50] })
})

it.each([
  [17, 16, false],
  [17.1, 16, true],
  [42, 40, false],
  [42.1, 40, true],
  [1.1, 0, true],
])('GROUP-A5: what a reading says: %s A of %s', (drawn, allowed, is) => {
  expect(isAbove(drawn, allowed)).toBe(is)
})
