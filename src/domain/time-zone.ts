/** What the clocks of a place show, and when its days, weeks and months begin: for hours, budgets, reports, figures. */

export const DAY_MS = 86_400_000

/** Making one takes longer than using it a hundred times; there are some hundred zones. */
const MOST_FORMATS = 1000
const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone)
  if (known) return known
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'gregory',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  if (formats.size >= MOST_FORMATS) formats.clear()
  formats.set(timeZone, made)
  return made
}

/**
 * Whether it is a zone by its name. An offset such as `+01:00` is none: its clocks never change.
 * @example isTimeZone('Europe/Berlin') === true
 */
export function isTimeZone(name: string): boolean {
  if (name.length > 64 || !/^[A-Za-z]/.test(name)) return false
  try {
    formatOf(name)
    return true
  } catch {
    return false
  }
}

/**
 * What the clock on the wall shows, as if it were UTC, in ms; to the second.
 * @param timeZone as IANA names it
 * @throws RangeError where it is none
 */
export function wallClock(at: number, timeZone: string): number {
  const parts = new Map(
    formatOf(timeZone)
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  )
  const part = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0
  return Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'))
}

/** Times from which on, and before which, something counts; ms since the epoch. */
export interface Period {
  readonly from: number
  readonly below: number
}

/** A stretch of the calendar. Weeks begin on Monday. */
export type CalendarPeriod = 'day' | 'week' | 'month'

/** The day, week or month that holds a time, by the clocks of the zone. */
export function periodOf(per: CalendarPeriod, at: number, timeZone: string): Period {
  const local = new Date(wallClock(at, timeZone))
  const [year, month, date] = [local.getUTCFullYear(), local.getUTCMonth(), local.getUTCDate()]
  const first = per === 'month' ? 1 : per === 'week' ? date - ((local.getUTCDay() + 6) % 7) : date
  const next = per === 'month' ? Date.UTC(year, month + 1, 1) : Date.UTC(year, month, first + (per === 'week' ? 7 : 1))
  return { from: firstMoment(Date.UTC(year, month, first), timeZone), below: firstMoment(next, timeZone) }
}

/** The first moment of the day in that zone. */
export function startOfDay(at: number, timeZone: string): number {
  return periodOf('day', at, timeZone).from
}

/** Of the day whose midnight the wall clock shows, or would show: where clocks go forward then, it begins later. */
function firstMoment(midnight: number, timeZone: string): number {
  const offsetAt = (at: number): number => wallClock(at, timeZone) - Math.floor(at / 1000) * 1000
  const offsets = [midnight - DAY_MS, midnight, midnight + DAY_MS].map(offsetAt)
  const isOfDay = (at: number): boolean => wallClock(at, timeZone) >= midnight
  return Math.min(...offsets.map((offset) => midnight - offset).filter(isOfDay))
}
