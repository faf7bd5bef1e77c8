import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { advance, type Charge, COMPACT_CAR, powerAt, readingOf, timeToDeliver } from './meter.ts'

const empty: Charge = { registerWh: 1_000_000, socPercent: 20, flowingSeconds: 0 }
const LIMIT_W = 22_000

it.each([
  ['nothing before the ramp', { ...empty, flowingSeconds: 0 }, LIMIT_W, 0],
  ['half way up the ramp', { ...empty, flowingSeconds: 10 }, LIMIT_W, 5_500],
  ['full power after it', { ...empty, flowingSeconds: 60 }, LIMIT_W, 11_000],
  ['never above the station’s limit', { ...empty, flowingSeconds: 60 }, 7_400, 7_400],
  ['tapered half way to full', { ...empty, socPercent: 90, flowingSeconds: 60 }, LIMIT_W, 5_940],
  ['nothing into a full battery', { ...empty, socPercent: 100, flowingSeconds: 60 }, LIMIT_W, 0],
])('the power a car draws is %s, as near as the grid keeps to 230 V', (_name, charge, limit, expected) => {
  expect(Math.abs(powerAt(COMPACT_CAR, limit, charge) - expected)).toBeLessThan(5)
})

describe('the meter', () => {
  const charges = fc.record({
    registerWh: fc.double({ min: 0, max: 1e9, noNaN: true }),
    socPercent: fc.double({ min: 0, max: 100, noNaN: true }),
    flowingSeconds: fc.double({ min: 0, max: 1e6, noNaN: true }),
  })

  it('has a register that never falls, whatever spans of time pass', () => {
    fc.assert(
      fc.property(charges, fc.array(fc.double({ min: -1e4, max: 1e5 }), { maxLength: 20 }), (start, spans) => {
        let charge = start
        for (const span of spans) {
          const after = advance(COMPACT_CAR, LIMIT_W, charge, span)
          expect(after.registerWh).toBeGreaterThanOrEqual(charge.registerWh)
          expect(after.socPercent).toBeGreaterThanOrEqual(charge.socPercent)
          expect(after.socPercent).toBeLessThanOrEqual(100)
          charge = after
        }
      }),
      { numRuns: 50 },
    )
  })

  it('counts about full power once the ramp is over', () => {
    const afterHour = advance(COMPACT_CAR, LIMIT_W, empty, 3600)
    expect(afterHour.registerWh - empty.registerWh).toBeGreaterThan(10_900)
    expect(afterHour.registerWh - empty.registerWh).toBeLessThanOrEqual(11_005)
  })

  it('stops counting when the battery is full', () => {
    const full = advance(COMPACT_CAR, LIMIT_W, empty, 48 * 3600)
    expect(full.socPercent).toBeGreaterThan(99.9)
    const roomWh = 0.8 * COMPACT_CAR.batteryCapacityWh
    expect(full.registerWh - empty.registerWh).toBeLessThanOrEqual(roomWh / 0.92 + 1)
  })

  it('knows how long an amount of energy takes', () => {
    const desired = timeToDeliver(COMPACT_CAR, LIMIT_W, empty, 7_000)
    const delivered = advance(COMPACT_CAR, LIMIT_W, empty, desired.seconds).registerWh - empty.registerWh
    expect(delivered).toBeCloseTo(desired.energyWh, 0)
    expect(Math.abs(delivered - 7_000)).toBeLessThan(50)
  })

  it('ends the search at a full battery', () => {
    expect(timeToDeliver(COMPACT_CAR, LIMIT_W, { ...empty, socPercent: 99 }, 50_000).energyWh).toBeLessThan(1_000)
  })
})

describe('a reading', () => {
  it('SIM-A16: a limit of 6 A is 6 A on each phase, whatever the grid’s voltage is', () => {
    for (const flowingSeconds of [60, 100, 200, 333]) {
      const reading = readingOf(COMPACT_CAR, 6 * 3 * 230, { ...empty, flowingSeconds }, true)
      for (const ampere of reading.currentA) expect(ampere).toBeCloseTo(6, 9)
    }
  })

  it('splits the power over three phases near 230 V', () => {
    const reading = readingOf(COMPACT_CAR, LIMIT_W, { ...empty, flowingSeconds: 100 }, true)
    const power = reading.voltageV.reduce((sum, volt, phase) => sum + volt * (reading.currentA[phase] ?? 0), 0)
    expect(power).toBeCloseTo(reading.powerW, 3)
    for (const volt of reading.voltageV) expect(Math.abs(volt - 230)).toBeLessThan(2)
  })

  it('uses one phase for a one-phase car', () => {
    const reading = readingOf(
      { ...COMPACT_CAR, phases: 1, maxPowerW: 3_700 },
      LIMIT_W,
      { ...empty, flowingSeconds: 100 },
      true,
    )
    expect(reading.currentA[0]).toBeGreaterThan(15)
    expect(reading.currentA.slice(1)).toEqual([0, 0])
  })

  it('shows no power while the contactor is open', () => {
    expect(readingOf(COMPACT_CAR, LIMIT_W, { ...empty, flowingSeconds: 100 }, false)).toMatchObject({
      powerW: 0,
      currentA: [0, 0, 0],
      registerWh: empty.registerWh,
    })
  })
})
