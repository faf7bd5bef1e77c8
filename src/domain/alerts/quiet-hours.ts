/** Hours without mail (ALERT-R5), by the clocks of a time zone, so also on the days on which those change. */
import { isWithin } from '../hours.ts'
import type { QuietHours } from './records.ts'

const MINUTE_MS = 60_000
const MINUTES_A_DAY = 1440
/** Quiet hours are shorter than a day; a change of the clocks adds less than three hours. */
const MAX_MINUTES = MINUTES_A_DAY + 180

/** The first moment from `now` on that is not within quiet hours, to the minute; `now` itself where it is not. */
export function endOfQuiet(quiet: QuietHours | undefined, now: number): number {
  if (!quiet) return now
  const hours = { start: quiet.from, end: quiet.to, timeZone: quiet.timeZone }
  const isQuiet = (at: number): boolean => isWithin(hours, at)
  if (!isQuiet(now)) return now
  const start = Math.floor(now / MINUTE_MS) * MINUTE_MS
  for (let minute = 1; minute <= MAX_MINUTES; minute++) {
    const at = start + minute * MINUTE_MS
    if (!isQuiet(at)) return at
  }
  return now
}

/** How often one address is written to about one rule (ALERT-M7). */
const GAP_MS = 5 * 60_000

/** When what is due may leave. @param sentAt of the last mail; one in the future (clock put back) holds up nothing */
export function leavesAt(sentAt: number | undefined, quiet: QuietHours | undefined, now: number): number {
  const isTooSoon = sentAt !== undefined && sentAt <= now && now < sentAt + GAP_MS
  return isTooSoon ? endOfQuiet(quiet, sentAt + GAP_MS) : now
}
