/** What a 2.0.1 charge point is told that a charge costs, beside what the API shows of it. */
import { afterAll, expect, it } from 'vitest'
import { openHouse } from './house.ts'
import { booted201, eventOf } from './station.ts'

const house = await openHouse()
const tariff = { currency: 'EUR', perKwh: 0.3333, perSession: 1 }
expect((await house.request('POST', '/2/tariffs', tariff)).status).toBe(201)
afterAll(() => house.closeClean())

/** @returns the answer to the end of a transaction that delivered so much */
async function charge(identity: string, wattHours: number, stoppedReason: string) {
  const station = await booted201(house.ocppUrl, identity)
  const event = (eventType: string, triggerReason: string, seqNo: number, value: number, context: string) => {
    const timestamp = new Date().toISOString()
    const transactionInfo = { transactionId: identity, ...(eventType === 'Ended' && { stoppedReason }) }
    const meterValue = [{ timestamp, sampledValue: [{ value, context }] }]
    return eventOf(eventType, seqNo, { timestamp, triggerReason, transactionInfo, meterValue })
  }
  const begin = event('Started', 'Authorized', 0, 5_000, 'Transaction.Begin')
  await station.ask('TransactionEvent', begin)
  const end = event('Ended', 'EVCommunicationLost', 1, 5_000 + wattHours, 'Transaction.End')
  const answer = await station.ask('TransactionEvent', end)
  await station.close()
  return answer
}

it('COST-CO2, TC_I_02: the driver reads the amount that the session shows, not fractions of a cent', async () => {
  expect(await charge('FRACTIONS', 1_234, 'EVDisconnected')).toEqual({ totalCost: 1.41 })
  expect(await house.sessions('FRACTIONS')).toMatchObject([{ energyKwh: 1.234, cost: 1.41 }])
})

it('OCPP-DR12, I03.FR.04, TC_E_39: a transaction that came to nothing is told to cost nothing; no amount would mean not free', async () => {
  expect(await charge('NOTHING', 0, 'Timeout')).toEqual({ totalCost: 0 })
  expect(await house.sessions('NOTHING')).toMatchObject([{ state: 'failed' }])
})
