/** Charge points found by what they are, and the figures of a whole account. */

import { expect, it } from 'vitest'
import { addSamples, type MeterState, newMeter } from '../../../../src/domain/energy/meter.ts'
import type { Sample } from '../../../../src/domain/ports/sessions.ts'
import type { ChargePointFilter, ChargePointQuery } from '../../../../src/domain/ports/storage-queries.ts'
import type { StoreFixture } from '../fixture.ts'
import { aChargePoint, anIdToken, aSession, aTransaction, changeSet, NOW } from '../records.ts'

const QUARTER = 900_000
const SLOT = Math.floor(NOW / QUARTER) * QUARTER

const meterWith = (at: number, value: number, change: Partial<Sample> = {}): MeterState => {
  const sample: Sample = {
    at: { occurredAt: at, receivedAt: at },
    value: String(value),
    measurand: 'Energy.Active.Import.Register',
    context: 'Sample.Periodic',
    location: 'Outlet',
    unit: 'Wh',
    multiplier: 0,
    ...change,
  }
  return addSamples(newMeter({}), [sample], {}).meter
}

/** Of two accounts, with what stations told and do. */
export async function aNetwork({ core, writes }: ReturnType<StoreFixture['store']>): Promise<void> {
  const north = { site: 'North', 'a.b-c_1': '50%' }
  await writes.createChargePoint(aChargePoint({ id: 'A1', name: 'Tiefgarage Äpfel', labels: north }))
  await writes.createChargePoint(aChargePoint({ id: 'A2', name: 'car_park', securityProfile: 2 }))
  await writes.createChargePoint(aChargePoint({ id: 'a3', registrationStatus: 'Pending' }))
  await writes.createChargePoint(aChargePoint({ id: 'B1', accountId: 'B', labels: north }))
  await core.commit([
    changeSet({
      chargePointId: 'A1',
      status: { vendor: 'V', model: 'M', firmwareVersion: '1', serialNumber: 'SN-7', lastSeenAt: 5 },
      connectors: [
        { connectorId: 2, status: 'Faulted', errorCode: 'GroundFailure', updatedAt: NOW },
        { connectorId: 1, status: 'Charging', updatedAt: NOW },
      ],
    }),
    changeSet({ chargePointId: 'A2', status: { vendor: 'v', lastSeenAt: 9 } }),
    changeSet({
      chargePointId: 'A2',
      connectors: [{ evseId: 1, connectorId: 1, status: 'Occupied', updatedAt: NOW }],
      sessions: [
        aSession({ id: 'S2', chargePointId: 'A2', state: 'charging', transactionId: 't' }),
        aSession({ id: 'S3', chargePointId: 'A2', state: 'completed' }),
      ],
      transactions: [
        aTransaction({
          chargePointId: 'A2',
          sessionId: 'S2',
          transactionId: 't',
          meter: meterWith(NOW, 11, { measurand: 'Power.Active.Import', unit: 'kW' }),
        }),
      ],
    }),
  ])
}

/** Of the charge points of an account, by id. */
export function findsIds(store: StoreFixture['store']) {
  return async (filter: ChargePointFilter, more: Partial<ChargePointQuery> = {}): Promise<readonly string[]> => {
    const query = { accountId: 'A', filter, sort: 'id', limit: 10, ...more } as const
    return (await store().reads.findChargePoints(query)).map(({ view }) => view.id)
  }
}

export function networkBehaviour({ store, reopen }: StoreFixture): void {
  const found = findsIds(store)

  const network = (): Promise<void> => aNetwork(store())

  it('CONSOLE-A4: finds charge points by everything that must hold', async () => {
    await network()
    expect(await found({})).toEqual(['A1', 'A2', 'a3'])
    expect(await found({ within: ['A1', 'a3', 'B1'] })).toEqual(['A1', 'a3'])
    expect(await found({ without: ['A1'] })).toEqual(['A2', 'a3'])
    expect(await found({ statuses: ['faulted', 'Occupied'] })).toEqual(['A1', 'A2'])
    expect(await found({ statuses: ['Available'] })).toEqual([])
    expect(await found({ charging: true })).toEqual(['A1', 'A2'])
    expect(await found({ siteless: true })).toEqual(['A2', 'a3'])
    expect(await found({ errorCode: 'GroundFailure' })).toEqual(['A1'])
    expect(await found({ errorCode: 'NoError' })).toEqual([])
    expect(await found({ faultedSince: NOW })).toEqual(['A1'])
    expect(await found({ faultedSince: NOW - 1 })).toEqual([])
    expect(await found({ silentSince: 8 })).toEqual(['A1', 'a3'])
    const { reads } = store()
    const counted = { accountId: 'A', filter: { silentSince: 8, statuses: ['faulted'] } }
    expect([
      await reads.countChargePoints(counted),
      await reads.countChargePoints({ accountId: 'B', filter: {} }),
    ]).toEqual([1, 1])
    expect(await found({ vendor: 'V', model: 'M', firmwareVersion: '1' })).toEqual(['A1'])
    expect(await found({ vendor: 'V', model: 'N' })).toEqual([])
    expect(await found({ labels: [['site', 'North']] })).toEqual(['A1'])
    const both = [['site', 'North'] as const, ['a.b-c_1', '50%'] as const]
    expect(await found({ labels: both })).toEqual(['A1'])
    expect(
      await found({
        labels: [
          ['site', 'North'],
          ['a.b-c_1', '5_%'],
        ],
      }),
    ).toEqual([])
    expect(await found({ securityProfile: 2 })).toEqual(['A2'])
    expect(await found({ registrationStatuses: ['Pending', 'Rejected'] })).toEqual(['a3'])
  })

  it('CONSOLE-A4: searches id, name and serial number whatever the case; % and _ are themselves', async () => {
    await network()
    expect(await found({ q: 'äPFEL' })).toEqual(['A1'])
    expect(await found({ q: 'sn-7' })).toEqual(['A1'])
    expect(await found({ q: 'A' })).toEqual(['A1', 'A2', 'a3'])
    expect(await found({ q: '_' })).toEqual(['A2'])
    expect(await found({ q: '%' })).toEqual([])
    expect(await found({ q: "' OR 1 --" })).toEqual([])
  })

  it('CONSOLE-A4: sorts both ways and pages by key, with what each was sorted by', async () => {
    await network()
    const { reads } = store()
    const by = { accountId: 'A', filter: {}, limit: 2 } as const
    expect(await found({}, { sort: 'name' })).toEqual(['a3', 'A1', 'A2'])
    expect(await found({}, { sort: 'lastSeenAt', descending: true })).toEqual(['A2', 'A1', 'a3'])
    const [, second] = await reads.findChargePoints({ ...by, sort: 'lastSeenAt', descending: true })
    expect(second?.sortedBy).toBe(5)
    expect(await found({}, { sort: 'lastSeenAt', descending: true, after: [5, 'A1'] })).toEqual(['a3'])
    expect(await found({}, { sort: 'name', after: ['', 'a3'] })).toEqual(['A1', 'A2'])
    const [first] = await reads.findChargePoints({ ...by, sort: 'id' })
    expect(first?.view).toEqual(await reads.findChargePoint('A1'))
  })

  it('CONSOLE-C5: lists whom all of some labels are on, of the account only', async () => {
    await network()
    const { reads, writes } = store()
    await writes.createChargePoint(aChargePoint({ id: 'A4', labels: { site: 'North' } }))
    const site = ['site', 'North'] as const
    expect([...(await reads.listLabelled('A', [site]))].sort()).toEqual(['A1', 'A4'])
    expect(await reads.listLabelled('A', [site, ['a.b-c_1', '50%']])).toEqual(['A1'])
    expect(await reads.listLabelled('A', [site, ['site', 'South']])).toEqual([])
    expect(await reads.listLabelled('A', [['site', 'north']])).toEqual([])
    expect(await reads.listLabelled('B', [site])).toEqual(['B1'])
  })

  it('CONSOLE-A5: labels are merged, null removes one, and none are absent', async () => {
    const { writes, reads } = store()
    await writes.createChargePoint(aChargePoint({ labels: { site: 'North', bay: '1' } }))
    const changed = await writes.updateChargePoint('A', 'CP1', { labels: { bay: null, floor: '"2"' } })
    expect(changed?.labels).toEqual({ site: 'North', floor: '"2"' })
    await writes.updateChargePoint('A', 'CP1', { labels: { site: null, floor: null, never: null } })
    expect(await reads.findChargePoint('CP1')).not.toHaveProperty('labels')
  })

  it('CONSOLE-A1: counts what is online, pending, faulted and charging, and sums the power', async () => {
    await network()
    const { reads } = store()
    expect(await reads.countNetwork('A', ['A1', 'A2', 'a3', 'B1'])).toEqual({
      chargePoints: 3,
      pending: 1,
      online: 2,
      faulted: 1,
      charging: 2,
      powerMilliW: 11_000_000,
      runningSessions: 1,
    })
    expect(await reads.countNetwork('A', ['A1'])).toMatchObject({ online: 1, charging: 1, powerMilliW: 0 })
    expect((await reads.listOpenSessions('A2')).map(({ id }) => id)).toEqual(['S2'])
    expect(await reads.listOpenSessions('A1')).toEqual([])
    expect(await reads.countNetwork('B', [])).toMatchObject({ chargePoints: 1, online: 0, runningSessions: 0 })
  })

  it('CONSOLE-A21: finds the sites of which half is offline, and since when', async () => {
    const { core, writes, reads } = store()
    const station = async (id: string, site: string | undefined, seen: number | undefined, change = {}) => {
      await writes.createChargePoint(aChargePoint({ id, ...(site !== undefined && { labels: { site } }), ...change }))
      if (seen !== undefined) await core.commit([changeSet({ chargePointId: id, status: { lastSeenAt: seen } })])
    }
    for (const [at, seen] of [50, 40, 30, 20].entries()) await station(`N${at}`, `No"r'th`, seen)
    await station('S1', 'South', 70)
    await station('S2', 'South', 60)
    await station('S3', 'South', 10)
    await station('X1', undefined, 80)
    // Nobody waits for these: never here, out of use, refused, waiting, of somebody else.
    await station('Z1', 'South', undefined)
    await station('Z2', 'South', 5, { disabled: true })
    await station('Z3', 'South', 5, { registrationStatus: 'Rejected' })
    await station('Z4', 'South', 5, { registrationStatus: 'Pending' })
    await station('Z5', 'South', 5, { accountId: 'B' })
    const site = `No"r'th`
    const here = ['N0', 'S1', 'S2', 'X1', 'Z2']
    const offline = async (online: readonly string[], limit = 5) => reads.listOfflineSites('A', online, limit)
    const north = { site, stations: 4, offline: 3, since: 30 }
    const south = { site: 'South', stations: 3 }
    // Of all the station seen at 40 was the fourth of eight to go.
    expect(await offline(here)).toEqual([{ stations: 8, offline: 4, since: 40 }])
    expect(await offline([...here, 'S3'])).toEqual([north])
    expect(await offline([...here.slice(3), 'N0', 'N1', 'N2', 'S3'], 1)).toEqual([{ ...south, offline: 2, since: 70 }])
    expect(await offline([...here, 'N1'])).toEqual([{ ...north, offline: 2 }])
    expect(await offline([...here, 'N1', 'N2', 'N3', 'S3'])).toEqual([])
    expect(await reads.listOfflineSites('B', [], 5)).toEqual([{ stations: 1, offline: 1, since: 5 }])
  })

  it('CONSOLE-A2: power is what was told last, else the mean between the last two readings', async () => {
    const { core, writes, reads } = store()
    await writes.createChargePoint(aChargePoint())
    const of = (milliWh: number, meter: MeterState) => ({
      sessions: [aSession({ transactionId: '1', state: 'charging', startedAt: SLOT, energyMilliWh: milliWh })],
      transactions: [aTransaction({ meter })],
    })
    const power = async () => (await reads.countNetwork('A', ['CP1'])).powerMilliW
    await core.commit([changeSet(of(1000, meterWith(SLOT + QUARTER, 1)))])
    expect(await power()).toBe(4000)
    await core.commit([changeSet(of(5000, meterWith(SLOT + 3 * QUARTER, 5)))])
    expect(await power()).toBe(8000)
    const reported = { measurand: 'Power.Active.Import', unit: 'W' }
    await core.commit([changeSet(of(5000, meterWith(SLOT + 3 * QUARTER, 7, reported)))])
    expect(await power()).toBe(7000)
    // A change that is not about its samples leaves it.
    await core.commit([changeSet({ sessions: of(5000, newMeter({})).sessions })])
    expect(await power()).toBe(7000)
  })

  it('CONSOLE-A1: lists faults of what is online, the newest first, with the time since when', async () => {
    await network()
    const { core, reads } = store()
    expect((await reads.listFaults('A', ['A1'], 5))[0]?.connector).not.toHaveProperty('since')
    const again = { connectorId: 2, status: 'Faulted', errorCode: 'GroundFailure', updatedAt: NOW + 60_000 }
    await core.commit([changeSet({ chargePointId: 'A1', connectors: [again] })])
    await reopen()
    expect(await store().reads.listFaults('A', ['A1', 'B1'], 5)).toEqual([
      { chargePointId: 'A1', name: 'Tiefgarage Äpfel', site: 'North', connector: { ...again, since: NOW } },
    ])
    const other = { ...again, errorCode: 'OtherError', vendorErrorCode: 'E7', info: 'hot', updatedAt: NOW + 90_000 }
    await store().core.commit([changeSet({ chargePointId: 'A1', connectors: [other] })])
    await reopen()
    expect((await store().reads.listFaults('A', ['A1'], 5))[0]?.connector).toEqual(other)
    expect(await store().reads.listFaults('A', [], 5)).toEqual([])
  })

  it('CONSOLE-F9: counts the lists of an account alone', async () => {
    await network()
    await reopen()
    const { reads, writes } = store()
    const before = await reads.countAccount('A')
    expect(before).toMatchObject({ chargePoints: 3, runningSessions: 1 })
    await writes.createIdToken(anIdToken({ id: 'COUNTED' }))
    await writes.createIdToken(anIdToken({ accountId: 'B', id: 'COUNTED' }))
    expect(await reads.countAccount('A')).toEqual({ ...before, idTokens: before.idTokens + 1 })
    expect(await reads.countAccount('nobody')).toEqual(Object.fromEntries(Object.keys(before).map((name) => [name, 0])))
  })

  it('CONSOLE-A22: puts faults together by error, site and model, the largest group first', async () => {
    const { core, writes, reads } = store()
    const station = async (
      id: string,
      site: string | undefined,
      model: string | undefined,
      errors: readonly string[],
    ) => {
      await writes.createChargePoint(aChargePoint({ id, ...(site !== undefined && { labels: { site } }) }))
      const connectors = errors.map((errorCode, at) => ({
        connectorId: at + 1,
        status: errorCode === '' ? 'Available' : 'Faulted',
        updatedAt: NOW + at,
        ...(errorCode !== '' && errorCode !== 'none' && { errorCode }),
      }))
      await core.commit([
        changeSet({ chargePointId: id, connectors, ...(model !== undefined && { status: { model } }) }),
      ])
    }
    await station('A1', `No"r'th`, 'One', ['GroundFailure', 'GroundFailure', 'HighTemperature'])
    await station('A2', `No"r'th`, 'Two', ['', 'GroundFailure'])
    await station('A3', undefined, undefined, ['none'])
    await station('A4', 'South', 'Two', ['NoError', ''])
    await station('A5', 'South', 'Two', ['GroundFailure'])
    const here = ['A1', 'A2', 'A3', 'A4', 'B1']
    const groups = (by: 'error' | 'site' | 'model', limit = 9) => reads.listFaultGroups('A', here, by, limit)
    expect(await groups('error')).toEqual([
      { chargePoints: 2, since: NOW },
      { name: 'GroundFailure', chargePoints: 2, since: NOW },
      { name: 'HighTemperature', chargePoints: 1, since: NOW + 2 },
    ])
    expect((await groups('site')).map(({ name, chargePoints }) => [name, chargePoints])).toEqual([
      [`No"r'th`, 2],
      [undefined, 1],
      ['South', 1],
    ])
    expect(await groups('model', 1)).toEqual([{ name: 'Two', chargePoints: 2, since: NOW }])
    expect(await reads.listFaultGroups('A', [], 'error', 9)).toEqual([])
  })

  it('CONSOLE-A3: energy counts when it was delivered, whatever waited for a flush or was put in place twice', async () => {
    const { core, writes } = store()
    await writes.createChargePoint(aChargePoint())
    const at = (quarter: number, milliWh: number) => ({
      sessions: [aSession({ transactionId: '1', startedAt: SLOT, energyMilliWh: milliWh, version: quarter + 1 })],
      transactions: [aTransaction({ meter: meterWith(SLOT + quarter * QUARTER, milliWh / 1000) })],
    })
    await core.commit([changeSet(at(1, 1000)), changeSet(at(3, 5000))])
    const first = [
      { from: SLOT, milliWh: 1000 },
      { from: SLOT + QUARTER, milliWh: 2000 },
      { from: SLOT + 2 * QUARTER, milliWh: 2000 },
    ]
    const listed = (from = SLOT) => store().reads.listEnergy('A', from, SLOT + 10 * QUARTER)
    expect(await listed()).toEqual(first)
    await core.commit([changeSet(at(3, 5000))])
    expect(await listed()).toEqual(first)
    // A correction belongs to the last time that is known.
    await core.commit([changeSet({ sessions: [aSession({ startedAt: SLOT, energyMilliWh: 4500 })] })])
    expect(await listed(SLOT + 3 * QUARTER)).toEqual([{ from: SLOT + 3 * QUARTER, milliWh: -500 }])
    await reopen()
    expect((await listed()).reduce((sum, { milliWh }) => sum + milliWh, 0)).toBe(4500)
    expect(await store().reads.listEnergy('B', SLOT, SLOT + QUARTER)).toEqual([])
  })
}
