/**
 * Energy.Active.Import.Interval: each value is what flowed in one interval, so each counts exactly once (ocpp.md N3).
 * Clock-aligned intervals cover the same time as the periodic ones; the two are summed apart and the larger sum holds.
 */
import { LARGEST_MILLI, type Reading } from './sample.ts'
import { amountOf, type Entry, entryOf, insert, WINDOW_LENGTH } from './window.ts'

export interface Intervals {
  /** Rank is context x 4 + place. */
  readonly entries: readonly Entry[]
  /** Sums of what left the window, from its first time to its last. */
  readonly folded?: { readonly since: number; readonly at: number; readonly periodic: number; readonly clock: number }
}

const PLACES = 4
const SAMPLE_CLOCK = 1

export function addInterval(intervals: Intervals, reading: Reading): Intervals {
  const { folded } = intervals
  // Transaction.Begin ends an interval that lay before the session.
  if (reading.moment === 'begin' || (folded && reading.at <= folded.at)) return intervals
  const entries = insert(intervals.entries, entryOf(reading, reading.context * PLACES + reading.place), byContext)
  if (entries === intervals.entries) return intervals
  const [oldest] = entries
  if (entries.length <= WINDOW_LENGTH || !oldest) return { ...intervals, entries }
  return {
    entries: entries.slice(1),
    folded: { since: folded?.since ?? oldest[0], at: oldest[0], ...addTo(folded, oldest) },
  }
}

/** Time of the first interval, infinity if there is none. */
export function intervalsSince({ entries, folded }: Intervals): number {
  return folded?.since ?? entries[0]?.[0] ?? Number.POSITIVE_INFINITY
}

/** Milli-Wh. */
export function intervalEnergy(intervals: Intervals): number {
  let sums: { periodic: number; clock: number } | undefined = intervals.folded
  for (const entry of intervals.entries) sums = addTo(sums, entry)
  return sums ? Math.max(sums.periodic, sums.clock) : 0
}

function addTo(
  sums: { readonly periodic: number; readonly clock: number } = { periodic: 0, clock: 0 },
  entry: Entry,
): { periodic: number; clock: number } {
  const value = amountOf(entry)
  const aligned = contextOf(entry) === SAMPLE_CLOCK
  return {
    periodic: Math.min(sums.periodic + (aligned ? 0 : value), LARGEST_MILLI),
    clock: Math.min(sums.clock + (aligned ? value : 0), LARGEST_MILLI),
  }
}

function byContext(a: Entry, b: Entry): number {
  return a[0] - b[0] || contextOf(a) - contextOf(b)
}

function contextOf(entry: Entry): number {
  return Math.floor(entry[1] / PLACES)
}
