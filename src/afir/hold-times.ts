/**
 * When an element of a tariff prices: on which minutes of a week, dates, minutes and kilowatt-hours of the charge. The
 * first element that fits prices, so what an earlier one takes is cut out of a later one.
 */
import { minutesOf } from '../domain/tariffs/course.ts'
import { type TariffRestrictions, WEEKDAYS } from '../domain/tariffs/elements.ts'
import { DAY_MS } from '../domain/time-zone.ts'

/** From, and below. */
export type Range = readonly [from: number, below: number]

const AXES = ['week', 'dates', 'duration', 'energy'] as const
/** Minutes from Monday on, some of each day; and one range of days since the epoch, seconds, and kilowatt-hours. */
export type HoldTimes = Readonly<Record<(typeof AXES)[number], readonly Range[]>>

const DAY = 1440

/** Undefined: it depends on what cannot be said here, such as power, or is for reservations. */
export function holdTimes(of: TariffRestrictions = {}): HoldTimes | undefined {
  const inexpressible = [of.minCurrent, of.maxCurrent, of.minPower, of.maxPower, of.reservation]
  if (inexpressible.some((value) => value !== undefined)) return undefined
  const from = minutesOf(of.startTime ?? '00:00')
  const to = minutesOf(of.endTime ?? '00:00') || DAY
  const starts = WEEKDAYS.flatMap((day, at) => (!of.dayOfWeek?.length || of.dayOfWeek.includes(day) ? [at * DAY] : []))
  const rangeOf = (start: number, end: number) => starts.map((at): Range => [at + start, at + end])
  return {
    week: from < to ? rangeOf(from, to) : [...rangeOf(0, to), ...rangeOf(from, DAY)],
    dates: [[day(of.startDate, -Infinity), day(of.endDate, Infinity)]],
    duration: [[of.minDuration ?? 0, of.maxDuration ?? Infinity]],
    energy: [[of.minKwh ?? 0, of.maxKwh ?? Infinity]],
  }
}

/** The parts of the first that are not in the second; they do not overlap. */
export function without(one: HoldTimes, other: HoldTimes): readonly HoldTimes[] {
  const parts: HoldTimes[] = []
  let left = one
  for (const axis of AXES) {
    const rest = subtract(left[axis], other[axis])
    const ranges = axis === 'week' ? [rest] : rest.map((range) => [range])
    for (const some of ranges) parts.push({ ...left, [axis]: some })
    left = { ...left, [axis]: subtract(left[axis], rest) }
  }
  return parts.filter((part) => AXES.every((axis) => part[axis].length > 0))
}

/** By weekday, in minutes of the day. */
export function hoursOf({ week }: HoldTimes): readonly (readonly Range[])[] {
  return WEEKDAYS.map((_, at) =>
    week
      .filter(([from]) => Math.floor(from / DAY) === at)
      .map(([from, below]): Range => [from - at * DAY, below - at * DAY])
      .sort(([one], [other]) => one - other),
  )
}

function subtract(ranges: readonly Range[], taken: readonly Range[]): readonly Range[] {
  return taken.reduce((left, [takenFrom, takenBelow]) => {
    const parts = left.flatMap(([from, below]): readonly Range[] => [
      [from, Math.min(below, takenFrom)],
      [Math.max(from, takenBelow), below],
    ])
    return parts.filter(([from, below]) => from < below)
  }, ranges)
}

function day(date: string | undefined, absent: number): number {
  return date === undefined ? absent : Date.parse(date) / DAY_MS
}
