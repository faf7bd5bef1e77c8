/** Folded entries (SESSION-S7): sums give the start and idle time of the entries, whatever stands around them. */
import type { Activity, ActivityEntry } from '../../ports/sessions.ts'

export function lastOrder([order, , , folded]: ActivityEntry): number {
  return folded?.last ?? order
}

export function lastTime([, at, , folded]: ActivityEntry): number {
  return folded?.until ?? at
}

export function activityAtEnd([, , activity, folded]: ActivityEntry): Activity {
  return folded?.activity ?? activity
}

export function chargedAt([, at, activity, folded]: ActivityEntry): number | undefined {
  return activity === 'charging' ? at : folded?.chargedAt
}

export function join(a: ActivityEntry, b: ActivityEntry): ActivityEntry {
  const [order, at, activity] = a
  const charged = chargedAt(a) !== undefined
  const since = suspendedSince(a)
  const over = endOfSuspension(a, b)
  // Suspended from its first entry on: how long also depends on what stands before it.
  const opening = isOpening(a)
  const idle = over !== undefined && !opening ? Math.max(0, over - (since ?? b[1])) : 0
  const [beforeA, afterA] = sums(a)
  const [beforeB, afterB] = sums(b)
  return [
    order,
    at,
    activity,
    {
      last: lastOrder(b),
      until: lastTime(b),
      activity: activityAtEnd(b),
      chargedAt: chargedAt(a) ?? chargedAt(b),
      opening: opening ? over : a[3]?.opening,
      before: beforeA + (charged ? 0 : beforeB + idle),
      after: afterA + afterB + (charged ? beforeB + idle : 0),
      since: isOpening(b) ? (since ?? b[1]) : suspendedSince(b),
    },
  ]
}

/** Milliseconds suspended by the vehicle after the first charging, until the given station time. */
export function sumIdle(entries: readonly ActivityEntry[], until: number): number {
  let charged = false
  let since: number | undefined
  let total = 0
  const close = (at: number): void => {
    if (since !== undefined) total += Math.max(0, Math.min(at, until) - since)
    since = undefined
  }
  for (const entry of entries) {
    const [, at, activity, folded] = entry
    if (!isIdle(activity)) close(at)
    else if (charged) since ??= at
    if (folded) {
      if (folded.opening !== undefined) close(folded.opening)
      total += within((charged ? folded.before : 0) + folded.after, at, folded.until, until)
    }
    charged ||= chargedAt(entry) !== undefined
    if (charged && folded && !isOpening(entry)) since = folded.since
  }
  return since === undefined ? total : total + Math.max(0, until - since)
}

/** Sums that reach beyond the end count in proportion. */
function within(idle: number, from: number, to: number, until: number): number {
  if (to <= until) return idle
  return from >= until ? 0 : Math.round((idle * (until - from)) / (to - from))
}

/** When a suspension at the end of `a` or the begin of `b` is over within `b`; undefined: neither, or not yet. */
function endOfSuspension(a: ActivityEntry, b: ActivityEntry): number | undefined {
  if (isIdle(b[2])) return b[3]?.opening
  return suspendedSince(a) === undefined ? undefined : b[1]
}

function isOpening([, , activity, folded]: ActivityEntry): boolean {
  return isIdle(activity) && folded?.opening === undefined
}

function suspendedSince([, at, activity, folded]: ActivityEntry): number | undefined {
  if (folded) return folded.since
  return isIdle(activity) ? at : undefined
}

function sums([, , , folded]: ActivityEntry): readonly [before: number, after: number] {
  return folded ? [folded.before, folded.after] : [0, 0]
}

/** TARIFF-A4: a pause by the EVSE is none of the vehicle's. */
function isIdle(activity: Activity): boolean {
  return activity === 'suspendedEv'
}

export function isSuspension(activity: Activity): boolean {
  return activity === 'suspendedEv' || activity === 'suspendedEvse'
}
