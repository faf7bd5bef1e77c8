import type { DailyHours } from './records/daily-hours.ts'
import { isTimeZone, wallClock } from './time-zone.ts'

const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
const DAY_MINUTES = 24 * 60

/** The end is no part of it. One that ends before it begins goes over midnight; with equal ends it is the whole day. */
export function isWithin({ start, end, timeZone, days }: DailyHours, now: number): boolean {
  if (!isTimeZone(timeZone)) return false
  const local = new Date(wallClock(now, timeZone))
  const today = local.getUTCDay()
  const minute = local.getUTCHours() * 60 + local.getUTCMinutes()
  const [begins = 0, ends = 0] = [minuteOfDay(start), minuteOfDay(end)]
  const lasts = (ends - begins + DAY_MINUTES) % DAY_MINUTES || DAY_MINUTES
  const since = (minute - begins + DAY_MINUTES) % DAY_MINUTES
  if (since >= lasts) return false
  // The part behind midnight belongs to the day before.
  const begun = DAYS[minute >= begins ? today : (today + 6) % 7] ?? ''
  return days === undefined || days.includes(begun)
}

/** `HH:MM` as minutes since midnight; undefined for anything else. */
export function minuteOfDay(text: string): number | undefined {
  const [, hours, minutes] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text) ?? []
  return hours === undefined ? undefined : Number(hours) * 60 + Number(minutes)
}
