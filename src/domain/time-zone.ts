/** What the clocks of a place show, and when its days, weeks and months begin: for hours, budgets, reports, figures. */

export const DAY_MS = 86_400_000

/** Making one takes longer than using it a hundred times; there are some hundred zones. */
const MAX_FORMATS = 1000
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
  if (formats.size >= MAX_FORMATS) formats.clear()
  formats.set(timeZone, made)
  return made
}

/** Whether it names a zone. An offset such as `+01:00` does not: its clocks never change. */
export function isTimeZone(name: string): boolean {
  if (name.length > 64 || !/^[A-Za-z]/.test(name)) return false
  try {
    formatOf(name)
    return true
  } catch {
    return false
  }
}

/** The wall clock as if it were UTC, in ms; to the second. @param timeZone IANA's name @throws RangeError for others */
export function wallClock(at: number, timeZone: string): number {
  const parts = new Map(
    formatOf(timeZone)
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  )
  const part = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0
  return Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'))
}

/** What the clocks of the zone are ahead of UTC at a time, in ms. */
export function offsetAt(at: number, timeZone: string): number {
  return wallClock(at, timeZone) - Math.floor(at / 1000) * 1000
}

/** By zone and day of UTC: whether clocks change around it. Nearly no day needs more than this look. */
const changes = new Map<string, boolean>()

/** Whether the clocks of the zone show this time twice, as in the hour that comes again in autumn. */
export function isShownTwice(at: number, timeZone: string): boolean {
  const day = Math.floor(at / DAY_MS)
  const key = `${timeZone} ${day}`
  let isNear = changes.get(key)
  if (isNear === undefined) {
    isNear = offsetAt((day - 1) * DAY_MS, timeZone) !== offsetAt((day + 2) * DAY_MS, timeZone)
    if (changes.size >= MAX_FORMATS) changes.clear()
    changes.set(key, isNear)
  }
  if (!isNear) return false
  const [shown, second] = [wallClock(at, timeZone), Math.floor(at / 1000) * 1000]
  return [-DAY_MS, DAY_MS]
    .map((away) => shown - offsetAt(at + away, timeZone))
    .some((other) => other !== second && wallClock(other, timeZone) === shown)
}

/** @example offsetText(Date.UTC(2026, 9, 25, 0, 30), 'Europe/Berlin') === 'UTC+2' */
export function offsetText(at: number, timeZone: string): string {
  const minutes = Math.round(offsetAt(at, timeZone) / 60_000)
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
  return `UTC${minutes < 0 ? '-' : '+'}${hours}${rest === 0 ? '' : `:${String(rest).padStart(2, '0')}`}`
}

/** Times from which on, and before which, something counts; ms since the epoch. */
export interface Period {
  readonly from: number
  readonly below: number
}

/** A stretch of the calendar. Weeks begin on Monday. */
export type CalendarPeriod = 'day' | 'week' | 'month'

export function periodOf(per: CalendarPeriod, at: number, timeZone: string): Period {
  const local = new Date(wallClock(at, timeZone))
  const [year, month, date] = [local.getUTCFullYear(), local.getUTCMonth(), local.getUTCDate()]
  const first = per === 'month' ? 1 : per === 'week' ? date - ((local.getUTCDay() + 6) % 7) : date
  const next = per === 'month' ? Date.UTC(year, month + 1, 1) : Date.UTC(year, month, first + (per === 'week' ? 7 : 1))
  return { from: firstMoment(Date.UTC(year, month, first), timeZone), below: firstMoment(next, timeZone) }
}

export function startOfDay(at: number, timeZone: string): number {
  return periodOf('day', at, timeZone).from
}

/** Of the day whose midnight the wall clock shows, or would show: where clocks go forward then, it begins later. */
function firstMoment(midnight: number, timeZone: string): number {
  const offsets = [midnight - DAY_MS, midnight, midnight + DAY_MS].map((at) => offsetAt(at, timeZone))
  const isOfDay = (at: number): boolean => wallClock(at, timeZone) >= midnight
  return Math.min(...offsets.map((offset) => midnight - offset).filter(isOfDay))
}
