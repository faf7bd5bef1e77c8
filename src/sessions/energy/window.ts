/**
 * A short, sorted memory of readings. Sorting by the station's time makes every figure independent of the order in
 * which messages arrive; the bound keeps the state small, because it is stored again with each MeterValues.
 */
import type { Reading } from './sample.ts'

/** A value without phase. `rank`: smaller is better. */
export type Total = readonly [at: number, rank: number, value: number]
/** L1, L2, L3 of one timestamp; -1 where none was seen. */
export type Phases = readonly [at: number, rank: number, l1: number, l2: number, l3: number]
export type Entry = Total | Phases

/** Added to the place of a register sample that named no transaction: those that name it come first. */
export const UNNAMED = 4

/** Where a register was read (`Reading.place`). */
export function placeOf(entry: Entry): number {
  return entry[1] % UNNAMED
}

/** About a kilobyte as JSON, and half an hour of samples at one a minute: longer reorderings are not seen in the field. */
export const WINDOW_LENGTH = 32

export function entryOf(reading: Reading, rank: number): Entry {
  const { at, phase, value } = reading
  if (phase === 0) return [at, rank, value]
  return [at, rank, phase === 1 ? value : -1, phase === 2 ? value : -1, phase === 3 ? value : -1]
}

/** The total, or the sum of the phases that were seen. */
export function amountOf(entry: Entry): number {
  if (entry.length === 3) return entry[2]
  return Math.max(entry[2], 0) + Math.max(entry[3], 0) + Math.max(entry[4], 0)
}

export const ALL_PHASES = 7

/** Bits of the phases an entry covers; a total covers all. */
export function phasesOf(entry: Entry): number {
  if (entry.length === 3) return ALL_PHASES
  return (entry[2] < 0 ? 0 : 1) | (entry[3] < 0 ? 0 : 2) | (entry[4] < 0 ? 0 : 4)
}

/** Registers: two totals of one moment are two samples (coarse clocks are legal), sorted as a register grows. */
export function byValue(a: Entry, b: Entry): number {
  const order = a[0] - b[0] || a[1] - b[1] || a.length - b.length
  return order !== 0 || a.length === 5 ? order : a[2] - b[2]
}

/** Power: one value per moment. */
export function byMoment(a: Entry, b: Entry): number {
  return a[0] - b[0]
}

/** Adds an entry in its place; what compares as equal is joined. The same array comes back when nothing changed. */
export function insert(
  entries: readonly Entry[],
  entry: Entry,
  compare: (a: Entry, b: Entry) => number,
): readonly Entry[] {
  for (let index = entries.length - 1; index >= 0; index--) {
    const other = entries[index]
    if (!other) break
    const order = compare(other, entry)
    if (order < 0) return entries.toSpliced(index + 1, 0, entry)
    if (order > 0) continue
    const joined = join(other, entry)
    return joined === other ? entries : entries.with(index, joined)
  }
  return [entry, ...entries]
}

/** The better rank wins, then the total, then the larger value: the same result whichever came first. */
function join(a: Entry, b: Entry): Entry {
  if (a[1] !== b[1]) return a[1] < b[1] ? a : b
  if (a.length === 3 || b.length === 3) {
    if (a.length !== b.length) return a.length === 3 ? a : b
    return a[2] >= b[2] ? a : b
  }
  const [at, rank, l1, l2, l3] = a
  if (b[2] <= l1 && b[3] <= l2 && b[4] <= l3) return a
  return [at, rank, Math.max(l1, b[2]), Math.max(l2, b[3]), Math.max(l3, b[4])]
}
