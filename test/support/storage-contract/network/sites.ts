/** Sites, and lists of charge points by what they are and do. */
import { expect, it } from 'vitest'
import type { StoreFixture } from '../fixture.ts'
import { aChargePoint, aSession, changeSet, NOW } from '../records.ts'
import { aNetwork, findsIds } from './network.ts'

const QUARTER = 900_000

export function siteBehaviour({ store }: StoreFixture): void {
  const found = findsIds(store)
  const network = (): Promise<void> => aNetwork(store())

  it('CONSOLE-F10: sorts by what stations told, and pages by it', async () => {
    await network()
    for (const [sort, ids] of [
      ['site', ['A2', 'a3', 'A1']],
      ['serialNumber', ['A2', 'a3', 'A1']],
      ['firmwareVersion', ['A2', 'a3', 'A1']],
      ['protocol', ['A1', 'A2', 'a3']],
      ['securityProfile', ['A1', 'a3', 'A2']],
    ] as const) {
      expect([sort, await found({}, { sort })]).toEqual([sort, ids])
      expect([sort, await found({}, { sort, descending: true })]).toEqual([sort, ids.toReversed()])
    }
    expect((await found({}, { sort: 'model' }))[0]).toBe('a3')
    expect(await found({}, { sort: 'label:a.b-c_1' })).toEqual(['A2', 'a3', 'A1'])
    expect(await found({}, { sort: 'label:a.b-c_1', after: ['', 'A2'] })).toEqual(['a3', 'A1'])
    expect(await found({}, { sort: 'label:a.b-c_1', descending: true, after: ['50%', 'A1'] })).toEqual(['a3', 'A2'])
    expect(await found({}, { sort: 'site', after: ['', 'A2'] })).toEqual(['a3', 'A1'])
    expect(await found({ q: 'A' }, { sort: 'securityProfile', after: [1, 'A1'] })).toEqual(['a3', 'A2'])
  })

  it('CONSOLE-F10: sorts by state, since when and power, as lists show them', async () => {
    await network()
    const { core, writes, reads } = store()
    const online = ['A1', 'A2', 'a3', 'C0', 'D0', 'E0', 'F0', 'G0', 'H0']
    const station = async (
      id: string,
      connectors: readonly (readonly [connectorId: number, status: string])[],
      more = {},
    ) => {
      await writes.createChargePoint(aChargePoint({ id, ...more }))
      const reported = connectors.map(([connectorId, status], at) => ({
        connectorId,
        status,
        updatedAt: NOW - 10 - at,
      }))
      await core.commit([changeSet({ chargePointId: id, status: { lastSeenAt: 7 }, connectors: reported })])
    }
    await station('C0', [
      [1, 'Unavailable'],
      [2, 'Available'],
    ])
    await station('D0', [
      [1, 'Unavailable'],
      [2, 'Unavailable'],
    ])
    await station('E0', [
      [0, 'Unavailable'],
      [1, 'Reserved'],
    ])
    await station('F0', [])
    await station('G0', [[1, 'Faulted']], { disabled: true })
    await station('H0', [
      [0, 'Faulted'],
      [1, 'Charging'],
    ])
    await station('I0', [[1, 'Charging']])
    await station('J0', [[1, 'Available']], { registrationStatus: 'Rejected' })
    const states = ['A1', 'H0', 'I0', 'a3', 'J0', 'A2', 'E0', 'C0', 'F0', 'D0', 'G0']
    const all = { limit: 20, online }
    expect(await found({}, { ...all, sort: 'state' })).toEqual(states)
    expect(await found({}, { ...all, sort: 'state', descending: true })).toEqual(states.toReversed())
    const query = { accountId: 'A', filter: {}, ...all } as const
    for (const sort of ['state', 'since', 'power'] as const) {
      const rows = await reads.findChargePoints({ ...query, sort })
      const place = rows[4]
      const rest = await found({}, { ...all, sort, after: [place?.sortedBy ?? '', place?.view.id ?? ''] })
      expect([sort, rest]).toEqual([sort, rows.slice(5).map(({ view }) => view.id)])
    }
    const since = (await reads.findChargePoints({ ...query, sort: 'since' })).map(({ view }) => view.id)
    expect(since.slice(0, 2)).toEqual(['I0', 'J0'])
    expect(since.indexOf('H0')).toBeLessThan(since.indexOf('A1'))
    expect(since.slice(-2)).toEqual(['F0', 'G0'])
    const [most, next] = await reads.findChargePoints({ ...query, sort: 'power', descending: true })
    expect([most?.view.id, most?.sortedBy, next?.sortedBy]).toEqual(['A2', 11_000_000, 0])
    expect((await reads.findChargePoints({ ...query, online: [], sort: 'power', descending: true }))[0]?.sortedBy).toBe(
      0,
    )
  })

  it('SITE-A2: counts what the stations of each site are, do and gave since a time', async () => {
    await network()
    const { core, writes, reads } = store()
    await writes.createChargePoint(aChargePoint({ id: 'A4', labels: { site: 'North' }, disabled: true }))
    await writes.createChargePoint(aChargePoint({ id: 'A5', labels: { site: '' } }))
    const ended = { id: 'S8', transactionId: '8', state: 'completed', energyMilliWh: 7_000_000 } as const
    const earlier = { ...ended, id: 'S9', transactionId: '9', startedAt: NOW - 2 * QUARTER } as const
    await core.commit([
      changeSet({ chargePointId: 'A1', sessions: [aSession({ ...ended, chargePointId: 'A1', startedAt: NOW })] }),
      changeSet({ chargePointId: 'A2', sessions: [aSession({ ...earlier, chargePointId: 'A2' })] }),
    ])
    const online = ['A2', 'a3', 'B1']
    const sites = async (since: number, site?: string) =>
      (await reads.listSites({ accountId: 'A', online, since, site })).toSorted(
        (one, other) => one.stations - other.stations,
      )
    const nothing = { pending: 0, offline: 0, faulted: 0, charging: 0, powerMilliW: 0, milliWh: 0 }
    const [north, none] = await sites(NOW)
    expect(north).toMatchObject({ site: 'North', stations: 2, offline: 1, charging: 0, milliWh: 7_000_000 })
    expect(none).not.toHaveProperty('site')
    expect(none).toMatchObject({ stations: 3, pending: 1, offline: 1, charging: 1, powerMilliW: 11_000_000 })
    expect((await sites(0))[1]?.milliWh).toBe(7_000_000 + (none?.milliWh ?? 0))
    expect(await sites(NOW, 'North')).toEqual([north])
    expect(await sites(NOW, `' OR 1 --`)).toEqual([])
    const ofOthers = await reads.listSites({ accountId: 'B', online: [], since: 0 })
    expect(ofOthers).toEqual([{ ...nothing, site: 'North', stations: 1, offline: 1 }])
  })

  it('SITE-J1: finds sites by a part of their name, each once', async () => {
    await network()
    const { writes, reads } = store()
    await writes.createChargePoint(aChargePoint({ id: 'A4', labels: { site: 'North' } }))
    await writes.createChargePoint(aChargePoint({ id: 'A5', labels: { site: 'Nörd %_' } }))
    expect(await reads.listSitesLike('A', 'NO', 5)).toEqual(['North'])
    expect(await reads.listSitesLike('A', '%', 5)).toEqual(['Nörd %_'])
    expect(await reads.listSitesLike('A', 'nÖ', 5)).toEqual(['Nörd %_'])
    expect(await reads.listSitesLike('A', 'n', 1)).toHaveLength(1)
    expect(await reads.listSitesLike('A', 'x', 5)).toEqual([])
  })
}
