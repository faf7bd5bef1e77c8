/**
 * The energy of one transaction, from whatever its charge point reports. A meter is an immutable record; adding samples
 * in any order, in any portions and however often gives the same figures, as long as a sample is not older than the
 * `WINDOW_LENGTH` newer ones that were seen before it: then it is too late for the running figure and is left out, unless
 * it says where the register began.
 */

import type { Flag, Sample } from '../model.ts'
import type { Place } from '../place.ts'
import { addInterval, intervalEnergy, intervalsSince } from './interval.ts'
import { addPower, powerEnergy } from './power.ts'
import { advance, beganBy, newWalk, withBaseline } from './register.ts'
import { type Reading, readSample } from './sample.ts'
import { type MeterState, registerSince, walkRegister, walkSettings } from './state.ts'
import { byValue, type Entry, entryOf, insert, UNNAMED, WINDOW_LENGTH } from './window.ts'

export { finalEnergy } from './final.ts'
export type { MeterState } from './state.ts'

/** Several places may each have a first or last word; more are repetitions. */
const WORDS_KEPT = 4

/**
 * @param start `registerMilliWh`: the start's own register (1.6 meterStart); `at`: its time in milliseconds;
 * `relativeHint`: this charge point's samples counted from the start of the session before (N3).
 */
export function newMeter(start: {
  readonly registerMilliWh?: number | undefined
  readonly relativeHint?: boolean
  readonly at?: number
}): MeterState {
  return {
    startMilliWh: start.registerMilliWh,
    startAt: start.at,
    relativeHint: start.relativeHint || undefined,
    maxPowerW: undefined,
    begin: [],
    end: [],
    register: [],
    folded: undefined,
    intervals: { entries: [] },
    power: { entries: [] },
  }
}

/**
 * Adds the samples of a MeterValues, transactionData or TransactionEvent.
 * @param where `maxPowerW`: the connector's most, 1 MW when unknown. `connectorId`, `evseId`: 0 is the station itself.
 * `unnamed`: the message did not say that they are this transaction's.
 * @returns the same meter object when nothing was new, and what is odd about the meter so far.
 */
export function addSamples(
  meter: MeterState,
  samples: readonly Sample[],
  where: Place & { readonly maxPowerW?: number; readonly unnamed?: boolean },
): { meter: MeterState; flags: readonly Flag[] } {
  const { maxPowerW = 0, unnamed = false } = where
  let next = maxPowerW > (meter.maxPowerW ?? 0) ? { ...meter, maxPowerW } : meter
  let badClock = false
  for (const sample of inOrder(samples)) {
    const reading = readSample(sample, where)
    if (!reading) continue
    badClock ||= sample.at.repaired === true
    next = addReading(next, reading, unnamed)
  }
  const flags: Flag[] = walkRegister(next).anomaly ? ['meterAnomaly'] : []
  if (badClock) flags.push('badClock')
  return { meter: next, flags }
}

/** Some stations list the newest first; a long list of those would push the older ones out of the window unseen. */
function inOrder(samples: readonly Sample[]): readonly Sample[] {
  let last = Number.NEGATIVE_INFINITY
  for (const { at } of samples) {
    if (at.occurredAt < last) return samples.toSorted((a, b) => a.at.occurredAt - b.at.occurredAt)
    last = at.occurredAt
  }
  return samples
}

/**
 * Never negative, and later samples never lower it. A better source (register, else intervals, else power) takes over
 * from its first sample; what a poorer one had counted until then remains the least.
 */
export function runningEnergy(meter: MeterState): {
  energyMilliWh: number
  estimated: boolean
  flags: readonly Flag[]
} {
  const walk = walkRegister(meter)
  const measured = Math.max(walk.peak, intervalEnergy(meter.intervals))
  const estimate = powerEnergy(meter.power, meter.maxPowerW)
  const estimated = estimate > measured
  const flags: Flag[] = walk.anomaly ? ['meterAnomaly'] : []
  if (estimated) flags.push('estimated')
  return { energyMilliWh: Math.max(measured, estimate), estimated, flags }
}

/** Time of the newest sample that counted towards the energy; an implausible one that is held back did not. */
export function lastSampleAt(meter: MeterState): number | undefined {
  const walk = walkRegister(meter)
  if (walk.count > 0) return Math.max(walk.at, walk.since)
  const newest = [meter.intervals.entries, meter.power.entries, meter.begin].map((entries) => entries.at(-1)?.[0])
  return newest.find((at) => at !== undefined)
}

function addReading(meter: MeterState, reading: Reading, unnamed: boolean): MeterState {
  const { intervals, power, maxPowerW } = meter
  const since = registerSince(meter)
  switch (reading.quantity) {
    case 'register':
      return addRegister(meter, reading, unnamed)
    case 'interval': {
      const added = reading.at > since ? intervals : addInterval(intervals, reading)
      return added === intervals ? meter : dropSuperseded({ ...meter, intervals: added })
    }
    case 'power': {
      const late = reading.at > Math.min(since, intervalsSince(intervals))
      const added = late ? power : addPower(power, reading, maxPowerW)
      return added === power ? meter : { ...meter, power: added }
    }
  }
}

function addRegister(meter: MeterState, reading: Reading, unnamed: boolean): MeterState {
  const isWord = reading.moment === 'begin' || reading.moment === 'end'
  const entry = entryOf(reading, unnamed && !isWord ? reading.place + UNNAMED : reading.place)
  if (reading.moment === 'begin') {
    const begin = insert(meter.begin, entry, byValue).slice(0, WORDS_KEPT)
    return relearn({ ...meter, begin })
  }
  if (reading.moment === 'end') {
    const end = insert(meter.end, entry, byValue).slice(-WORDS_KEPT)
    return dropSuperseded({ ...meter, end })
  }
  if (meter.folded && byValue(entry, meter.folded.last) <= 0) return beginEarlier(meter, entry)
  const register = insert(meter.register, entry, byValue)
  return register === meter.register ? meter : dropSuperseded(fold({ ...meter, register }))
}

/** The oldest sample leaves the window and lives on in the walk. */
function fold(meter: MeterState): MeterState {
  const [oldest] = meter.register
  if (meter.register.length <= WINDOW_LENGTH || !oldest) return meter
  const walk = meter.folded ? { ...meter.folded.walk } : newWalk()
  advance(walk, oldest, walkSettings(meter))
  return { ...meter, register: meter.register.slice(1), folded: { last: oldest, walk } }
}

/**
 * Too late to be walked, but from before everything that was: a queue of hours came after what was newer than it. The
 * register stood there when the session began, as far as is known.
 */
function beginEarlier(meter: MeterState, entry: Entry): MeterState {
  if (!meter.folded) return meter
  const { last, walk } = meter.folded
  const earlier = beganBy(walk, entry, walkSettings(meter))
  return earlier === walk ? meter : dropSuperseded({ ...meter, folded: { last, walk: earlier } })
}

/** A new baseline: the folded walk learns it once; the window is walked anew anyway. */
function relearn(meter: MeterState): MeterState {
  if (!meter.folded) return meter
  return { ...meter, folded: { ...meter.folded, walk: withBaseline(meter.folded.walk, walkSettings(meter)) } }
}

/** What poorer sources said after a better one spoke is never asked for. */
function dropSuperseded(meter: MeterState): MeterState {
  const since = registerSince(meter)
  const intervals = until(meter.intervals, since)
  const power = until(meter.power, Math.min(since, intervalsSince(intervals)))
  return intervals === meter.intervals && power === meter.power ? meter : { ...meter, intervals, power }
}

function until<T extends { readonly entries: readonly Entry[] }>(source: T, at: number): T {
  const newest = source.entries.at(-1)
  if (!newest || newest[0] <= at) return source
  return { ...source, entries: source.entries.filter((entry) => entry[0] <= at) }
}
