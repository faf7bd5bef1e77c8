/** COST-L7: a charge that is delivered late has the tariff of its time. */
import { expect, it } from 'vitest'
import { coresOfTests, START, type TestCore } from '../../test/support/core/testing.ts'
import type { TariffRates } from '../domain/ports/storage-webhooks.ts'

const MINUTE = 60_000
const core = coresOfTests()

const rates = (perKwhMicros: number): TariffRates => {
  return { currency: 'EUR', perKwhMicros, perMinuteMicros: 0, perSessionMicros: 0, idlePerMinuteMicros: 0 }
}

/** A tariff of 1 EUR for an hour, then of 10. */
async function dearer(house: TestCore, of: { readonly chargePointId?: string }): Promise<void> {
  const { writes } = house.store
  const at = house.clock.now()
  const tariff = { tariffId: 't', accountId: 'account-1', version: 1, createdAt: at, updatedAt: at, ...of }
  await writes.createTariff({ ...tariff, ...rates(1_000_000) })
  house.clock.advance(60 * MINUTE)
  await writes.updateTariff('account-1', 't', rates(10_000_000), house.clock.now())
  house.registrationsChanged()
  house.clock.advance(30 * MINUTE)
}

async function charge(house: TestCore, protocol: 'ocpp1.6' | 'ocpp2.0.1', minutes: number) {
  const station = protocol === 'ocpp1.6' ? await house.boot16('CP-1') : await house.boot201('CP-1')
  const at = (more: number) => new Date(START + (minutes + more) * MINUTE).toISOString()
  if (protocol === 'ocpp1.6') {
    const start = { connectorId: 1, idTag: 'CARD', meterStart: 0, timestamp: at(0) }
    const { transactionId } = (await station.call('StartTransaction', start))[2] as { transactionId: number }
    await station.call('StopTransaction', { transactionId, meterStop: 1000, timestamp: at(10) })
  } else {
    for (const [seqNo, eventType, value] of [
      [0, 'Started', 0],
      [1, 'Ended', 1000],
    ] as const) {
      await station.call('TransactionEvent', {
        eventType,
        seqNo,
        timestamp: at(seqNo * 10),
        triggerReason: 'Authorized',
        evse: { id: 1, connectorId: 1 },
        ...(seqNo === 0 && { idToken: { idToken: 'CARD', type: 'ISO14443' } }),
        transactionInfo: { transactionId: `T${minutes}`, chargingState: seqNo === 0 ? 'Charging' : 'Idle' },
        meterValue: [{ timestamp: at(seqNo * 10), sampledValue: [{ value }] }],
      })
    }
  }
  await house.settled()
  const sessions = await house.store.reads.listSessions({ accountId: 'account-1', limit: 9 })
  return sessions.find(({ startedAt }) => startedAt === START + minutes * MINUTE)?.cost?.micros
}

it.each([
  ['ocpp1.6', 'of the account', {}],
  ['ocpp2.0.1', 'of the account', {}],
  ['ocpp1.6', 'of the charge point', { chargePointId: 'CP-1' }],
] as const)('COST-L7: %s: an old charge was priced by a later tariff %s', async (version, _, of) => {
  const house = await core()
  await dearer(house, of)
  expect(await charge(house, version, 20)).toBe(1_000_000)
  expect(await charge(house, version, 90)).toBe(10_000_000)
  // From before the first tariff.
  expect(await charge(house, version, -60)).toBe(1_000_000)
})

it('COST-L7: one that was deleted since still prices what began before', async () => {
  const house = await core()
  await dearer(house, {})
  await house.store.writes.deleteTariff('account-1', 't', house.clock.now())
  house.registrationsChanged()
  house.clock.advance(30 * MINUTE)
  expect(await charge(house, 'ocpp1.6', 70)).toBe(10_000_000)
  expect(await charge(house, 'ocpp1.6', 120)).toBeUndefined()
})

it('COST-L7: a clock that is known to be an hour behind costs what is in force now', async () => {
  const house = await core()
  await dearer(house, {})
  const station = await house.boot16('CP-1')
  for (let n = 0; n < 2; n++) {
    const timestamp = new Date(house.clock.now() - 60 * MINUTE).toISOString()
    await station.call('StatusNotification', { connectorId: 1, errorCode: 'NoError', status: 'Available', timestamp })
    house.clock.advance(2 * MINUTE)
  }
  expect(await charge(house, 'ocpp1.6', 34)).toBe(10_000_000)
})
