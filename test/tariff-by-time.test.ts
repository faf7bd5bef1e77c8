/** A real charge point, charged by a tariff with elements: from the socket to the session's periods. */
import { afterAll, expect, it } from 'vitest'
import { type Json, openHouse } from './house.ts'
import { booted16 } from './station.ts'

const house = await openHouse()
const station = await booted16(house.ocppUrl, 'CP-1')
afterAll(async () => {
  await station.close()
  await house.close()
})

const ZERO = Math.floor(Date.now() / 60_000) * 60_000
const at = (minutes: number): string => new Date(ZERO + minutes * 60_000).toISOString()
const clock = (minutes: number): string => at(minutes).slice(11, 16)

const sample = (transactionId: unknown, minutes: number, wattHours: number) =>
  station.ask('MeterValues', {
    connectorId: 1,
    transactionId,
    meterValue: [{ timestamp: at(minutes), sampledValue: [{ value: String(wattHours) }] }],
  })
const says = (status: string, minutes: number) =>
  station.ask('StatusNotification', { connectorId: 1, status, errorCode: 'NoError', timestamp: at(minutes) })

async function session(): Promise<Json> {
  const { body } = await house.request('GET', '/2/sessions?include=details')
  return (body.data as readonly Json[])[0] ?? {}
}

it('TARIFF-A1, TARIFF-A2, TARIFF-A4: prices change in mid-charge, a pause of the EVSE is charging, then it parks', async () => {
  const energy = (price: number, more: Json) => ({
    priceComponents: [{ type: 'ENERGY', price, vat: 20 }],
    restrictions: more,
  })
  const parking = {
    priceComponents: [
      { type: 'FLAT', price: 1 },
      { type: 'PARKING_TIME', price: 6, stepSize: 300 },
    ],
  }
  const elements = [energy(0.3, { startTime: clock(20), endTime: clock(300) }), energy(0.5, {}), parking]
  const made = await house.request('POST', '/2/tariffs', { currency: 'EUR', elements })
  expect([made.status, made.body.default]).toEqual([201, true])

  const begin = { connectorId: 1, idTag: 'C', meterStart: 0, timestamp: at(0) }
  const { transactionId } = await station.ask('StartTransaction', begin)
  await says('Charging', 0)
  await sample(transactionId, 10, 5000)
  expect(await session()).toMatchObject({ cost: 3.5, currency: 'EUR' })
  await says('SuspendedEVSE', 10)
  await sample(transactionId, 15, 5000)
  await says('Charging', 15)
  await sample(transactionId, 25, 15_000)
  await says('SuspendedEV', 25)
  await sample(transactionId, 32, 15_000)
  await station.ask('StopTransaction', { transactionId, meterStop: 15_000, timestamp: at(32) })

  const { cost, details } = await session()
  // 10 kWh before, 5 after the change, 7 minutes of parking in steps of five, and the start.
  expect(cost).toBe(5 + 1.5 + 1 + 1)
  const periods = (details as Json).chargingPeriods as readonly {
    readonly cost: number
    readonly dimensions: readonly Json[]
  }[]
  expect(periods.map((one) => one.cost)).toEqual([6, 1.5, 1])
  expect(periods.map((one) => one.dimensions.map(({ type }) => type))).toEqual([
    ['ENERGY', 'TIME'],
    ['ENERGY', 'TIME'],
    ['PARKING_TIME'],
  ])
  expect((details as Json).costInclVat).toBe(9.8)

  const tariff = await house.request('PUT', `/2/tariffs/${made.body.id}`, { currency: 'EUR', perKwh: 9 })
  expect(tariff.status).toBe(200)
  expect((await session()).cost).toBe(8.5)
})
