/** Samples that come in order take a shorter way, which must lead where the way for any order leads (ENERGY-N3). */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { sampleOf } from '../../../test/support/domain/energy/testing.ts'
import { forRuns } from '../../../test/support/property.ts'
import type { Sample } from '../ports/sessions.ts'
import { addSamples, finalEnergy, isNext, lastSampleAt, newMeter, runningEnergy, withNext, withPoint } from './meter.ts'
import { type MeterState, walkRegister } from './power.ts'
import { entryOf, UNNAMED } from './readings.ts'
import { readSample } from './sample.ts'

interface Message {
  readonly samples: readonly Sample[]
  readonly unnamed: boolean
  readonly order: number
}

const rarely = <T>(often: T, other: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 12, arbitrary: fc.constant(often) }, { weight: 1, arbitrary: other })
const step = fc.record({
  seconds: rarely(60, fc.oneof(fc.constant(0), fc.integer({ min: -7200, max: 7200 }))),
  wattHours: fc.oneof({ weight: 6, arbitrary: fc.nat(3000) }, fc.integer({ min: -40_000, max: 900_000 })),
  restarts: rarely(false, fc.constant(true)),
  unnamed: rarely(false, fc.constant(true)),
  order: rarely(1, fc.integer({ min: -3, max: 3 })),
  rest: rarely<Partial<Sample>>(
    {},
    fc.constantFrom(
      { phase: 'L1' },
      { phase: 'L2' },
      { location: 'Inlet' },
      { context: 'Transaction.Begin' },
      { context: 'Transaction.End' },
      { measurand: 'Energy.Active.Import.Interval' },
      { measurand: 'Power.Active.Import', unit: 'W' },
    ),
  ),
})

/** Mostly as a station sends them, one after the other, with all that may happen between. */
const charges = fc.array(step, { minLength: 1, maxLength: 120, size: 'max' }).map((steps) => {
  let clock = 100_000
  let register = 5000
  let order = 0
  return steps.map((one): Message => {
    clock += one.seconds
    order = Math.max(1, order + one.order)
    register = Math.max(0, (one.restarts ? 0 : register) + one.wattHours)
    return { samples: [sampleOf(clock, register, one.rest)], unnamed: one.unnamed, order }
  })
})

function figures(meter: MeterState) {
  return { running: runningEnergy(meter), final: finalEnergy(meter, {}), at: lastSampleAt(meter) }
}

it.each([true, false])('ENERGY-N3: is walked step by step as it is walked anew; numbered: %s', (numbered) => {
  forRuns(60)(charges, fc.option(fc.nat(9000), { nil: undefined }), (messages, startWh) => {
    const start = newMeter(startWh === undefined ? {} : { registerMilliWh: startWh * 1000 })
    let meter = start
    // As it is stored and read back: nothing is known of its walk.
    let stored = start
    for (const { samples, unnamed, order } of messages) {
      const where = numbered && !unnamed ? { order } : { unnamed }
      meter = addSamples(meter, samples, where).meter
      stored = JSON.parse(JSON.stringify(addSamples(stored, samples, where).meter))
      expect(walkRegister(meter)).toEqual(walkRegister(JSON.parse(JSON.stringify(stored))))
    }
    expect(JSON.parse(JSON.stringify(meter))).toEqual(stored)
    expect(figures(meter)).toEqual(figures(stored))
  })
})

it.each([true, false])('ENERGY-N3: keeps what the way for any order keeps; numbered: %s', (numbered) => {
  let count = 0
  forRuns(150)(charges, (messages) => {
    let meter = newMeter({ registerMilliWh: 5_000_000 })
    for (const { samples, unnamed, order } of messages) {
      const where = numbered && !unnamed ? { order } : { unnamed }
      const [sample] = samples
      const reading = sample && readSample(sample, {})
      if (reading?.quantity === 'register' && (reading.moment === 'other' || reading.moment === 'clock')) {
        const rank = reading.place + (unnamed ? UNNAMED : 0)
        const entry = entryOf(reading, rank, where.order ?? 0)
        if (isNext(meter, entry, where.order)) {
          count++
          expect(JSON.stringify(withNext({ ...meter }, entry))).toBe(
            JSON.stringify(withPoint(meter, entry, where.order)),
          )
        }
      }
      meter = addSamples(meter, samples, where).meter
    }
  })
  expect(count).toBeGreaterThan(1000)
})
