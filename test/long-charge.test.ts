/**
 * Charges in which much happened (SESSION-S7, SESSION-B2): start, idle time and cost stay those of the whole charge.
 */
import { expect, it } from 'vitest'
import { houseOfFile, type Json } from './house.ts'
import { booted16, booted201, eventOf } from './station.ts'

const house = await houseOfFile()
const tariff = { currency: 'EUR', perKwh: 0.5, idlePerMinute: 0.1 }
expect((await house.request('POST', '/2/tariffs', tariff)).status).toBe(201)

/** The tariff is of now (COST-L7). */
const BEGAN = Math.floor(Date.now() / 60_000) * 60_000
const minute = (number: number): string => new Date(BEGAN + number * 60_000).toISOString()

const event = (eventType: string, seqNo: number, at: number, chargingState?: string, more: Json = {}): Json => {
  const transactionInfo = { transactionId: 'LONG', chargingState }
  const idToken = eventType === 'Started' ? { idToken: 'CARD', type: 'ISO14443' } : undefined
  return eventOf(eventType, seqNo, { timestamp: minute(at), transactionInfo, idToken, ...more })
}

const register = (at: number, value: number, context = 'Sample.Periodic'): Json => ({
  meterValue: [{ timestamp: minute(at), sampledValue: [{ value, context }] }],
})

const BEGIN = event('Started', 0, 0, 'Charging', register(0, 0, 'Transaction.Begin'))

it('SESSION-S7, 1.6: two hundred suspensions of a minute are two hundred minutes of idle time', async () => {
  const station = await booted16(house.ocppUrl, 'CLOUDY-16')
  const begin = { connectorId: 1, idTag: 'CARD', meterStart: 0, timestamp: minute(0) }
  const { transactionId } = await station.ask('StartTransaction', begin)
  for (let at = 1; at <= 400; at++) {
    const status = at % 2 === 1 ? 'SuspendedEV' : 'Charging'
    const report = { connectorId: 1, errorCode: 'NoError', status, timestamp: minute(at) }
    await station.ask('StatusNotification', report)
  }
  await station.ask('StopTransaction', { transactionId, meterStop: 1000, timestamp: minute(401) })
  await station.close()
  const [session] = await house.sessions('CLOUDY-16')
  expect(session).toMatchObject({ state: 'completed', startedAt: minute(0), energyKwh: 1, cost: 20.5 })
  expect(await house.cli(['sessions', 'rebuild', String(session?.id), '--json'])).toEqual([])
})

it('SESSION-B2: when the count began again after a hundred events, what it brings counts and its end is the end', async () => {
  const station = await booted201(house.ocppUrl, 'RESTARTED')
  await station.ask('TransactionEvent', BEGIN)
  for (let number = 1; number <= 200; number++) {
    await station.ask('TransactionEvent', event('Updated', number, number, 'Charging', register(number, number * 10)))
  }
  await station.ask('TransactionEvent', event('Updated', 0, 201, 'SuspendedEV', register(201, 2_010)))
  expect((await house.sessions('RESTARTED'))[0]).toMatchObject({ state: 'suspended', energyKwh: 2.01 })
  // Sent again: the newest, and one of the first count.
  await station.ask('TransactionEvent', event('Updated', 0, 201, 'SuspendedEV', register(201, 2_010)))
  await station.ask('TransactionEvent', event('Updated', 3, 3, 'Charging', register(3, 30)))
  await station.ask('TransactionEvent', event('Updated', 1, 202, 'Charging', register(202, 2_020)))
  await station.ask('TransactionEvent', event('Ended', 2, 203, undefined, register(203, 2_030, 'Transaction.End')))
  await station.close()
  const [session] = await house.sessions('RESTARTED')
  expect(session).toMatchObject({ state: 'completed', energyKwh: 2.03, stoppedAt: minute(203), cost: 1.12 })
  expect(await house.cli(['sessions', 'rebuild', String(session?.id), '--json'])).toEqual([])
})
