import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { newUuid } from '../../../src/domain/message-log/log-id.ts'
import type { Tariff } from '../../../src/domain/ports/storage-webhooks.ts'
import { loadChargePoint } from '../storage/testing.ts'
import type { StoreFixture } from './fixture.ts'
import { aChargePoint, anEvent, changeSet, NOW, recorded } from './records.ts'

const RATES = {
  currency: 'EUR',
  perKwhMicros: 400_000,
  perMinuteMicros: 0,
  perSessionMicros: 0,
  idlePerMinuteMicros: 0,
}
const tariff: Tariff = { ...RATES, tariffId: 'T1', version: 1, accountId: 'A', createdAt: NOW, updatedAt: NOW }

export function moneyBehaviour({ store, reopen }: StoreFixture): void {
  it('COST-L1: a charge point’s own tariff goes before its account’s, and a session starts with the newest version', async () => {
    const { core, writes, reads } = store()
    await writes.createChargePoint(aChargePoint())
    expect(await writes.createTariff(tariff)).toBe('created')
    expect(await writes.createTariff({ ...tariff, tariffId: 'T0' })).toBe('exists')
    const frozen = { ...RATES, tariffId: 'T1', version: 1 }
    expect((await loadChargePoint(core, 'CP1'))?.tariff).toEqual(frozen)
    const own = { ...tariff, tariffId: 'T2', chargePointId: 'CP1' }
    expect(await writes.createTariff(own)).toBe('created')
    const dearer = { ...RATES, perKwhMicros: 500_000 }
    const changed = { ...own, ...dearer, version: 2, updatedAt: NOW + 5 }
    expect(await writes.updateTariff('A', 'T2', dearer, NOW + 5)).toEqual(changed)
    expect(await writes.updateTariff('B', 'T2', RATES, NOW + 6)).toBeUndefined()
    expect((await loadChargePoint(core, 'CP1'))?.tariff).toEqual({ ...frozen, ...dearer, tariffId: 'T2', version: 2 })
    expect(await reads.listTariffs('A')).toEqual([{ ...tariff, isDefault: 1 }, changed])
    expect(await reads.listTariffs('B')).toEqual([])
    expect(await writes.deleteTariff('B', 'T2', NOW + 7)).toBe(false)
    expect(await writes.deleteTariff('A', 'T2', NOW + 8)).toBe(true)
    expect(await reads.findTariff('A', 'T2')).toBeUndefined()
    expect(await reads.findTariff('A', 'T1')).toEqual({ ...tariff, isDefault: 1 })
    expect((await loadChargePoint(core, 'CP1'))?.tariff).toEqual(frozen)
    // COST-L7: what held when, for charges that come late.
    const kept = await reads.listRecords('tariff_versions', { where: { accountId: 'A', place: 'CP1' }, limit: 9 })
    expect(kept.map(({ since, version, rates }) => [since, version, rates?.perKwhMicros])).toEqual([
      [NOW, 1, 400_000],
      [NOW + 5, 2, 500_000],
      [NOW + 8, 3, undefined],
    ])
  })

  it('TARIFF-A1: of several tariffs of an account the one that was made first prices, then the next', async () => {
    const { core, writes, reads } = store()
    await writes.createChargePoint(aChargePoint())
    const elements = [{ priceComponents: [{ type: 'ENERGY', priceMicros: 300_000, vat: 19, stepSize: 1 }] }] as const
    const first = { ...tariff, tariffId: 'T9', elements, taxIncluded: 'yes' } as const
    expect(await writes.createTariff(first)).toBe('created')
    expect(await writes.createTariff({ ...tariff, createdAt: NOW + 1, updatedAt: NOW + 1 })).toBe('created')
    expect(await writes.createTariff({ ...tariff, tariffId: 'T2', createdAt: NOW + 2, updatedAt: NOW + 2 })).toBe(
      'exists',
    )
    expect((await loadChargePoint(core, 'CP1'))?.tariff).toMatchObject({ tariffId: 'T9', elements, taxPercent: 19 })
    expect((await reads.listTariffs('A')).filter(({ isDefault }) => isDefault)).toMatchObject([{ tariffId: 'T9' }])
    const named = { ...RATES, name: 'Night', vat: 7 }
    expect(await writes.updateTariff('A', 'T1', named, NOW + 3)).toMatchObject(named)
    const whole = await writes.updateTariff('A', 'T1', RATES, NOW + 4, true)
    expect([whole?.name, whole?.vat, whole?.version]).toEqual([undefined, undefined, 3])
    expect(await writes.deleteTariff('A', 'T9', NOW + 5)).toBe(true)
    expect((await loadChargePoint(core, 'CP1'))?.tariff).toMatchObject({ tariffId: 'T1', version: 3 })
    const versions = (place: string) =>
      reads.listRecords('tariff_versions', { where: { accountId: 'A', place }, limit: 9 })
    const shown = (all: Awaited<ReturnType<typeof versions>>) =>
      all.map(({ since, tariffId, rates }) => [since - NOW, tariffId, rates !== undefined])
    expect(shown(await versions(''))).toEqual([
      [0, 'T9', true],
      [5, 'T1', true],
    ])
    expect(shown(await versions('tariff/T9'))).toEqual([
      [0, 'T9', true],
      [5, 'T9', false],
    ])
  })

  it('TARIFF-A1: what connectors of a location name is loaded with their charge point', async () => {
    const { core, writes } = store()
    await writes.createChargePoint(aChargePoint())
    await writes.createTariff({ ...tariff, name: 'Named', tariffId: 'T7' })
    const connector = { standard: 'IEC_62196_T2', format: 'SOCKET', powerType: 'AC_3_PHASE', maxVoltage: 230 } as const
    const connectors = [
      { ...connector, connectorId: '1', maxAmperage: 32, tariffIds: ['none', 'T7'], lastUpdated: NOW },
      { ...connector, connectorId: '2', maxAmperage: 32, lastUpdated: NOW },
    ]
    const facts = { address: 'A', city: 'B', country: 'DEU', coordinates: { latitude: 1, longitude: 2 } } as const
    const place = { accountId: 'A', locationId: 'L1' }
    await writes.putRecords('locations', [
      {
        ...place,
        publish: true,
        facts: { ...facts, timeZone: 'Europe/Berlin' },
        evses: [{ uid: 'U1', chargePointId: 'CP1', ocppEvseId: 1, connectors, lastUpdated: NOW }],
        createdAt: NOW,
        lastUpdated: NOW,
      },
    ])
    expect((await loadChargePoint(core, 'CP1'))?.places).toBeUndefined()
    const standing = {
      ...place,
      chargePointId: 'CP1',
      uid: 'U1',
      ocppEvseId: 1,
      shown: 'AVAILABLE',
      shownSince: NOW,
    } as const
    await core.commit([changeSet({ chargePointId: 'CP1', records: [{ kind: 'location_evses', put: standing }] })])
    expect((await loadChargePoint(core, 'CP1'))?.places).toEqual([
      {
        ocppEvseId: 1,
        connectorId: '1',
        timeZone: 'Europe/Berlin',
        tariffs: [{ ...RATES, tariffId: 'T7', version: 1 }],
      },
      { ocppEvseId: 1, connectorId: '2', timeZone: 'Europe/Berlin', tariffs: [] },
    ])
  })

  it('COST-L5: the ledger keeps every entry in its order, and a number is given once', async () => {
    const { core } = store()
    const first = { sessionId: 'S1', number: 1, energyMilliWh: 5, at: NOW, by: 'pilotwire' }
    const second = { ...first, number: 2, costMicros: 7, currency: 'EUR', by: 'credential K1', reason: 'goodwill' }
    expect(await core.commit([changeSet({ settlements: [first] }), changeSet({ settlements: [second] })])).toEqual([
      { ok: true },
      { ok: true },
    ])
    expect(await core.commit([changeSet({ settlements: [{ ...first, costMicros: 9 }] })])).toMatchObject([
      { ok: false },
    ])
    const { reads } = await reopen()
    expect(await reads.listSettlements('S1')).toEqual([first, second])
    expect(await reads.listSettlements('S2')).toEqual([])
  })

  it('HOOK-W6: the feed gives an account its events once each, oldest first, and goes on behind the last one seen', async () => {
    const { core, reads } = store()
    const said = [0, 1, 2].map((n) =>
      anEvent({
        id: newUuid(NOW + n, randomBytes),
        time: NOW + n,
        chargePointId: n === 1 ? 'CP2' : 'CP1',
        data: `{"n":${n}}`,
      }),
    )
    const foreign = anEvent({ id: newUuid(NOW + 3, randomBytes), accountId: 'B', subject: 'S9' })
    for (const event of [...said, foreign]) await core.commit([changeSet({ events: [event] })])
    const [one, two, three] = said.map(recorded)
    expect(await reads.listEvents({ accountId: 'A', type: 'session.updated', limit: 2 })).toEqual([one, two])
    expect(
      await reads.listEvents({ accountId: 'A', type: 'session.updated', afterId: two?.id ?? '', limit: 2 }),
    ).toEqual([three])
    expect(
      await reads.listEvents({ accountId: 'A', type: 'session.updated', chargePointIds: ['CP2'], limit: 9 }),
    ).toEqual([two])
    expect(await reads.listEvents({ accountId: 'A', type: 'session.updated', from: NOW + 2, limit: 9 })).toEqual([
      three,
    ])
    expect(
      await reads.listEvents({
        accountId: 'A',
        type: 'session.updated',
        afterId: newUuid(NOW + 1, randomBytes),
        limit: 9,
      }),
    ).toBe('unknown')
    expect(await reads.listSessionEvents('S1')).toEqual([one, two, three])
  })
}
