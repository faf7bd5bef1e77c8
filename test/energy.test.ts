/**
 * Charges whose meter, queue or clock behaves as in the field: what the API shows is what was delivered (ENERGY-N3,
 * ENERGY-N4).
 */
import { afterAll, expect, it } from 'vitest'
import { type Json, openHouse } from './house.ts'
import { booted16, booted201, eventOf, type Station } from './station.ts'

const house = await openHouse()
afterAll(() => house.closeClean())

const minute = (number: number): string => new Date(HOURS_AGO + number * 60_000).toISOString()
const HOURS_AGO = Math.floor(Date.now() / 60_000) * 60_000 - 6 * 3_600_000

const REGISTER = 'Energy.Active.Import.Register'
const INTERVAL = 'Energy.Active.Import.Interval'
const POWER = 'Power.Active.Import'

async function start16(station: Station, meterStart = 0): Promise<number> {
  const start = { connectorId: 1, idTag: 'CARD', meterStart, timestamp: minute(0) }
  const { transactionId } = await station.ask('StartTransaction', start)
  return Number(transactionId)
}

const sample16 = (at: number, value: number, measurand = REGISTER) => ({
  timestamp: minute(at),
  sampledValue: [{ value: String(value), measurand, unit: measurand === POWER ? 'W' : 'Wh' }],
})

const values16 = (station: Station, transactionId: number, at: number, value: number, measurand = REGISTER) =>
  station.ask('MeterValues', { connectorId: 1, transactionId, meterValue: [sample16(at, value, measurand)] })

const sample201 = (at: number, value: number, measurand = REGISTER) => ({
  timestamp: minute(at),
  sampledValue: [{ value, measurand }],
})

const event201 = (station: Station, eventType: string, seqNo: number, at: number, more: Json = {}) =>
  station.ask('TransactionEvent', eventOf(eventType, seqNo, { timestamp: minute(at), ...more }))

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
  await station.close()
})

it.each([REGISTER, INTERVAL])(
  'ENERGY-N3: 2.0.1: a charge whose clock was set back, metered by %s',
  async (measurand) => {
    const chargePointId = `SET-BACK-201-${measurand}`
    const station = await booted201(house.ocppUrl, chargePointId)
    const events = Array.from({ length: 59 }, (_, seqNo) => {
      const eventType = seqNo === 0 ? 'Started' : seqNo === 58 ? 'Ended' : 'Updated'
      const at = seqNo <= 40 ? seqNo : seqNo - 60
      const value = measurand === REGISTER ? 100 * seqNo : Math.min(seqNo, 1) * 100
      return () => event201(station, eventType, seqNo, at, { meterValue: [sample201(at, value, measurand)] })
    })
    // The first of them last but one, and each third one twice.
    const [first, ...later] = events
    const last = later.splice(-1)
    const arrived = later.flatMap((send, n) => (n % 3 === 0 ? [send, send] : [send]))
    for (const send of [...arrived.toReversed(), first, ...last]) await send?.()
    expect(await shown(chargePointId)).toMatchObject({ state: 'completed', energyKwh: 5.8 })
    await station.close()
  },
)
