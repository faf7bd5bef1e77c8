/** When an alert begins and when it ends (ALERT-R1, ALERT-R2): pure, one thing at a time. */

import { endOfQuiet } from './quiet-hours.ts'
import type { Alert, AlertRule } from './records.ts'

export interface Standing {
  readonly isRaised: boolean
  readonly since: number
  readonly calmSince?: number | undefined
}

export interface Patience {
  readonly afterMs: number
  /** It ends only when it was not so for this long: what comes and goes is one alert (ALERT-R2). */
  readonly calmMs: number
}

export interface Step {
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
