/** Readings as kept: tuples by the station's order, then its clock, so that order of arrival changes no figure. */
import type { Reading } from './sample.ts'

/**
 * Without phase. `rank`: smaller is better. `order`: message number, or how often the clock was set back; absent: 0.
 */
export type Total = readonly [at: number, rank: number, value: number, order?: number]
/** L1, L2, L3 of one timestamp; -1 where none was seen. */
export type Phases = readonly [at: number, rank: number, l1: number, l2: number, l3: number, order?: number]
export type Entry = Total | Phases

/** Added to the place of a register sample that named no transaction: those that name it come first. */
export const UNNAMED = 4
/** Added where it named another transaction, or another's connector: it never overrules registers (ENERGY-N6). */
export const DOUBTFUL = 2 * UNNAMED

export function placeOf(entry: Entry): number {
  return entry[1] % UNNAMED
}

export function isUnnamed(entry: Entry): boolean {
  return entry[1] >= UNNAMED
}

export function isDoubtful(entry: Entry): boolean {
  return entry[1] >= DOUBTFUL
}

export function isTotal(entry: Entry): entry is Total {
  return entry.length < 5
}

export function orderOf(entry: Entry): number {
  return (isTotal(entry) ? entry[3] : entry[5]) ?? 0
}

export function entryOf(reading: Reading, rank: number, order = 0): Entry {
  const { at, phase, value } = reading
  if (phase === 0) return order === 0 ? [at, rank, value] : [at, rank, value, order]
  const l1 = phase === 1 ? value : -1
  const l2 = phase === 2 ? value : -1
  const l3 = phase === 3 ? value : -1
  return order === 0 ? [at, rank, l1, l2, l3] : [at, rank, l1, l2, l3, order]
}

export function amountOf(entry: Entry): number {
  if (isTotal(entry)) return entry[2]
  return Math.max(entry[2], 0) + Math.max(entry[3], 0) + Math.max(entry[4], 0)
}

export const ALL_PHASES = 7

/** Bits of the phases an entry covers; a total covers all. */
export function phasesOf(entry: Entry): number {
  if (isTotal(entry)) return ALL_PHASES
  return (entry[2] < 0 ? 0 : 1) | (entry[3] < 0 ? 0 : 2) | (entry[4] < 0 ? 0 : 4)
}

/** The station's order, and within one message its clock. */
export function byOrder(a: Entry, b: Entry): number {
  return orderOf(a) - orderOf(b) || a[0] - b[0] || a[1] - b[1]
}

/** Registers: two totals of one moment are two samples (coarse clocks are legal), sorted as a register grows. */
export function byValue(a: Entry, b: Entry): number {
  const order = byOrder(a, b) || kindOf(a) - kindOf(b)
  return order !== 0 || kindOf(a) === 1 ? order : a[2] - b[2]
}

function kindOf(entry: Entry): number {
  return isTotal(entry) ? 0 : 1
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
export function join(a: Entry, b: Entry): Entry {
  if (a[1] !== b[1]) return a[1] < b[1] ? a : b
  if (isTotal(a)) return !isTotal(b) || a[2] >= b[2] ? a : b
  if (isTotal(b)) return b
  const [at, rank, l1, l2, l3, order] = a
  if (b[2] <= l1 && b[3] <= l2 && b[4] <= l3) return a
  const phases = [at, rank, Math.max(l1, b[2]), Math.max(l2, b[3]), Math.max(l3, b[4])] as const
  return order === undefined ? phases : [...phases, order]
}
