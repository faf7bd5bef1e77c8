/** Energy estimated from power where nothing better is reported (ENERGY-N3): straight lines between samples. */

import type { Sample } from '../ports/sessions.ts'
import {
  type Counting,
  type Days,
  daysOf,
  entriesOf,
  figuresOf,
  isEmpty,
  named,
  newestAt,
  type Ordered,
  ordersOf,
  ordersTogether,
  stretches,
  until,
  withEntry,
} from './days.ts'
import { scaledInteger } from './decimal.ts'
import type { Intervals } from './interval.ts'
import { advance, newWalk, type Walk } from './meter-register.ts'
import { inLine } from './points.ts'
import { amountOf, type Entry, entryOf, isTotal, isUnnamed, join, orderOf } from './readings.ts'
import { LARGEST_MILLI, type Reading } from './sample.ts'

/** Milli-Wh from the first to the last of some samples. */
interface Course extends Ordered {
  readonly energy: number
  readonly first: Entry
  readonly last: Entry
}

export interface PowerSamples {
  /** Milliwatts; rank is the place. */
  readonly days?: Days<Course> | undefined
  readonly numbered?: true | undefined
  /** As earlier versions kept them: the newest ones, the last one before, and the milli-Wh until then. */
  readonly entries?: readonly Entry[] | undefined
  readonly folded?: { readonly last: Entry; readonly energy: number } | undefined
}

const MS_PER_HOUR = 3_600_000
/** A longer gap between samples is not filled with energy, because it is unknown what happened in it. */
const MAX_GAP_MS = MS_PER_HOUR

export function newPower(): PowerSamples {
  return { days: {}, numbered: undefined, entries: undefined, folded: undefined }
}

export function addPower(
  power: PowerSamples,
  reading: Reading,
  order: number,
  maxPowerW: number | undefined,
): PowerSamples {
  const { folded } = power
  const numbered = order > 0 || undefined
  if (folded && reading.at <= folded.last[0]) return power
  if (power.numbered && !numbered) return power
  const counting = countingWith(maxPowerW)
  const known = numbered && !power.numbered && power.days ? {} : daysFrom(power, counting)
  const days = withEntry(known, entryOf(reading, reading.place, order), counting)
  return days === power.days ? power : { days, numbered, entries: undefined, folded }
}

export function recounted(power: PowerSamples, maxPowerW: number): PowerSamples {
  const counting = countingWith(maxPowerW)
  return { ...power, days: daysOf(entriesOf(daysFrom(power, counting)), counting), entries: undefined }
}

export function powerUntil(power: PowerSamples, at: number, maxPowerW: number | undefined): PowerSamples {
  if (power.days && isEmpty(power.days)) return power
  const counting = countingWith(maxPowerW)
  const known = daysFrom(power, counting)
  const days = until(known, at, counting)
  return days === known ? power : { ...power, days, entries: undefined }
}

export function newestPowerAt({ days, entries, folded }: PowerSamples): number | undefined {
  return (days ? newestAt(days) : entries?.at(-1)?.[0]) ?? folded?.last[0]
}

export function powerEnergy(power: PowerSamples, maxPowerW: number | undefined): number {
  return Math.min(Math.round(exactEnergy(power, maxPowerW)), LARGEST_MILLI)
}

function exactEnergy(power: PowerSamples, maxPowerW: number | undefined): number {
  const { folded, numbered } = power
  const before = folded?.energy ?? 0
  if (power.days && isEmpty(power.days)) return before
  const counting = countingWith(maxPowerW)
  const days = daysFrom(power, counting)
  const course = figuresOf(days, counting)
  if (!course) return before
  if (numbered && !course.orders) {
    return stretches(entriesOf(days)).reduce((sum, stretch) => sum + courseOf(stretch, maxPowerW).energy, before)
  }
  return before + (folded ? between(folded.last, course.first, maxPowerW) : 0) + course.energy
}

function daysFrom({ days, entries }: PowerSamples, counting: Counting<Course>) {
  return days ? named(days) : daysOf(entries ?? [], counting)
}

function countingWith(maxPowerW: number | undefined): Counting<Course> {
  return {
    compare: byMoment,
    figuresOf: (entries) => courseOf(entries, maxPowerW),
    plus: (a, b) => ({
      energy: a.energy + between(a.last, b.first, maxPowerW) + b.energy,
      first: a.first,
      last: b.last,
      orders: ordersTogether(a, b),
    }),
  }
}

function courseOf(entries: readonly Entry[], maxPowerW: number | undefined): Course {
  const moments: Entry[] = []
  for (const entry of entries) {
    const last = moments.at(-1)
    if (last && last[0] === entry[0]) moments[moments.length - 1] = join(last, entry)
    else moments.push(entry)
  }
  const [first = NO_ENTRY] = moments
  let energy = 0
  let last = first
  for (const moment of moments) {
    energy += between(last, moment, maxPowerW)
    last = moment
  }
  return { energy, first, last, orders: ordersOf(entries) }
}

const NO_ENTRY: Entry = [0, 0, 0]

function byMoment(a: Entry, b: Entry): number {
  return a[0] - b[0] || orderOf(a) - orderOf(b)
}

function between(from: Entry, to: Entry, maxPowerW = 1_000_000): number {
  const limit = maxPowerW * 1000
  const mean = (Math.min(amountOf(from), limit) + Math.min(amountOf(to), limit)) / 2
  return (mean * Math.min(to[0] - from[0], MAX_GAP_MS)) / MS_PER_HOUR
}

/** What a station last said of its power and of the battery (CONSOLE-C3); nothing is computed from it. */
export interface Newest {
  readonly power?: NewestPower | undefined
  /** Hundredths of a per cent, and when. */
  readonly charge?: readonly [at: number, hundredths: number] | undefined
}

/** Milliwatts in total, or of the phases that were named; -1 where nothing was said. */
type NewestPower = readonly [at: number, place: number, total: number, l1: number, l2: number, l3: number]

const SOC = 'soc'
const MAX_HUNDREDTHS = 10_000

/** The better place wins, as for energy (ENERGY-N2); values of one time and place belong together. */
export function withPower(newest: Newest | undefined, { at, place, phase, value }: Reading): Newest | undefined {
  const before = newest?.power
  if (before && (at < before[0] || (at === before[0] && place > before[1]))) return newest
  const same = before && at === before[0] && place === before[1]
  if (!same && phase === 0) return { power: [at, place, value, -1, -1, -1], charge: newest?.charge }
  const said = same ? [before[2], before[3], before[4], before[5]] : [-1, -1, -1, -1]
  if (same && said[phase] === value) return newest
  const [total = -1, l1 = -1, l2 = -1, l3 = -1] = said.map((known, index) => (index === phase ? value : known))
  return { power: [at, place, total, l1, l2, l3], charge: newest?.charge }
}

export function withCharge(newest: Newest | undefined, sample: Sample): Newest | undefined {
  if (sample.measurand.length !== SOC.length || sample.measurand.toLowerCase() !== SOC) return newest
  const at = sample.at.occurredAt
  if (newest?.charge && at < newest.charge[0]) return newest
  const hundredths = scaledInteger(sample.value, 2 + sample.multiplier, MAX_HUNDREDTHS)
  if (hundredths === undefined || hundredths < 0) return newest
  if (at === newest?.charge?.[0] && hundredths === newest.charge[1]) return newest
  return { power: newest?.power, charge: [at, hundredths] }
}

export function powerMilliW({ power }: Newest): number | undefined {
  if (!power) return undefined
  const [, , total, ...phases] = power
  return total >= 0 ? total : phases.reduce((sum, value) => sum + Math.max(0, value), 0)
}

/** No member of JSON or of a copy to another thread, so it stays in the memory where the meter is added to. */
const WALKED: unique symbol = Symbol('walked')

/** One for all meters that come of one; it speaks of the last that was asked. */
interface Walked {
  register: readonly Entry[]
  begin: readonly Entry[]
  end: readonly Entry[]
  folded: MeterState['folded']
  maxPowerW: number | undefined
  boots: MeterState['boots']
  /** The clock was never set back in it. */
  isInLine: boolean
  walk: Walk
}

export interface MeterState {
  /** Register at the start as the start itself said (1.6 meterStart), and when. */
  readonly startMilliWh?: number | undefined
  readonly startAt?: number | undefined
  readonly relativeHint?: true | undefined
  readonly maxPowerW?: number | undefined
  /** The greatest that the station sampled, on three phases where it named one (ENERGY-N7). */
  readonly peakMilliW?: number | undefined
  /** When its station booted meanwhile, by our clock; the newest ones (ENERGY-N4). */
  readonly boots?: readonly number[] | undefined
  /** Transaction.Begin: only ever a baseline. Transaction.End: the last word. Sorted, a few at most (ENERGY-N2). */
  readonly begin: readonly Entry[]
  readonly end: readonly Entry[]
  /** The turning points of the register (points.ts), and the walk over those that were too many. */
  readonly register: readonly Entry[]
  readonly since?: number | undefined
  /** What came last, if it was older than what came before it and not numbered: one of a queue. */
  readonly late?: Entry | undefined
  /** Points that said nothing more were left out. */
  readonly thinned?: true | undefined
  readonly folded?: { readonly last: Entry; readonly walk: Walk } | undefined
  readonly intervals: Intervals
  readonly power: PowerSamples
  readonly newest?: Newest | undefined
  [WALKED]?: Walked
}

/** When the register first spoke, infinity if never; what poorer sources say counts only until then. */
export function registerSince(meter: MeterState): number {
  if (meter.since !== undefined) return meter.since
  const sampled = meter.folded?.walk.since ?? meter.register[0]?.[0] ?? Number.POSITIVE_INFINITY
  return Math.min(sampled, meter.end[0]?.[0] ?? Number.POSITIVE_INFINITY)
}

/** The best Transaction.Begin: best place, then the earliest. */
export function firstMessage(begin: readonly Entry[]): Entry | undefined {
  return begin.reduce<Entry | undefined>((best, entry) => (best && best[1] <= entry[1] ? best : entry), undefined)
}

/** The best Transaction.End: best place, then the newest; a total rather than phases. */
export function lastWord(end: readonly Entry[]): Entry | undefined {
  return end.reduce<Entry | undefined>((best, entry) => (best && outranks(best, entry) ? best : entry), undefined)
}

function outranks(best: Entry, entry: Entry): boolean {
  return best[1] < entry[1] || (best[1] === entry[1] && best[0] === entry[0] && isTotal(best) && !isTotal(entry))
}

/** Everything the register says: samples before Transaction.End, then that, which beats periodic ones (ENERGY-N2). */
export function walkRegister(meter: MeterState): Readonly<Walk> {
  const known = meter[WALKED]
  if (known && isOver(known, meter)) return known.walk
  const points = inLine(meter.register)
  const walk = walkAnew(meter, points)
  const { register, begin, end, folded, maxPowerW, boots } = meter
  meter[WALKED] = { register, begin, end, folded, maxPowerW, boots, isInLine: points === register, walk }
  return walk
}

/** @param register the meter's with `point`, which is later than all in it, at its end */
export function walkOn(meter: MeterState, register: readonly Entry[], point: Entry): void {
  const known = meter[WALKED]
  if (!known?.isInLine || !isOver(known, meter) || meter.end.length > 0) return
  const last = meter.register.at(-1)
  // What did not name the transaction counts otherwise once something behind it does.
  if (last && isUnnamed(last) !== isUnnamed(point)) return
  advance(known.walk, point, meter)
  known.register = register
}

function isOver(known: Walked, { register, begin, end, folded, maxPowerW, boots }: MeterState): boolean {
  return (
    known.register === register &&
    known.begin === begin &&
    known.end === end &&
    known.folded === folded &&
    known.maxPowerW === maxPowerW &&
    known.boots === boots
  )
}

function walkAnew(meter: MeterState, points: readonly Entry[]): Walk {
  const walk = meter.folded ? { ...meter.folded.walk } : newWalk()
  const end = meter.end[0]
  const lastNamed = lastNamedOf(points)
  let index = 0
  for (const point of points) {
    if (!end || !isAfter(point, end)) advance(walk, point, meter, index < lastNamed)
    index++
  }
  for (const entry of meter.end) advance(walk, entry, meter)
  return walk
}

function lastNamedOf(points: readonly Entry[]): number {
  for (let index = points.length - 1; index >= 0; index--) {
    const point = points[index]
    if (point && !isUnnamed(point)) return index
  }
  return -1
}

/** By the clock where both are of one message, else by the station's order. */
function isAfter(point: Entry, end: Entry): boolean {
  const order = orderOf(point) - orderOf(end)
  return order > 0 || (order === 0 && point[0] >= end[0])
}
