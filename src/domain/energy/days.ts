/** Readings of which each counts, however late: by days of the station's clock, hours, minutes and so on, with sums. */
import { byOrder, type Entry, insert, isTotal, orderOf } from './readings.ts'

/** First and last message number; absent where the clock and the numbers disagree. */
export interface Ordered {
  readonly orders?: readonly [first: number, last: number] | undefined
}

/** A list while it is short, then shorter spans. */
interface Span<Figures> {
  readonly entries?: readonly Entry[] | undefined
  readonly parts?: Spans<Figures> | undefined
  readonly figures: Figures
}

/**
 * By span within the longer one (days: since the epoch), behind a letter: to V8 a member 20779 is a sparse array, twice
 * as slow to compare, copy and spell. Earlier versions wrote the number alone.
 */
type Spans<Figures> = Readonly<Record<string, Span<Figures>>>

export type Days<Figures> = Spans<Figures>

export interface Counting<Figures> {
  readonly compare: (a: Entry, b: Entry) => number
  readonly figuresOf: (entries: readonly Entry[]) => Figures
  readonly plus: (a: Figures, b: Figures) => Figures
}

/** Days, hours, minutes, seconds, and less for stations that sample faster. */
const SPANS_MS = [86_400_000, 3_600_000, 60_000, 1000, 30, 1] as const
/** An hour of one sample a minute. */
const MAX_LIST_LENGTH = 64

/** The same object where the entry says nothing new. */
export function withEntry<Figures>(
  spans: Spans<Figures>,
  entry: Entry,
  counting: Counting<Figures>,
  level = 0,
): Spans<Figures> {
  const name = nameOf(numberOf(entry[0], level))
  const before = spans[name]
  const after = within(before, entry, counting, level)
  if (after === before) return spans
  // Not spread: records.ts says why.
  const changed: Record<string, Span<Figures>> = {}
  for (const known in spans) changed[known] = spans[known] as Span<Figures>
  changed[name] = after
  return changed
}

function within<Figures>(
  span: Span<Figures> | undefined,
  entry: Entry,
  counting: Counting<Figures>,
  level: number,
): Span<Figures> {
  if (span?.parts) {
    const parts = withEntry(span.parts, entry, counting, level + 1)
    return parts === span.parts ? span : spanOfParts(parts, counting)
  }
  const before = span?.entries ?? []
  const entries = insert(before, entry, counting.compare)
  return span && entries === before ? span : spanOf(entries, counting, level)
}

function spanOf<Figures>(entries: readonly Entry[], counting: Counting<Figures>, level: number): Span<Figures> {
  if (entries.length > MAX_LIST_LENGTH && level + 1 < SPANS_MS.length) {
    return spanOfParts(daysOf(entries, counting, level + 1), counting)
  }
  return { entries, parts: undefined, figures: counting.figuresOf(entries) }
}

function spanOfParts<Figures>(parts: Spans<Figures>, counting: Counting<Figures>): Span<Figures> {
  const figures = inOrder(parts).map((part) => part.figures)
  return { entries: undefined, parts, figures: figures.reduce(counting.plus) }
}

function numberOf(at: number, level: number): number {
  let rest = at
  for (let longer = 0; longer < level; longer++) rest %= SPANS_MS[longer] ?? 1
  return Math.floor(rest / (SPANS_MS[level] ?? 1))
}

function nameOf(number: number): string {
  return `t${number}`
}

function numberIn(name: string): number {
  return Number(name.startsWith('t') ? name.slice(1) : name)
}

/** A span that came later than a later one stands behind it. */
function inOrder<Figures>(spans: Spans<Figures>): readonly Span<Figures>[] {
  if (isEmpty(spans)) return []
  const names = Object.keys(spans)
  if (names.length < 2) return Object.values(spans)
  const numbers = names.map(numberIn)
  if (numbers.every((number, index) => index === 0 || (numbers[index - 1] ?? 0) < number)) return Object.values(spans)
  return numbers
    .map((number, index) => [number, spans[names[index] ?? '']] as const)
    .sort(([a], [b]) => a - b)
    .flatMap(([, span]) => span ?? [])
}

/** The same with the names of today, and the same object where it has them. */
export function named<Figures>(spans: Spans<Figures>): Spans<Figures> {
  // Members that are numbers stand before all others.
  const first = firstName(spans)
  if (first === undefined || first.startsWith('t')) return spans
  const renamed: Record<string, Span<Figures>> = {}
  for (const name in spans) {
    const span = spans[name] as Span<Figures>
    renamed[nameOf(numberIn(name))] = span.parts ? { ...span, parts: named(span.parts) } : span
  }
  return renamed
}

/** Most charges have a register and nothing here, so this is asked before a sum is calculated. */
export function isEmpty(days: Days<unknown>): boolean {
  return firstName(days) === undefined
}

function firstName(spans: Spans<unknown>): string | undefined {
  for (const name in spans) return name
  return undefined
}

export function figuresOf<Figures>(days: Days<Figures>, counting: Counting<Figures>): Figures | undefined {
  let sum: Figures | undefined
  for (const { figures } of inOrder(days)) sum = sum === undefined ? figures : counting.plus(sum, figures)
  return sum
}

export function entriesAt<Figures>(spans: Spans<Figures>, at: number, level = 0): readonly Entry[] {
  const { entries = [], parts } = spans[nameOf(numberOf(at, level))] ?? {}
  return parts ? entriesAt(parts, at, level + 1) : entries.filter((entry) => entry[0] === at)
}

export function oldestAt<Figures>(spans: Spans<Figures>): number | undefined {
  const { entries = [], parts } = inOrder(spans)[0] ?? {}
  return parts ? oldestAt(parts) : entries[0]?.[0]
}

export function newestAt<Figures>(spans: Spans<Figures>): number | undefined {
  const { entries = [], parts } = inOrder(spans).at(-1) ?? {}
  return parts ? newestAt(parts) : entries.at(-1)?.[0]
}

/** Without what is later; the same object where nothing is. */
export function until<Figures>(days: Days<Figures>, at: number, counting: Counting<Figures>): Days<Figures> {
  if ((newestAt(days) ?? at) <= at) return days
  return daysOf(
    entriesOf(days).filter((entry) => entry[0] <= at),
    counting,
  )
}

export function daysOf<Figures>(all: readonly Entry[], counting: Counting<Figures>, level = 0): Spans<Figures> {
  const gathered = new Map<number, Entry[]>()
  for (const entry of all) {
    const number = numberOf(entry[0], level)
    const entries = gathered.get(number)
    if (entries) entries.push(entry)
    else gathered.set(number, [entry])
  }
  const spans: Record<string, Span<Figures>> = {}
  for (const [number, entries] of gathered) spans[nameOf(number)] = spanOf(entries, counting, level)
  return spans
}

export function entriesOf<Figures>(spans: Spans<Figures>): readonly Entry[] {
  return inOrder(spans).flatMap(({ entries = [], parts }) => (parts ? entriesOf(parts) : entries))
}

export function ordersOf(entries: readonly Entry[]): Ordered['orders'] {
  let last = Number.NEGATIVE_INFINITY
  for (const entry of entries) {
    const order = orderOf(entry)
    if (order < last) return undefined
    last = order
  }
  const [first] = entries
  return first && [orderOf(first), last]
}

export function ordersTogether({ orders: a }: Ordered, { orders: b }: Ordered): Ordered['orders'] {
  return a && b && a[1] <= b[0] ? [a[0], b[1]] : undefined
}

/** Stretches in which the clock was not set back, each sorted by time; what a message repeats is left out. */
export function stretches(entries: readonly Entry[]): readonly (readonly Entry[])[] {
  const sorted = entries.toSorted(byOrder)
  const newest = new Map<number, number>()
  for (const entry of sorted) newest.set(orderOf(entry), Math.max(entry[0], newest.get(orderOf(entry)) ?? entry[0]))
  const listed = sorted.some((entry) => entry[0] !== newest.get(orderOf(entry)))
  const reported = new Set<string>()
  const found: Entry[][] = []
  let order = Number.NEGATIVE_INFINITY
  let clock = Number.POSITIVE_INFINITY
  for (const entry of sorted) {
    const messageAt = newest.get(orderOf(entry)) ?? entry[0]
    if (orderOf(entry) !== order) {
      if (messageAt < clock) found.push([])
      order = orderOf(entry)
      clock = messageAt
    }
    if (listed && isRepeated(entry, messageAt, reported)) continue
    found.at(-1)?.push(entry)
  }
  return found.map((stretch) => stretch.toSorted((a, b) => a[0] - b[0] || a[1] - b[1]))
}

function isRepeated(entry: Entry, messageAt: number, reported: Set<string>): boolean {
  const words = JSON.stringify(isTotal(entry) ? entry.slice(0, 3) : entry.slice(0, 5))
  if (entry[0] < messageAt && reported.has(words)) return true
  reported.add(words)
  return false
}
