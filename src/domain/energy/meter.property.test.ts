import fc from 'fast-check'
import { expect, it } from 'vitest'
import { sampleOf } from '../../../test/support/domain/energy/testing.ts'
import { forAll, forRuns } from '../../../test/support/property.ts'
import type { Sample } from '../ports/sessions.ts'
import { addSamples, finalEnergy, lastSampleAt, type MeterState, newMeter, runningEnergy } from './meter.ts'

const wattHours = fc.oneof(
  fc.integer({ min: 0, max: 1e12 }),
  fc.integer({ min: 0, max: 2000 }),
  fc.integer({ min: 49_900, max: 52_000 }),
  fc.integer({ min: 999_000, max: 1_000_000 }),
  fc.constant(0),
)
const rest = fc.record(
  {
    measurand: fc.constantFrom('Energy.Active.Import.Interval', 'Power.Active.Import', 'Energy.Active.Net'),
    context: fc.constantFrom('Sample.Clock', 'Trigger', 'Transaction.Begin', 'Transaction.End', 'odd'),
    location: fc.constantFrom('EV', 'Inlet', 'Body'),
    phase: fc.constantFrom('L1', 'L2', 'L3', 'N'),
    multiplier: fc.constantFrom(3, -3),
  },
  { requiredKeys: [] },
)
const sample = fc
  .tuple(
    fc.integer({ min: 0, max: 40 }),
    fc.oneof({ weight: 9, arbitrary: wattHours.map(String) }, fc.constantFrom('', 'NaN', 'OCMF|{}|{}', '-1')),
    fc.oneof({ weight: 2, arbitrary: fc.constant({}) }, rest),
  )
  .map(([step, value, members]) => {
    const made = sampleOf(step * 60, value, members)
    return made.measurand === 'Power.Active.Import' ? { ...made, unit: 'W' } : made
  })
const start = fc.option(wattHours, { nil: undefined })

function figures(meter: MeterState, stopWh: number | undefined) {
  const running = runningEnergy(meter)
  const final = finalEnergy(meter, stopWh === undefined ? {} : { registerMilliWh: stopWh * 1000 })
  return { running, final, at: lastSampleAt(meter) }
}

function meterOf(startWh: number | undefined, portions: readonly (readonly Sample[])[]): MeterState {
  const meter = newMeter(startWh === undefined ? {} : { registerMilliWh: startWh * 1000 })
  return portions.reduce((before, portion) => addSamples(before, portion, {}).meter, meter)
}

it('ENERGY-N3, SESSION-B4: any order and duplication of the same numbered messages gives the same figures', () => {
  const reordered = fc.array(fc.array(sample, { maxLength: 3 }), { maxLength: 16 }).chain((messages) => {
    const twice = [...messages.entries(), ...messages.entries()]
    return fc.tuple(fc.constant([...messages.entries()]), fc.shuffledSubarray(twice, { minLength: twice.length }))
  })
  const add = (meter: MeterState, [number, all]: readonly [number, readonly Sample[]]) =>
    addSamples(meter, all, { order: number + 1 }).meter
  forRuns(1000)(reordered, start, start, ([messages, twice], startWh, stopWh) => {
    const empty = meterOf(startWh, [])
    expect(figures(twice.reduce(add, empty), stopWh)).toEqual(figures(messages.reduce(add, empty), stopWh))
  })
})

it('ENERGY-N4: energy is a non-negative exact integer, whatever comes', () => {
  forAll(fc.array(sample, { maxLength: 120 }), start, start, fc.boolean(), (all, startWh, stopWh, hint) => {
    const meter = newMeter({ ...(startWh !== undefined && { registerMilliWh: startWh * 1000 }), relativeHint: hint })
    const { running, final } = figures(addSamples(meter, all, {}).meter, stopWh)
    for (const { energyMilliWh } of [running, final]) {
      expect(Number.isSafeInteger(energyMilliWh)).toBe(true)
      expect(energyMilliWh).toBeGreaterThanOrEqual(0)
    }
  })
})

it('ENERGY-N3, HOOK-M6: later samples never lower the running energy', () => {
  const ordered = fc
    .array(
      sample.filter(({ context }) => !context.startsWith('Transaction.')),
      { maxLength: 100 },
    )
    .map((all) => all.map((item, index) => ({ ...item, at: sampleOf(index * 60, 0).at })))
  forRuns(500)(ordered, start, (all, startWh) => {
    let meter = meterOf(startWh, [])
    let least = 0
    for (const next of all) {
      meter = addSamples(meter, [next], {}).meter
      const { energyMilliWh } = runningEnergy(meter)
      expect(energyMilliWh).toBeGreaterThanOrEqual(least)
      least = energyMilliWh
    }
  })
})

it('ENERGY-N3, SESSION-B4: without any baseline a register that grows counts from its first sample to its last, however late each comes', () => {
  const deltas = fc.array(fc.nat(5000), { minLength: 50, maxLength: 120 })
  const arrival = deltas.chain((steps) => {
    let register = 1000
    const all = steps.map((delta, index) => {
      register += delta
      return sampleOf(60 * index, register)
    })
    return fc.tuple(
      fc.constant(steps.slice(1).reduce((sum, delta) => sum + delta, 0)),
      fc.shuffledSubarray([...all, ...all], { minLength: 2 * all.length }),
    )
  })
  forRuns(300)(arrival, ([wattHours, all]) => {
    const { running, final } = figures(meterOf(undefined, chunks(all, 1)), undefined)
    expect(running.energyMilliWh).toBe(wattHours * 1000)
    expect(final).toMatchObject({ energyMilliWh: wattHours * 1000, estimated: false })
  })
})

it('ENERGY-N4: with a sane register the final energy is meterStop - meterStart', () => {
  const deltas = fc.array(fc.integer({ min: 0, max: 5000 }), { maxLength: 100 })
  forAll(fc.integer({ min: 0, max: 1e9 }), deltas, fc.integer({ min: 0, max: 5000 }), (startWh, steps, last) => {
    let register = startWh
    const all = steps.map((delta, index) => {
      register += delta
      return sampleOf(60 * index, register)
    })
    const stopWh = register + last
    const { running, final } = figures(meterOf(startWh, chunks(all, 3)), stopWh)
    expect(running.energyMilliWh).toBe((register - startWh) * 1000)
    expect(final).toMatchObject({ energyMilliWh: (stopWh - startWh) * 1000, estimated: false, flags: [] })
  })
})

function chunks(all: readonly Sample[], size: number): readonly (readonly Sample[])[] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, n) => all.slice(n * size, (n + 1) * size))
}
