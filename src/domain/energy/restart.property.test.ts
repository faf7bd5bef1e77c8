/** A register that begins again in mid-charge, wherever: what its segments delivered is the energy (ENERGY-N4). */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { sampleOf } from '../../../test/support/domain/energy/testing.ts'
import { forRuns } from '../../../test/support/property.ts'
import type { Sample } from '../ports/sessions.ts'
import { addSamples, finalEnergy, type MeterState, newMeter, runningEnergy } from './meter.ts'
import { isZero, rolloverDelta, STEP_BACK } from './plausibility.ts'
import { MAX_POINTS } from './points.ts'

const WH = 1000

interface Charge {
  readonly startWh: number
  /** The register, sample by sample, at the end of each interval. */
  readonly registers: readonly number[]
  readonly stopWh: number
  /** The sum of the segments. */
  readonly wattHours: number
}

/**
 * Its samples and its stop, as `rises` say; it restarts where a sample, or the stop, may be told from a stray value.
 */
function chargeOf(startWh: number, rises: readonly number[], restarts: ReadonlySet<number>, last: number): Charge {
  const registers: number[] = []
  let register = startWh
  let wattHours = 0
  let settled = 0
  for (const [index, rise] of rises.entries()) {
    const restarted = index >= 2 && settled >= 2 && restarts.has(index) && isReset(register, rise)
    settled = restarted ? 0 : settled + 1
    register = restarted ? rise : register + rise
    wattHours += rise
    registers.push(register)
  }
  return { startWh, registers, stopWh: register + last, wattHours: wattHours + last }
}

/** After a restart less than the register had stood at flows until the next sample: else it may have come back. */
function chargesOf(most: number) {
  return fc
    .record({
      startWh: fc.oneof(fc.constant(0), fc.nat(50_000)),
      rises: fc.array(fc.oneof(fc.nat(3000), fc.nat(300)), { minLength: 3, maxLength: most, size: 'max' }),
      restarts: fc.array(fc.nat(most), { minLength: 3, maxLength: 40, size: 'max' }),
      last: fc.nat(30_000),
    })
    .map(({ startWh, rises, restarts, last }) => chargeOf(startWh, rises, new Set(restarts), last))
    .filter(isReported)
}

/** Up to here every sample is kept, so the order of arrival can never matter. */
const KEPT = MAX_POINTS - 2

function isReported({ startWh, registers, stopWh }: Charge): boolean {
  const course = [startWh, ...registers, stopWh]
  const highest = Math.max(...course.filter((value, index) => value > (course[index + 1] ?? value)), 0)
  if (highest === 0) return true
  const falls = course.flatMap((value, index) => ((course[index + 1] ?? value) < value ? [index] : []))
  // A register that wobbles comes back a little lower (ENERGY-N3): the zeros of 101, 0, 1, 91 say nothing.
  const comesBack = falls.some((index) => {
    const [before = 0, , ...rest] = course.slice(index)
    return (rest.find((value) => !isZero(value * WH)) ?? 0) >= before - STEP_BACK / WH
  })
  return !comesBack && stopWh < highest
}

/** A fall of fewer may as well be a last digit that flickers. */
const FEWEST_WH = 100

/** A fall to a tenth that is neither a rollover nor a mix-up of units. */
function isReset(from: number, to: number): boolean {
  const isOther = rolloverDelta(from * WH, to * WH, Number.POSITIVE_INFINITY) !== undefined || from - to > 90_000
  return to < from / 10 && from - to > FEWEST_WH && !isOther
}

type Message = readonly [number: number, samples: readonly Sample[]]

function messagesOf({ registers }: Charge): readonly Message[] {
  return registers.map((value, index) => [index, [sampleOf(60 * (index + 1), value)]] as const)
}

function meterOf(start: { registerMilliWh?: number }, messages: readonly Message[], numbered: boolean): MeterState {
  return messages.reduce(
    (meter, [number, samples]) => addSamples(meter, samples, numbered ? { order: number + 1 } : {}).meter,
    newMeter(start),
  )
}

it.each([true, false])('ENERGY-N4: ends in the sum of its segments, samples repeated; numbered: %s', (numbered) => {
  forRuns(100)(chargesOf(200), fc.array(fc.nat(2)), (charge, repeats) => {
    const arrived = messagesOf(charge).flatMap((message, n) => Array(1 + (repeats[n] ?? 0)).fill(message))
    const meter = meterOf({ registerMilliWh: charge.startWh * WH }, arrived, numbered)
    const { energyMilliWh } = finalEnergy(meter, { registerMilliWh: charge.stopWh * WH })
    expect(energyMilliWh).toBe(charge.wattHours * WH)
    expect(energyMilliWh).toBeGreaterThanOrEqual(runningEnergy(meter).energyMilliWh)
  })
})

it('ENERGY-N4, SESSION-B4: ends in the sum of its segments, in whatever order the numbered messages come', () => {
  const arrivals = chargesOf(KEPT).chain((charge) => {
    const begin = sampleOf(0, charge.startWh, { context: 'Transaction.Begin' })
    const end = sampleOf(60 * (charge.registers.length + 1), charge.stopWh, { context: 'Transaction.End' })
    const messages: readonly Message[] = [
      [0, [begin]],
      ...messagesOf(charge).map(([number, samples]) => [number + 1, samples] as const),
      [charge.registers.length + 1, [end]],
    ]
    const some = fc.shuffledSubarray([...messages, ...messages], { minLength: messages.length })
    return fc.tuple(
      fc.constant(charge),
      some.map((shuffled) => [...shuffled, ...messages]),
    )
  })
  forRuns(100)(arrivals, ([charge, arrived]) => {
    expect(finalEnergy(meterOf({}, arrived, true), {}).energyMilliWh).toBe(charge.wattHours * WH)
  })
})
