/**
 * Readings of which each one counts, however late it comes, so none can be forgotten: kept by the days and hours of the
 * station's clock, each with what it comes to. A message touches one hour of one day, however many there are, and of the
 * hour only what is new is stored.
 */
import { byOrder, type Entry, insert, isTotal, orderOf } from './window.ts'

/** First and last message number; absent where the clock and the numbers disagree. */
export interface Ordered {
  readonly orders?: readonly [first: number, last: number] | undefined
}

export interface Hour<Figures> {
  readonly entries: readonly Entry[]
  readonly figures: Figures
}

export interface Day<Figures> {
  readonly hours: Readonly<Record<number, Hour<Figures>>>
  readonly figures: Figures
}

/** By the number of the day, and hour, since the epoch: JavaScript and JSON keep such members in their order. */
export type Days<Figures> = Readonly<Record<number, Day<Figures>>>

export interface Counting<Figures> {
  readonly compare: (a: Entry, b: Entry) => number
  readonly figuresOf: (entries: readonly Entry[]) => Figures
  /** What comes earlier, and what comes later. */
  readonly plus: (a: Figures, b: Figures) => Figures
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** The same object where the entry says nothing new. */
export function withEntry<Figures>(days: Days<Figures>, entry: Entry, counting: Counting<Figures>): Days<Figures> {
  const day = Math.floor(entry[0] / DAY_MS)
  const hour = Math.floor(entry[0] / HOUR_MS)
  const known = days[day]?.hours
  const before = known?.[hour]?.entries ?? []
  const entries = insert(before, entry, counting.compare)
  if (entries === before) return days
  const hours = { ...known, [hour]: { entries, figures: counting.figuresOf(entries) } }
  return { ...days, [day]: dayOf(hours, counting) }
}

function dayOf<Figures>(hours: Day<Figures>['hours'], counting: Counting<Figures>): Day<Figures> {
  const parts = Object.values(hours)
  return { hours, figures: parts.map(({ figures }) => figures).reduce(counting.plus) }
}

/** Undefined where there is nothing. */
export function figuresOf<Figures>(days: Days<Figures>, counting: Counting<Figures>): Figures | undefined {
  let sum: Figures | undefined
  for (const { figures } of Object.values(days)) sum = sum === undefined ? figures : counting.plus(sum, figures)
  return sum
}

export function entriesAt<Figures>(days: Days<Figures>, at: number): readonly Entry[] {
  const known = days[Math.floor(at / DAY_MS)]?.hours[Math.floor(at / HOUR_MS)]?.entries ?? []
  return known.filter((entry) => entry[0] === at)
}

export function oldestAt<Figures>(days: Days<Figures>): number | undefined {
  const hours = Object.values(days)[0]?.hours
  return hours && Object.values(hours)[0]?.entries[0]?.[0]
}

export function newestAt<Figures>(days: Days<Figures>): number | undefined {
  const hours = Object.values(days).at(-1)?.hours
  return hours && Object.values(hours).at(-1)?.entries.at(-1)?.[0]
}

/** Without what is later; the same object where nothing is. */
export function until<Figures>(days: Days<Figures>, at: number, counting: Counting<Figures>): Days<Figures> {
  if ((newestAt(days) ?? at) <= at) return days
  return daysOf(
    entriesOf(days).filter((entry) => entry[0] <= at),
    counting,
  )
}

/** @param all sorted by time */
export function daysOf<Figures>(all: readonly Entry[], counting: Counting<Figures>): Days<Figures> {
  const days: Record<number, Day<Figures>> = {}
  for (const [day, ofDay] of gathered(all, DAY_MS)) {
    const hours: Record<number, Hour<Figures>> = {}
    for (const [hour, entries] of gathered(ofDay, HOUR_MS)) {
      hours[hour] = { entries, figures: counting.figuresOf(entries) }
    }
    days[day] = dayOf(hours, counting)
  }
  return days
}

function gathered(all: readonly Entry[], ms: number): ReadonlyMap<number, readonly Entry[]> {
  const found = new Map<number, Entry[]>()
  for (const entry of all) {
    const part = Math.floor(entry[0] / ms)
    const entries = found.get(part)
    if (entries) entries.push(entry)
    else found.set(part, [entry])
  }
  return found
}

export function entriesOf<Figures>(days: Days<Figures>): readonly Entry[] {
  return Object.values(days).flatMap(({ hours }) => Object.values(hours).flatMap(({ entries }) => entries))
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

/**
 * The clock was set back in mid-charge: the entries of each stretch in which it was not, sorted by time. What a
 * message tells again of an earlier one is left out.
 */
export function stretches(entries: readonly Entry[]): readonly (readonly Entry[])[] {
  const sorted = entries.toSorted(byOrder)
  const newest = new Map<number, number>()
  for (const entry of sorted) newest.set(orderOf(entry), Math.max(entry[0], newest.get(orderOf(entry)) ?? entry[0]))
  const told = new Set<string>()
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
    const words = JSON.stringify(isTotal(entry) ? entry.slice(0, 3) : entry.slice(0, 5))
    if (entry[0] < messageAt && told.has(words)) continue
    told.add(words)
    found.at(-1)?.push(entry)
  }
  return found.map((stretch) => stretch.toSorted((a, b) => a[0] - b[0] || a[1] - b[1]))
}
