/** Energy that cannot have flowed (ENERGY-N7). */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { forRuns } from '../../../../test/support/property.ts'
import { Driver, MINUTE, TARIFF, ZERO } from '../../../../test/support/sessions/driver.ts'
import { event, register, sampled, started, stopped } from '../../../../test/support/sessions/inputs.ts'
import { createEmission } from '../../events/emission.ts'
import type { Sample, Session } from '../../ports/sessions.ts'
import type { Input } from '../decision.ts'
import { sessionDetails } from './details.ts'

const KWH = 1_000_000
const watts = (minutes: number, power: number): Sample => ({
  ...register(minutes, power),
  measurand: 'Power.Active.Import',
  unit: 'W',
})

/** As the sessions end: billed and suspect kWh. */
const shown = (driver: Driver) => driver.sessions.map(({ energyMilliWh }) => energyMilliWh / KWH)
const suspects = (driver: Driver) => driver.sessions.map(({ suspectMilliWh }) => suspectMilliWh && suspectMilliWh / KWH)

function driverWith(options = {}, wiring?: { maxAmps: number; phases?: number }): Driver {
  const driver = new Driver({ idTokens: [{}], ...options })
  const connectors = [{ connectorId: 1, ...wiring }]
  if (wiring) {
    const put = { chargePointId: 'CP1', connectors, priority: undefined, updatedAt: ZERO }
    driver.records.apply([{ kind: 'wirings', put }])
  }
  return driver
}

function charge(
  driver: Driver,
  startWh: number,
  stopWh: number,
  minutes: number,
  samples: readonly Sample[] = [],
): Driver {
  driver.send(started(0, { registerMilliWh: startWh * 1000 }))
  for (const sample of samples) {
    driver.sendAt((sample.at.occurredAt - ZERO) / MINUTE, sampled('100', [sample]))
  }
  driver.sendAt(minutes, stopped(minutes, { transactionId: '100', registerMilliWh: stopWh * 1000 }))
  return driver
}

it.each([
  ['0, in an hour', 0, 60],
  ['0, in a day', 0, 24 * 60],
  ['0, in a second', 0, 1 / 60],
  ['-1', -1, 60],
  ['1000, in an hour', 1000, 60],
])('ENERGY-N7: a start of %s and the meter’s life as the stop were billed', (_, startWh, minutes) => {
  const driver = charge(driverWith(), startWh, 7_783_903, minutes)
  expect(shown(driver)).toEqual([0])
  expect(suspects(driver)).toEqual([(7_783_903 - startWh) / 1000])
  const details = sessionDetails(driver.session(), undefined, driver.now)
  expect(details.suspectEnergyKwh).toBe((7_783_903 - startWh) / 1000)
})

const lifetime = [5, 10, 15, 20].flatMap((minutes) => [
  watts(minutes, 11_000),
  register(minutes, 91_500 + 180 * minutes),
])

it.each([0, -1])('ENERGY-N7: a start of %i and a lifetime below 250 kWh billed 95.1 for 3.6', (startWh) => {
  const driver = charge(driverWith(), startWh, 95_100, 20, lifetime)
  expect(shown(driver)).toEqual([2.7])
  expect(suspects(driver)).toEqual([(95_100 - startWh) / 1000])
})

it('ENERGY-N7: while it runs the life of the meter stops no charge at its limit', () => {
  const driver = driverWith()
  driver.send(started(0, { registerMilliWh: 0 }))
  driver.sendAt(5, sampled('100', lifetime.slice(0, 2)))
  expect(shown(driver)).toEqual([0])
  for (const sample of lifetime.slice(2)) driver.sendAt(20, sampled('100', [sample]))
  expect(shown(driver)).toEqual([2.7])
})

it('ENERGY-N7: zeros of a register that is not read yet, and one held back above 100 kWh', () => {
  const zeros = [register(1, 0), register(2, 0)]
  const later = [5, 10, 15].flatMap((minutes) => [watts(minutes, 11_000), register(minutes, 150_000 + 180 * minutes)])
  const driver = charge(driverWith(), 0, 153_600, 20, [...zeros, ...later])
  expect(shown(driver)).toEqual([2.7])
  expect(suspects(driver)).toEqual([153.6])
})

it('ENERGY-N7: 2.0.1, with and without values between', () => {
  for (const between of [[], lifetime]) {
    const driver = new Driver({ idTokens: [{}] })
    const last = between.length > 0 ? 95_100 : 7_783_903
    driver.send(event(0, 0, 'started', { evseId: 1, samples: [register(0, 0, 'Transaction.Begin')] }))
    driver.sendAt(15, event(1, 15, 'updated', { samples: between }))
    driver.sendAt(20, event(2, 20, 'ended', { samples: [register(20, last, 'Transaction.End')] }))
    expect(shown(driver)).toEqual([between.length > 0 ? 2.7 : 0])
    expect(suspects(driver)).toEqual([last / 1000])
  }
})

it('ENERGY-N7: what the wiring says bounds a charge without values, and the power that was sampled is billed', () => {
  expect(shown(charge(driverWith({}, { maxAmps: 16 }), 0, 95_100, 20))).toEqual([0])
  expect(shown(charge(driverWith({}, { maxAmps: 125 }), 0, 95_100, 60))).toEqual([95.1])
  const sampledPower = charge(
    driverWith(),
    0,
    95_100,
    20,
    [0, 10, 20].map((minutes) => watts(minutes, 11_000)),
  )
  expect(shown(sampledPower)[0]).toBeCloseTo(3.667, 2)
  expect(suspects(sampledPower)).toEqual([95.1])
})

it('ENERGY-N7: a stop register far above the last sample', () => {
  const samples = [10, 20, 30].flatMap((minutes) => [watts(minutes, 11_000), register(minutes, 1000 + 180 * minutes)])
  const driver = charge(driverWith(), 1000, 61_000, 35, samples)
  expect(shown(driver)).toEqual([5.4])
  expect(suspects(driver)).toEqual([60])
})

it.each<[string, number, number, number, readonly Sample[]]>([
  ['that its car can take', 0, 75_000, 60, [watts(10, 150_000), register(10, 25_000), register(60, 75_000)]],
  ['of a night without values', 0, 80_000, 600, []],
  ['that comes faster than it flows', 0, 20_000, 1, [watts(0.3, 11_000), register(0.3, 6000), register(0.6, 12_000)]],
  ['of a truck', 5000, 505_000, 120, [watts(60, 350_000), register(60, 255_000)]],
  [
    'that the sun began and the network ended unseen',
    1000,
    21_000,
    130,
    [watts(5, 1400), register(5, 1100), watts(10, 1400), register(10, 1200)],
  ],
  ['whose first value comes late', 0, 34_000, 190, [watts(180, 11_000), register(180, 33_000), register(190, 34_000)]],
])('ENERGY-N7: a charge %s is believed', (_, startWh, stopWh, minutes, samples) => {
  const driver = charge(driverWith(), startWh, stopWh, minutes, samples)
  expect([shown(driver), suspects(driver)]).toEqual([[(stopWh - startWh) / 1000], [undefined]])
})

it('ENERGY-N7: a clock that was set back in mid-charge makes none suspect', () => {
  const driver = driverWith({}, { maxAmps: 16 })
  driver.send(started(0, { registerMilliWh: 0 }))
  const stop = stopped(10, { transactionId: '100', registerMilliWh: 30 * KWH })
  driver.sendAt(180, { ...stop, at: { ...stop.at, receivedAt: ZERO + 180 * MINUTE } })
  expect([shown(driver), suspects(driver)]).toEqual([[30], [undefined]])
})

it('ENERGY-N7, COST-L4: it is not settled by itself; the operator’s settlement ends the suspicion', () => {
  const driver = charge(driverWith({ automaticSettlement: true, tariff: TARIFF }), 0, 7_783_903, 60)
  driver.sendAt(61, { kind: 'tick' })
  expect(driver.session()).toMatchObject({ settlementCount: undefined, suspectMilliWh: 7_783_903_000 })
  driver.sendAt(62, { kind: 'settled', sessionId: driver.session().id, energyMilliWh: 8 * KWH, costMicros: 4_000_000 })
  expect(driver.session()).toMatchObject({ settlementCount: 1, suspectMilliWh: undefined, energyMilliWh: 8 * KWH })
})

it('ENERGY-N7, HOOK-W6: an event of its own follows the snapshot, once', () => {
  let ids = 0
  const { ofSession } = createEmission({ figuresIntervalMs: 0 }, () => `event-${++ids}`)
  const after: Session = charge(driverWith(), 0, 7_783_903, 60).session()
  const emitted = ofSession({ ...after, state: 'charging', suspectMilliWh: undefined }, after, ZERO, 7)
  const { suspect, event } = emitted
  expect(suspect?.type).toBe('session.suspect')
  expect(JSON.parse(suspect?.data ?? '')).toMatchObject({ energyKwh: 0, suspectEnergyKwh: 7783.903 })
  expect(suspect?.time).toBeGreaterThan(event?.time ?? Number.POSITIVE_INFINITY)
  expect(JSON.parse(event?.data ?? '')).not.toHaveProperty('suspectEnergyKwh')
  expect(ofSession(emitted.session, emitted.session, ZERO, 7).suspect).toBeUndefined()
})

it('ENERGY-N7: in whatever order, and however often its messages come', () => {
  const messages: readonly Input[] = lifetime.map((sample) => sampled('100', [sample]))
  const arrivals = fc
    .shuffledSubarray([...messages, ...messages], { minLength: 1 })
    .map((some) => [...some, ...messages])
  forRuns(100)(arrivals, fc.nat(12), (arrived, place) => {
    const driver = driverWith()
    driver.send(started(0, { registerMilliWh: 0 }))
    const stop = stopped(20, { transactionId: '100', registerMilliWh: 95_100_000 })
    for (const input of arrived.toSpliced(place, 0, stop)) driver.sendAt(20, input)
    expect([shown(driver), suspects(driver)]).toEqual([[2.7], [95.1]])
  })
})
