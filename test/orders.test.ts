/** What partners order of sessions over HTTP, and what a station that answers by hand makes of it. */
import { expect, it } from 'vitest'
import { houseOfFile, type Json } from './house.ts'
import { booted201, eventOf } from './station.ts'

const house = await houseOfFile()
await house.request('POST', '/2/tariffs', { currency: 'EUR', perKwh: 0.3333, perSession: 1, perMinute: 0.1 })

const minute = (number: number): string => new Date(BEGAN + number * 60_000).toISOString()
/** The tariff is of now (COST-L7). */
const BEGAN = Math.floor(Date.now() / 60_000) * 60_000

it('SESSION-S8, COST-CO2, OCPP-DR12, TC_I_02, TC_E_39, 2.0.1: a charge that no card authorised is failed and free when it took nothing, and costs its energy alone when it took some', async () => {
  const station = await booted201(house.ocppUrl, 'NOBODY')
  const event = (transactionId: string, eventType: string, seqNo: number, at: number, value: number): Promise<Json> => {
    const timestamp = minute(at)
    const transactionInfo = { transactionId, chargingState: 'EVConnected' }
    const meterValue = [{ timestamp, sampledValue: [{ value }] }]
    const more = { timestamp, transactionInfo, meterValue, idToken: undefined }
    return station.ask('TransactionEvent', eventOf(eventType, seqNo, more))
  }
  await event('T1', 'Started', 0, 1, 1000)
  expect(await event('T1', 'Ended', 1, 9, 1000)).toMatchObject({ totalCost: 0 })
  await event('T2', 'Started', 0, 11, 1000)
  expect(await event('T2', 'Ended', 1, 19, 3000)).toMatchObject({ totalCost: 0.67 })
  const sessions = await house.sessions('NOBODY')
  expect(sessions).toMatchObject([
    { state: 'completed', energyKwh: 2, cost: 0.67 },
    { state: 'failed', energyKwh: 0 },
  ])
  expect(sessions[1]).not.toHaveProperty('cost')
  for (const { id } of sessions) expect(await house.cli(['sessions', 'rebuild', String(id), '--json'])).toEqual([])
})
