/**
 * The energy of one transaction, as an immutable record. Where the station numbers its messages, order, portions and
 * repetitions change no figure; else the clock orders them, as far as the register agrees (ENERGY-N3).
 */

import type { Flag, Sample } from '../ports/sessions.ts'
import type { Writable } from '../sessions/records.ts'
import {
  addInterval,
  intervalEnergy,
  intervalsSince,
  intervalsUntil,
  newestIntervalAt,
  newIntervals,
} from './interval.ts'
import { advance, beganBy, CLOCKS_APART_MS, newWalk, withBaseline } from './meter-register.ts'
import type { EvsePosition } from './place.ts'
import { arrivalOrder, FEWEST_POINTS, isRedundant, MAX_POINTS, thinned } from './points.ts'
import { impossibleLead } from './possible.ts'
import {
  addPower,
  type MeterState,
  newestPowerAt,
  newPower,
  powerEnergy,
  powerUntil,
  recounted,
  registerSince,
  walkOn,
  walkRegister,
  withCharge,
  withPower,
} from './power.ts'
import { byValue, DOUBTFUL, type Entry, entryOf, insert, isTotal, isUnnamed, phasesOf, UNNAMED } from './readings.ts'
import { type Reading, readSample } from './sample.ts'

export { type FinalEnergy, finalEnergy } from './final.ts'
export type { MeterState } from './power.ts'

/**
 * @param start `registerMilliWh`: 1.6 meterStart; `at`: its time, ms; `relativeHint`: samples counted from 0 before.
 */
export function newMeter(start: {
  readonly registerMilliWh?: number | undefined
  readonly relativeHint?: boolean | undefined
  readonly at?: number | undefined
  readonly maxPowerW?: number | undefined
}): MeterState {
  return {
    startMilliWh: start.registerMilliWh,
    startAt: start.at,
    relativeHint: start.relativeHint || undefined,
    maxPowerW: start.maxPowerW,
    peakMilliW: undefined,
    boots: undefined,
    begin: [],
    end: [],
    since: undefined,
    late: undefined,
    thinned: undefined,
    folded: undefined,
    intervals: newIntervals(),
    power: newPower(),
    // Behind what a sample seldom changes (STORE-N19).
    register: [],
    newest: undefined,
  }
}

/** ENERGY-N4: a register that falls there began again. By our clock, and by that of the station's last sample. */
export function withBoot(meter: MeterState, at: number): MeterState {
  const last = lastSampleAt(meter) ?? at
  return { ...meter, boots: [...(meter.boots ?? []), at, last + CLOCKS_APART_MS].slice(-BOOTS_KEPT) }
}

const BOOTS_KEPT = 16

/**
 * Adds the samples of one message. @param where `maxPowerW`: of the connector; `evseId` 0: the station; `unnamed`: it
 * named no transaction; `doubtful`: another one; `order`: number of its message, from 1. @returns the same meter when
 * nothing was new, and what is odd about it so far
 */
export function addSamples(
  meter: MeterState,
  samples: readonly Sample[],
  where: EvsePosition & {
    readonly maxPowerW?: number | undefined
  } & Where,
): { meter: MeterState; flags: readonly Flag[] } {
  const { maxPowerW = 0 } = where
  let next = maxPowerW > (meter.maxPowerW ?? 0) ? withMostPower(meter, maxPowerW) : meter
  let badClock = false
  let { newest, peakMilliW } = next
  for (const sample of inOrder(samples)) {
    const reading = readSample(sample, where)
    if (!reading) {
      newest = withCharge(newest, sample)
      continue
    }
    badClock ||= sample.at.repaired === true
    if (reading.quantity === 'power') {
      newest = withPower(newest, reading)
      peakMilliW = Math.max(peakMilliW ?? 0, reading.phase === 0 ? reading.value : 3 * reading.value)
    }
    if (where.doubtful && reading.quantity !== 'register') continue
    next = addReading(next, reading, where)
  }
  if (newest !== next.newest || peakMilliW !== next.peakMilliW) {
    // Where samples made a new one, nothing else has that yet.
    const own: Writable<MeterState> = next === meter ? { ...meter } : next
    own.newest = newest
    own.peakMilliW = peakMilliW
    next = own
  }
  const flags: Flag[] = walkRegister(next).anomaly ? ['meterAnomaly'] : []
  if (badClock) flags.push('badClock')
  return { meter: next, flags }
}

function withMostPower(meter: MeterState, maxPowerW: number): MeterState {
  return { ...meter, maxPowerW, power: recounted(meter.power, maxPowerW) }
}

/** Some stations list the newest first: within a message the clock says what came first. */
function inOrder(samples: readonly Sample[]): readonly Sample[] {
  let last = Number.NEGATIVE_INFINITY
  for (const { at } of samples) {
    if (at.occurredAt < last) return samples.toSorted((a, b) => a.at.occurredAt - b.at.occurredAt)
    last = at.occurredAt
  }
  return samples
}

export function runningEnergy(
  meter: MeterState,
  lead = 0,
): {
  energyMilliWh: number
  estimated: boolean
  flags: readonly Flag[]
} {
  const walk = walkRegister(meter)
  const measured = Math.max(walk.peak - lead, intervalEnergy(meter.intervals))
  const estimate = powerEnergy(meter.power, meter.maxPowerW)
  const estimated = estimate > measured
  const flags: Flag[] = walk.anomaly ? ['meterAnomaly'] : []
  if (estimated) flags.push('estimated')
  return { energyMilliWh: Math.max(measured, estimate), estimated, flags }
}

/** The running energy, without what it is later found that cannot have flowed (ENERGY-N7). */
export function credibleEnergy(meter: MeterState) {
  return runningEnergy(meter, impossibleLead(meter, walkRegister(meter)))
}

/** The station's own messages say its energy: MeterValues beside them are no part of it (ENERGY-N3). */
export function isMeteredByEvents({ register, folded, intervals }: MeterState): boolean {
  return (
    intervals.numbered === true || (folded && folded.walk.namedAt >= 0) || register.some((point) => !isUnnamed(point))
  )
}

/** More than can have flowed waits to be confirmed (ENERGY-N3): how much it was is not known, but something flows. */
export function isRising(meter: MeterState): boolean {
  return walkRegister(meter).held !== undefined
}

/** Time of the newest sample that counted towards the energy; an implausible one that is held back did not. */
export function lastSampleAt(meter: MeterState): number | undefined {
  const walk = walkRegister(meter)
  if (walk.count > 0) return Math.max(walk.at, walk.since)
  return newestIntervalAt(meter.intervals) ?? newestPowerAt(meter.power) ?? meter.begin.at(-1)?.[0]
}

interface Where {
  readonly unnamed?: boolean | undefined
  readonly doubtful?: boolean | undefined
  readonly order?: number | undefined
}

function addReading(meter: MeterState, reading: Reading, where: Where): MeterState {
  const { intervals, power, maxPowerW } = meter
  const { order = 0 } = where
  const since = registerSince(meter)
  switch (reading.quantity) {
    case 'register':
      return addRegister(meter, reading, where)
    case 'interval': {
      const added = reading.at > since ? intervals : addInterval(intervals, reading, order)
      return added === intervals ? meter : dropSuperseded({ ...meter, intervals: added })
    }
    case 'power': {
      const late = reading.at > Math.min(since, intervalsSince(intervals))
      const added = late ? power : addPower(power, reading, order, maxPowerW)
      return added === power ? meter : { ...meter, power: added }
    }
  }
}

function addRegister(meter: MeterState, reading: Reading, { unnamed, doubtful, order }: Where): MeterState {
  const { moment } = reading
  const isWord = !doubtful && (moment === 'begin' || moment === 'end')
  const rank = reading.place + (doubtful ? DOUBTFUL : unnamed && !isWord ? UNNAMED : 0)
  const entry = entryOf(reading, rank, order ?? arrivalOrder(meter.register, reading, rank, meter.late))
  if (!isWord) return isNext(meter, entry, order) ? withNext(meter, entry) : withPoint(meter, entry, order)
  if (moment === 'begin') {
    const begin = insert(meter.begin, entry, byValue)
    return begin === meter.begin ? meter : relearn({ ...meter, begin: firstOfEach(begin) })
  }
  const end = insert(meter.end, entry, byValue)
  const since = Math.min(registerSince(meter), reading.at)
  return end === meter.end ? meter : dropSuperseded({ ...meter, since, end: lastOfEach(end) })
}

/** A sample behind all others by order, clock and value, with which nothing but the list changes: nearly all are. */
export function isNext({ register, since }: MeterState, entry: Entry, order: number | undefined): boolean {
  const [first] = register
  const last = register.at(-1)
  if (!first || !last || register.length >= MAX_POINTS || since === undefined || since > entry[0]) return false
  if (entry[0] < last[0] || byValue(last, entry) >= 0) return false
  return order === undefined || !isUnnamed(first)
}

export function withNext(meter: MeterState, entry: Entry): MeterState {
  // Not spread: a list that is spread and grows has room for half as many again.
  const register = meter.register.toSpliced(meter.register.length, 0, entry)
  walkOn(meter, register, entry)
  return { ...meter, register, late: undefined }
}

export function withPoint(meter: MeterState, entry: Entry, order: number | undefined): MeterState {
  const since = Math.min(registerSince(meter), entry[0])
  if (meter.folded && byValue(entry, meter.folded.last) <= 0) return beginEarlier(meter, entry)
  const register = insert(order === undefined ? meter.register : named(meter.register), entry, byValue)
  if (register === meter.register || (meter.thinned && isRedundant(register, register.indexOf(entry)))) return meter
  const late = order === undefined && register.at(-1) !== entry ? entry : undefined
  return dropSuperseded(shortened({ ...meter, since, register, late }))
}

/** Where the transaction's own messages meter it, what came beside them before is no part of it (ENERGY-N3). */
function named(points: readonly Entry[]): readonly Entry[] {
  const [first] = points
  return first && isUnnamed(first) ? points.filter((point) => !isUnnamed(point)) : points
}

/** Each place, in total or by phases, has a first and a last word. */
function firstOfEach(words: readonly Entry[]): readonly Entry[] {
  return words.filter((word, index) => words.findIndex((other) => isSameRegister(word, other)) === index)
}

function lastOfEach(words: readonly Entry[]): readonly Entry[] {
  return words.filter((word, index) => words.findLastIndex((other) => isSameRegister(word, other)) === index)
}

function isSameRegister(a: Entry, b: Entry): boolean {
  return a[1] === b[1] && isTotal(a) === isTotal(b) && phasesOf(a) === phasesOf(b)
}

/** Points that say nothing more are left out. Of a register that jumps about the oldest live on in the walk. */
function shortened(meter: MeterState): MeterState {
  if (meter.register.length <= MAX_POINTS) return meter
  const register = thinned(meter.register)
  if (register.length <= FEWEST_POINTS) return { ...meter, register, thinned: true }
  const walk = meter.folded ? { ...meter.folded.walk } : newWalk()
  const oldest = register.slice(0, -FEWEST_POINTS)
  for (const point of oldest) advance(walk, point, meter)
  const last = oldest.at(-1)
  return last ? { ...meter, register: register.slice(-FEWEST_POINTS), thinned: true, folded: { last, walk } } : meter
}

/** Too late to be walked, but before all that was (a replayed queue): where the register stood at the start. */
function beginEarlier(meter: MeterState, entry: Entry): MeterState {
  if (!meter.folded) return meter
  const { last, walk } = meter.folded
  const earlier = beganBy(walk, entry, meter)
  return earlier === walk ? meter : dropSuperseded({ ...meter, folded: { last, walk: earlier } })
}

/** A new baseline: the folded walk learns it once; the window is walked anew anyway. */
function relearn(meter: MeterState): MeterState {
  if (!meter.folded) return meter
  return { ...meter, folded: { ...meter.folded, walk: withBaseline(meter.folded.walk, meter) } }
}

/** What poorer sources said after a better one spoke is never asked for. */
function dropSuperseded(meter: MeterState): MeterState {
  const since = registerSince(meter)
  const intervals = intervalsUntil(meter.intervals, since)
  const power = powerUntil(meter.power, Math.min(since, intervalsSince(intervals)), meter.maxPowerW)
  return intervals === meter.intervals && power === meter.power ? meter : { ...meter, intervals, power }
}

/** Station time of the newest sample, found without a walk: it is asked of every message. */
export function knownUntil({ register, end, intervals, newest }: Partial<MeterState>): number | undefined {
  const at = Math.max(
    register?.at(-1)?.[0] ?? 0,
    end?.at(-1)?.[0] ?? 0,
    newest?.power?.[0] ?? 0,
    (intervals && newestIntervalAt(intervals)) ?? 0,
  )
  return at > 0 ? at : undefined
}
