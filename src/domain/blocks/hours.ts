/** Hours of the day in which something may be done, in the time of a place. */
import type { DailyHours } from '../records/daily-hours.ts'

const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
const DAY_MINUTES = 24 * 60

/** Making one takes longer than using it a hundred times. */
const formats = new Map<string, Intl.DateTimeFormat>()
const MOST_FORMATS = 100

/** @returns undefined for a name that is no time zone */
function formatOf(timeZone: string): Intl.DateTimeFormat | undefined {
  const known = formats.get(timeZone)
  if (known) return known
  try {
    const made = new Intl.DateTimeFormat('en-GB', {
      timeZone,
      weekday: 'short',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    })
    if (formats.size >= MOST_FORMATS) formats.clear()
    formats.set(timeZone, made)
    return made
  } catch {
    return undefined
  }
}

/** @example isTimeZone('Europe/Berlin') === true */
export function isTimeZone(name: string): boolean {
  return formatOf(name) !== undefined
}

/** The end is no part of it. One that ends before it begins goes over midnight; with equal ends it is the whole day. */
export function isWithin({ start, end, timeZone, days }: DailyHours, now: number): boolean {
  const format = formatOf(timeZone)
  if (!format) return false
  const parts = new Map(format.formatToParts(now).map(({ type, value }) => [type, value]))
  const today = DAYS.indexOf(parts.get('weekday')?.toLowerCase() ?? '')
  const minute = Number(parts.get('hour')) * 60 + Number(parts.get('minute'))
  const begins = minutesOf(start)
  const lasts = (minutesOf(end) - begins + DAY_MINUTES) % DAY_MINUTES || DAY_MINUTES
  const since = (minute - begins + DAY_MINUTES) % DAY_MINUTES
  if (since >= lasts) return false
  // The part behind midnight belongs to the day before.
  const begun = DAYS[minute >= begins ? today : (today + 6) % 7] ?? ''
  return days === undefined || days.includes(begun)
}

function minutesOf(clock: string): number {
  const [hours = 0, minutes = 0] = clock.split(':').map(Number)
  return hours * 60 + minutes
}
