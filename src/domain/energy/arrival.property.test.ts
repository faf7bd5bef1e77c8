/**
 * A charge's messages in whatever order, as often as they like: the energy is what the charge, told once and in order,
 * gives.
 */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { sampleOf } from '../../../test/support/domain/energy/testing.ts'
import { forRuns } from '../../../test/support/property.ts'
import type { Sample } from '../ports/sessions.ts'
import { addSamples, finalEnergy, type MeterState, newMeter, runningEnergy } from './meter.ts'

interface Step {
  readonly seconds: number
  readonly wattHours: number
  readonly restarts: boolean
  /** By how much its time is before that of the step before; 0: it is not. */
  readonly setBackSeconds: number
}

const REGISTER = 'a register'
const INTERVALS = 'intervals'
const POWER = 'power'

function stepsOf(options: { readonly restarts?: boolean; readonly setBack?: boolean; readonly most?: number } = {}) {
  const rarely = fc.integer({ min: 0, max: 9 }).map((n) => n === 0)
  const step = fc.record({
    seconds: fc.integer({ min: 1, max: 900 }),
    wattHours: fc.nat(3000),
    restarts: options.restarts ? rarely : fc.constant(false),
    setBackSeconds: options.setBack
      ? fc.tuple(rarely, fc.integer({ min: 1, max: 7200 })).map(([is, seconds]) => (is ? seconds : 0))
      : fc.constant(0),
  })
  return fc.array(step, { minLength: 1, maxLength: options.most ?? 60 })
}

/** One message per step, and what the charge delivered. */
function chargeOf(kind: string, steps: readonly Step[]): { readonly messages: Sample[][]; readonly wattHours: number } {
  let clock = 100_000
  let register = 5000
  let wattHours = 0
  const messages = steps.map((step) => {
    if (step.restarts) register = 0
    register += step.wattHours
    wattHours += step.wattHours
    clock += step.setBackSeconds > 0 ? -step.setBackSeconds : step.seconds
    return [sampleFor(kind, clock, step.wattHours, register)]
  })
  return { messages, wattHours }
}

function sampleFor(kind: string, seconds: number, wattHours: number, register: number): Sample {
  if (kind === REGISTER) return sampleOf(seconds, register)
  if (kind === INTERVALS) return sampleOf(seconds, wattHours, { measurand: 'Energy.Active.Import.Interval' })
  return sampleOf(seconds, wattHours, { measurand: 'Power.Active.Import', unit: 'W' })
}

type Message = readonly [number: number, samples: readonly Sample[]]

function meterOf(messages: readonly Message[], numbered: boolean, startWh?: number): MeterState {
  let meter = newMeter(startWh === undefined ? {} : { registerMilliWh: startWh * 1000 })
  // As it is stored and read back.
  const stored = (): MeterState => JSON.parse(JSON.stringify(meter)) as MeterState
  for (const [number, samples] of messages) {
    meter = addSamples(stored(), samples, numbered ? { order: number + 1 } : {}).meter
  }
  return meter
}

function figures(meter: MeterState) {
  const { flags: _, ...running } = runningEnergy(meter)
  const { energyMilliWh, estimated } = finalEnergy(meter, {})
  return { running, final: { energyMilliWh, estimated } }
}

const arrivals = <T>(messages: readonly T[]) => {
  const twice = [...messages.entries(), ...messages.entries()]
  return fc.shuffledSubarray(twice, { minLength: messages.length }).map((some) => [...some, ...messages.entries()])
}

it.each([REGISTER, INTERVALS, POWER])('ENERGY-N3, SESSION-B4: numbered, %s gives what order gives', (kind) => {
  const charge = stepsOf({ restarts: true, setBack: true }).chain((steps) => {
    const { messages } = chargeOf(kind, steps)
    return fc.tuple(fc.constant(messages), arrivals(messages))
  })
  forRuns(200)(charge, ([messages, arrived]) => {
    expect(figures(meterOf(arrived, true))).toEqual(figures(meterOf([...messages.entries()], true)))
  })
})

it.each([
  [REGISTER, true],
  [REGISTER, false],
  [INTERVALS, true],
])('ENERGY-N3: %s with a clock set back is what was delivered, numbered: %s', (kind, numbered) => {
  const setBack = stepsOf({ setBack: true, most: 200 })
  forRuns(200)(setBack, fc.array(fc.nat(3)), (steps, repeats) => {
    const { messages, wattHours } = chargeOf(kind, steps)
    // A station tries its oldest message again until it is answered.
    const arrived = [...messages.entries()].flatMap((message, n) =>
      Array.from({ length: 1 + (repeats[n] ?? 0) }, () => message),
    )
    const meter = meterOf(arrived, numbered, kind === REGISTER ? 5000 : undefined)
    expect(runningEnergy(meter).energyMilliWh).toBe(wattHours * 1000)
    expect(finalEnergy(meter, {}).energyMilliWh).toBe(wattHours * 1000)
  })
})

it('ENERGY-N3: power with a clock set back is integrated on both sides of it', () => {
  forRuns(200)(stepsOf({ setBack: true }), (steps) => {
    const { messages } = chargeOf(POWER, steps)
    let expected = 0
    for (const [n, [sample]] of messages.entries()) {
      const before = messages[n - 1]?.[0]
      if (!before || !sample || sample.at.occurredAt <= before.at.occurredAt) continue
      const mean = (Number(before.value) + Number(sample.value)) / 2
      expected += (1000 * mean * (sample.at.occurredAt - before.at.occurredAt)) / 3_600_000
    }
    const { running } = figures(meterOf([...messages.entries()], true))
    expect(Math.abs(running.energyMilliWh - expected)).toBeLessThanOrEqual(1)
  })
})

it.each([REGISTER, INTERVALS, POWER])('ENERGY-N3: unnumbered ones with %s give what they give by the clock', (kind) => {
  const charge = stepsOf({ most: 150 }).chain((steps) => {
    const { messages } = chargeOf(kind, steps)
    return fc.tuple(fc.constant(messages), arrivals(messages))
  })
  forRuns(200)(charge, ([messages, arrived]) => {
    const start = kind === REGISTER ? 5000 : undefined
    const expected = figures(meterOf([...messages.entries()], false, start))
    expect(figures(meterOf(arrived, false, start))).toEqual(expected)
  })
})

it.each([INTERVALS, POWER])('ENERGY-N3: ten thousand with %s, in any order, are all counted once', (kind) => {
  const steps = Array.from({ length: 10_000 }, (_, n) => ({
    seconds: 60 + (n % 3),
    wattHours: 1 + (n % 50),
    restarts: false,
    setBackSeconds: 0,
  }))
  const { messages, wattHours } = chargeOf(kind, steps)
  const expected = meterOf([...messages.entries()].slice(0, 0), false)
  const inOrder = messages.reduce((meter, samples) => addSamples(meter, samples, {}).meter, expected)
  if (kind === INTERVALS) expect(runningEnergy(inOrder).energyMilliWh).toBe(wattHours * 1000)
  forRuns(2)(fc.shuffledSubarray(messages, { minLength: messages.length }), (shuffled) => {
    const all = [...shuffled, ...shuffled.slice(0, 100)]
    const meter = all.reduce((known, samples) => addSamples(known, samples, {}).meter, expected)
    expect(figures(meter)).toEqual(figures(inOrder))
  })
})
