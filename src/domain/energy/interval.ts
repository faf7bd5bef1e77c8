/**
 * Energy.Active.Import.Interval (ENERGY-N3): each interval counts once, whenever it comes. Clock-aligned and periodic
 * ones cover the same time: they are summed apart, and the larger sum holds.
 */
import {
  type Counting,
  type Days,
  daysOf,
  entriesAt,
  entriesOf,
  figuresOf,
  isEmpty,
  named,
  newestAt,
  type Ordered,
  oldestAt,
  ordersOf,
  ordersTogether,
  stretches,
  until,
  withEntry,
} from './days.ts'
import { amountOf, type Entry, entryOf, isTotal, join, orderOf } from './readings.ts'
import { LARGEST_MILLI, type Reading } from './sample.ts'

interface Sums {
  readonly periodic: number
  readonly clock: number
}

export interface Intervals {
  /** Rank is context x 4 + place; 32 more each time that the clock showed that moment again. */
  readonly days?: Days<Sums & Ordered> | undefined
  readonly numbered?: true | undefined
  /** As earlier versions kept them: the newest ones, and the sums of those before. */
  readonly entries?: readonly Entry[] | undefined
  readonly folded?: ({ readonly since: number; readonly at: number } & Sums) | undefined
}

const PLACES = 4
const CONTEXTS = 8
const AGAIN = PLACES * CONTEXTS
const SAMPLE_CLOCK = 1

export function newIntervals(): Intervals {
  return { days: {}, numbered: undefined, entries: undefined, folded: undefined }
}

export function addInterval(intervals: Intervals, reading: Reading, order: number): Intervals {
  const { folded } = intervals
  const numbered = order > 0 || undefined
  // Transaction.Begin ends an interval that lay before the session.
  if (reading.moment === 'begin' || (folded && reading.at <= folded.at)) return intervals
  if (intervals.numbered && !numbered) return intervals
  const known = numbered && !intervals.numbered && intervals.days ? {} : daysFrom(intervals)
  const rank = reading.context * PLACES + reading.place
  const entry = entryOf(reading, order > 0 ? rank : (rankAgain(known, reading, rank) ?? rank), order)
  const days = withEntry(known, entry, COUNTING)
  return days === intervals.days ? intervals : { days, numbered, entries: undefined, folded }
}

/** ENERGY-N3: another value for a past interval: the clock was set back. The same value is a repetition. */
function rankAgain(days: Days<Sums & Ordered>, reading: Reading, rank: number): number | undefined {
  if (reading.phase !== 0 || reading.at >= (newestAt(days) ?? reading.at)) return undefined
  const there = entriesAt(days, reading.at).filter((entry) => isTotal(entry) && entry[1] % AGAIN === rank)
  const same = there.find((entry) => amountOf(entry) === reading.value)
  return same ? same[1] : rank + AGAIN * there.length
}

function daysFrom({ days, entries }: Intervals): Days<Sums & Ordered> {
  return days ? named(days) : daysOf(entries ?? [], COUNTING)
}

export function intervalsUntil(intervals: Intervals, at: number): Intervals {
  if (intervals.days && isEmpty(intervals.days)) return intervals
  const known = daysFrom(intervals)
  const days = until(known, at, COUNTING)
  return days === known ? intervals : { ...intervals, days, entries: undefined }
}

export function intervalsSince(intervals: Intervals): number {
  return intervals.folded?.since ?? oldestAt(daysFrom(intervals)) ?? Number.POSITIVE_INFINITY
}

export function newestIntervalAt(intervals: Intervals): number | undefined {
  return newestAt(daysFrom(intervals)) ?? intervals.folded?.at
}

export function intervalEnergy(intervals: Intervals): number {
  const { periodic, clock } = sumsOf(intervals)
  return Math.max(periodic, clock)
}

function sumsOf(intervals: Intervals): Sums {
  const before = intervals.folded ?? NOTHING
  if (intervals.days && isEmpty(intervals.days)) return before
  const days = daysFrom(intervals)
  const sums = figuresOf(days, COUNTING)
  if (!sums) return before
  if (intervals.numbered && !sums.orders) return stretches(entriesOf(days)).map(sumsOfEntries).reduce(plus, before)
  return plus(before, sums)
}

const NOTHING: Sums = { periodic: 0, clock: 0 }

/** Entries of one interval lie side by side. */
function sumsOfEntries(entries: readonly Entry[]): Sums {
  let sums = NOTHING
  let whole: Entry | undefined
  for (const entry of entries) {
    if (whole && byInterval(whole, entry) === 0) {
      whole = join(whole, entry)
      continue
    }
    if (whole) sums = plus(sums, sumOf(whole))
    whole = entry
  }
  return whole ? plus(sums, sumOf(whole)) : sums
}

function sumOf(entry: Entry): Sums {
  const value = amountOf(entry)
  return Math.floor(entry[1] / PLACES) % CONTEXTS === SAMPLE_CLOCK
    ? { periodic: 0, clock: value }
    : { periodic: value, clock: 0 }
}

function plus(a: Sums, b: Sums): Sums {
  return {
    periodic: Math.min(a.periodic + b.periodic, LARGEST_MILLI),
    clock: Math.min(a.clock + b.clock, LARGEST_MILLI),
  }
}

function byInterval(a: Entry, b: Entry): number {
  return a[0] - b[0] || Math.floor(a[1] / PLACES) - Math.floor(b[1] / PLACES)
}

const COUNTING: Counting<Sums & Ordered> = {
  compare: (a, b) => byInterval(a, b) || orderOf(a) - orderOf(b),
  figuresOf: (entries) => ({ ...sumsOfEntries(entries), orders: ordersOf(entries) }),
  plus: (a, b) => ({ ...plus(a, b), orders: ordersTogether(a, b) }),
}
