/**
 * When an element of a tariff prices: on which minutes of a week, dates, minutes and kilowatt-hours of the charge. The
 * first element that fits prices, so what an earlier one takes is cut out of a later one.
 */
import { minutesOf } from '../domain/tariffs/course.ts'
import type { TariffRestrictions, Weekday } from '../domain/tariffs/elements.ts'

export const WEEKDAYS: readonly Weekday[] = [
  'MONDAY',
  'TUESDAY',
  'WEDNESDAY',
  'THURSDAY',
  'FRIDAY',
  'SATURDAY',
  'SUNDAY',
]

/** From, and below. */
export type Range = readonly [from: number, below: number]

export interface HoldTimes {
  /** Of each weekday, in minutes; from Monday on. */
  readonly week: readonly (readonly Range[])[]
  /** Days since the epoch, seconds from the start, and kilowatt-hours. */
  readonly dates: Range
  readonly duration: Range
  readonly energy: Range
}

export const DAY_MS = 86_400_000
const DAY = 1440
const WHOLE_WEEK = WEEKDAYS.map((): readonly Range[] => [[0, DAY]])

/** Undefined: it depends on what cannot be said here, such as power, or is for reservations. */
export function holdTimes(of: TariffRestrictions = {}): HoldTimes | undefined {
  const inexpressible = [of.minCurrent, of.maxCurrent, of.minPower, of.maxPower, of.reservation]
  if (inexpressible.some((value) => value !== undefined)) return undefined
  const from = minutesOf(of.startTime ?? '00:00')
  const to = minutesOf(of.endTime ?? '00:00') || DAY
  const ranges: readonly Range[] =
    from < to
      ? [[from, to]]
      : [
          [0, to],
          [from, DAY],
        ]
  const days = of.dayOfWeek?.length ? of.dayOfWeek : WEEKDAYS
  return {
    week: WEEKDAYS.map((day) => (days.includes(day) ? ranges : [])),
    dates: [day(of.startDate, -Infinity), day(of.endDate, Infinity)],
    duration: [of.minDuration ?? 0, of.maxDuration ?? Infinity],
    energy: [of.minKwh ?? 0, of.maxKwh ?? Infinity],
  }
}

/** The parts of the first that are not in the second; they do not overlap. */
export function without(one: HoldTimes, other: HoldTimes): readonly HoldTimes[] {
  const rest = { ...one, week: subtractWeek(one.week, other.week) }
  const both = { ...one, week: subtractWeek(one.week, subtractWeek(WHOLE_WEEK, other.week)) }
  let left: HoldTimes = both
  const parts: HoldTimes[] = [rest]
  for (const axis of ['dates', 'duration', 'energy'] as const) {
    for (const range of subtract(left[axis], other[axis])) parts.push({ ...left, [axis]: range })
    left = { ...left, [axis]: intersect(left[axis], other[axis]) }
  }
  return parts.filter(isSome)
}

function isSome({ week, dates, duration, energy }: HoldTimes): boolean {
  return week.some((ranges) => ranges.length > 0) && [dates, duration, energy].every(([from, below]) => from < below)
}

function subtractWeek(one: HoldTimes['week'], other: HoldTimes['week']): HoldTimes['week'] {
  return one.map((ranges, at) =>
    (other[at] ?? []).reduce<readonly Range[]>(
      (left, taken) => left.flatMap((range) => subtract(range, taken)),
      ranges,
    ),
  )
}

function subtract([from, below]: Range, [takenFrom, takenBelow]: Range): readonly Range[] {
  const parts: readonly Range[] = [
    [from, Math.min(below, takenFrom)],
    [Math.max(from, takenBelow), below],
  ]
  return takenFrom >= takenBelow ? [[from, below]] : parts.filter(([start, end]) => start < end)
}

function intersect([from, below]: Range, [otherFrom, otherBelow]: Range): Range {
  return [Math.max(from, otherFrom), Math.min(below, otherBelow)]
}

function day(date: string | undefined, absent: number): number {
  return date === undefined ? absent : Date.parse(date) / DAY_MS
}
