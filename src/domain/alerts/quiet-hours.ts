/**
 * Hours in which nobody wants mail (ALERT-R5): by the clocks of a time zone, so also on the days on which those change.
 */
import { wallClock } from '../time-zone.ts'
import type { QuietHours } from './records.ts'

const MINUTE_MS = 60_000
const MINUTES_A_DAY = 1440
/** Quiet hours are shorter than a day; a change of the clocks adds less than three hours. */
const LONGEST_MINUTES = MINUTES_A_DAY + 180

/** `HH:MM` as minutes since midnight; undefined for anything else. */
export function minuteOfDay(text: string): number | undefined {
  const [, hours, minutes] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text) ?? []
  return hours === undefined ? undefined : Number(hours) * 60 + Number(minutes)
}

/** The first moment from `now` on that is not within quiet hours, to the minute; `now` itself where it is not. */
export function endOfQuiet(quiet: QuietHours | undefined, now: number): number {
  if (!quiet) return now
  const isQuiet = (at: number): boolean => {
    const local = new Date(wallClock(at, quiet.timeZone))
    return contains(quiet, local.getUTCHours() * 60 + local.getUTCMinutes())
  }
  if (!isQuiet(now)) return now
  const start = Math.floor(now / MINUTE_MS) * MINUTE_MS
  for (let minute = 1; minute <= LONGEST_MINUTES; minute++) {
    const at = start + minute * MINUTE_MS
    if (!isQuiet(at)) return at
  }
  return now
}

function contains({ from, to }: QuietHours, minute: number): boolean {
  const [start = 0, end = 0] = [minuteOfDay(from), minuteOfDay(to)]
  return start <= end ? minute >= start && minute < end : minute >= start || minute < end
}
