/**
 * Charges whose meter, queue or clock behaves as in the field: what the API shows is what was delivered (ENERGY-N3,
 * ENERGY-N4).
 */
import { expect, it } from 'vitest'
import { houseOfFile, type Json } from './house.ts'
import { booted16, type Station } from './station.ts'

const house = await houseOfFile()

const minute = (number: number): string => new Date(HOURS_AGO + number * 60_000).toISOString()
const HOURS_AGO = Math.floor(Date.now() / 60_000) * 60_000 - 6 * 3_600_000

async function start16(station: Station, meterStart = 0): Promise<number> {
  const start = { connectorId: 1, idTag: 'CARD', meterStart, timestamp: minute(0) }
  const { transactionId } = await station.ask('StartTransaction', start)
  return Number(transactionId)
}

const values16 = (station: Station, transactionId: number, at: number, value: number) => {
  const meterValue = [{ timestamp: minute(at), sampledValue: [{ value: String(value), unit: 'Wh' }] }]
  return station.ask('MeterValues', { connectorId: 1, transactionId, meterValue })
}

async function shown(chargePointId: string): Promise<Json> {
  const sessions = await house.sessions(chargePointId)
  expect(sessions).toHaveLength(1)
  return sessions[0] ?? {}
}

it('ENERGY-N3: 1.6: a charge whose clock was set back showed more than was delivered', async () => {
  const station = await booted16(house.ocppUrl, 'SET-BACK-16')
  const transactionId = await start16(station)
  for (let count = 1; count <= 40; count++) {
    const at = count <= 20 ? count : count - 15
    await values16(station, transactionId, at, 70 * count)
    expect(await shown('SET-BACK-16')).toMatchObject({ energyKwh: (70 * count) / 1000 })
  }
  await station.ask('StopTransaction', { transactionId, meterStop: 2900, timestamp: minute(26) })
  expect(await shown('SET-BACK-16')).toMatchObject({ state: 'completed', energyKwh: 2.9 })
})
