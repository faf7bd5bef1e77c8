/** Hours of the day in which something may be done, in the time of a place. */
import type { DailyHours } from '../records/daily-hours.ts'
import { isTimeZone, wallClock } from '../time-zone.ts'

const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
const DAY_MINUTES = 24 * 60

/** The end is no part of it. One that ends before it begins goes over midnight; with equal ends it is the whole day. */
export function isWithin({ start, end, timeZone, days }: DailyHours, now: number): boolean {
  if (!isTimeZone(timeZone)) return false
  const local = new Date(wallClock(now, timeZone))
  const today = local.getUTCDay()
  const minute = local.getUTCHours() * 60 + local.getUTCMinutes()
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
