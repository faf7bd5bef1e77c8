/** Hours without mail (ALERT-R5), by the clocks of a time zone, so also on the days on which those change. */
import { isWithin } from '../hours.ts'
import type { Alert, AlertRule, QuietHours } from './records.ts'

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

/** When an alert begins and when it ends (ALERT-R1, ALERT-R2): pure, one thing at a time. */
export interface Standing {
  readonly isRaised: boolean
  readonly since: number
  readonly calmSince?: number | undefined
}

interface Patience {
  readonly afterMs: number
  /** It ends only when it was not so for this long: what comes and goes is one alert (ALERT-R2). */
  readonly calmMs: number
}

interface Step {
  readonly standing?: Standing | undefined
  readonly change?: 'raised' | 'cleared' | undefined
}

/** @param found it is so now, since that time; absent: it is not. Without a time it is so since it was seen first */
export function nextStanding(
  before: Standing | undefined,
  found: { readonly since?: number | undefined } | undefined,
  { afterMs, calmMs }: Patience,
  now: number,
): Step {
  if (before?.isRaised) return stillRaised(before, found !== undefined, calmMs, now)
  if (!found) return {}
  // A time that is still to come says that a clock was put back: it began now at the latest.
  const since = Math.min(found.since ?? before?.since ?? now, now)
  if (now - since < afterMs) return { standing: { isRaised: false, since } }
  return { standing: { isRaised: true, since }, change: 'raised' }
}

function stillRaised({ since, calmSince }: Standing, isFound: boolean, calmMs: number, now: number): Step {
  if (isFound) return { standing: { isRaised: true, since } }
  const calm = Math.min(calmSince ?? now, now)
  if (now - calm >= calmMs) return { change: 'cleared' }
  return { standing: { isRaised: true, since, calmSince: calm } }
}

/** ALERT-R9: it was on for so long, not counting the quiet hours in which it was raised, and was not escalated yet. */
export function isToEscalate({ escalation, quietHours }: AlertRule, alert: Alert, now: number): boolean {
  if (!escalation || alert.escalatedAt !== undefined) return false
  const afterMs = escalation.afterSeconds * 1000
  // Raised by a clock that was further ahead than it may wait.
  return alert.raisedAt - now > afterMs || now - endOfQuiet(quietHours, alert.raisedAt) >= afterMs
}
