/**
 * What a transaction did, in the station's own order whatever order its messages came in (B4): the newest entry decides
 * the session's state, the first charging its start, the suspended stretches its idle time.
 */
import type { Activity, ActivityEntry, SessionState, Transaction } from './model.ts'

type Activities = readonly ActivityEntry[]
type Ranges = readonly (readonly [number, number])[]

/** More than any real session flips; a station that flaps keeps its first entry and the newest ones. */
const ENTRIES_KEPT = 64

/**
 * Adds an entry at its place. A repetition of its predecessor says nothing new and is left out, unless messages
 * between the two are still missing (`seen` has a gap there) and could turn out to say something else.
 */
export function withActivity(activities: Activities = [], entry: ActivityEntry, seen?: Ranges): Activities {
  const [order, , activity] = entry
  let place = activities.length
  while (place > 0 && (activities[place - 1]?.[0] ?? 0) > order) place--
  const before = activities[place - 1]
  if (before?.[2] === activity && (before[0] === order || !seen || contiguous(seen, before[0], order)))
    return activities
  const entries = [...activities.slice(0, place), entry, ...activities.slice(place)]
  return entries.length > ENTRIES_KEPT ? [...entries.slice(0, 1), ...entries.slice(2)] : entries
}

/** The position after which a message counts as the newest. */
export function newestOrder(activities: Activities = []): number {
  return activities.at(-1)?.[0] ?? 0
}

/** Station time of the first charging. */
export function firstChargingAt(activities: Activities = []): number | undefined {
  return activities.find(([, , activity]) => activity === 'charging')?.[1]
}

/** What the newest activity means for the session (S2 table); undefined: nothing. */
export function seenState(activities: Activities = [], hasCharged: boolean): SessionState | undefined {
  switch (activities.at(-1)?.[2]) {
    case 'charging':
      return 'charging'
    case 'suspendedEv':
    case 'suspendedEvse':
      return 'suspended'
    case 'finishing':
      return 'finishing'
    case 'connected':
    case 'idle':
      return hasCharged ? 'finishing' : 'pending'
    default:
      return undefined
  }
}

export function suspendedBy({ activities = [] }: Transaction): 'ev' | 'evse' {
  return activities.at(-1)?.[2] === 'suspendedEvse' ? 'evse' : 'ev'
}

/** Milliseconds spent suspended after the first charging, until the given station time. */
export function idleMs(activities: Activities = [], until: number): number {
  let charged = false
  let since: number | undefined
  let total = 0
  for (const [, at, activity] of activities) {
    if (activity === 'charging') charged = true
    if (isSuspended(activity)) {
      if (charged) since ??= at
    } else if (since !== undefined) {
      total += Math.max(0, Math.min(at, until) - since)
      since = undefined
    }
  }
  return since === undefined ? total : total + Math.max(0, until - since)
}

function isSuspended(activity: Activity): boolean {
  return activity === 'suspendedEv' || activity === 'suspendedEvse'
}

function contiguous(ranges: Ranges, from: number, to: number): boolean {
  return ranges.some(([first, last]) => first <= from && to <= last)
}
