/**
 * What a transaction did, in the station's order (SESSION-B4): the newest entry decides the session's state, the first
 * charging its start, suspended stretches its idle time. Entries that nothing can come between any more are folded into
 * sums: none is forgotten (SESSION-S7).
 */

import { STEP_BACK } from '../../energy/plausibility.ts'
import type { ActivityEntry, SessionState, Transaction } from '../../ports/sessions.ts'
import { activityAtEnd, chargedAt, join, lastOrder, lastTime, sumIdle } from './folded-activities.ts'

type Activities = readonly ActivityEntry[]
type Ranges = readonly (readonly [number, number])[]

/** Position of a charging that a start implies, and that the connector has not confirmed. */
export const ASSUMED = -1
/** Kept one by one, for a stop that the station dates before the newest of them. */
const NEWEST_KEPT = 32
/** Folding writes what stands behind it anew, so it is done for many at once. */
const FOLDED_EVERY = 32
/** A station may leave out messages for ever (SESSION-B5): beyond this many holes the oldest are taken for good. */
const HOLES_KEPT = 1024

/**
 * Adds an entry at its place. A repetition of its predecessor is left out, unless messages between them are missing
 * (`seen` has a gap). @param sampledAt the newest sample: where the orphan rule would end it (SESSION-A15).
 */
export function withActivity(
  activities: Activities = [],
  entry: ActivityEntry,
  seen?: Ranges,
  sampledAt?: () => number | undefined,
): Activities {
  const [order, , activity] = entry
  let place = activities.length
  while (place > 0 && (activities[place - 1]?.[0] ?? 0) > order) place--
  const before = activities[place - 1]
  if (before) {
    // Between what was folded nothing can come any more.
    if (lastOrder(before) > order) return activities
    if (activityAtEnd(before) === activity && contiguous(seen, lastOrder(before), order)) return activities
  }
  const entries = activities.toSpliced(place, 0, entry)
  const isFull = entries.length > NEWEST_KEPT + FOLDED_EVERY && entries.length % FOLDED_EVERY === 0
  return isFull ? folded(entries, seen, sampledAt?.()) : entries
}

/** The position after which a message counts as the newest. */
export function newestOrder(activities: Activities = []): number {
  const newest = activities.at(-1)
  return newest ? lastOrder(newest) : 0
}

export function newestTime(activities: Activities = []): number {
  const newest = activities.at(-1)
  return newest ? lastTime(newest) : 0
}

export function firstChargingAt(activities: Activities = []): number | undefined {
  for (const entry of activities) {
    const at = chargedAt(entry)
    if (at !== undefined) return at
  }
  return undefined
}

/** What the newest activity means for the session (SESSION-S2); undefined: nothing. */
export function seenState(activities: Activities = [], hasCharged: boolean): SessionState | undefined {
  const newest = activities.at(-1)
  switch (newest && activityAtEnd(newest)) {
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
  const newest = activities.at(-1)
  return newest && activityAtEnd(newest) === 'suspendedEvse' ? 'evse' : 'ev'
}

/** Milliseconds spent suspended after the first charging, until the given station time. */
export function idleMs(activities: Activities = [], until: number): number {
  return sumIdle(activities, until)
}

/** COST-L1: what never said that it charges, and took no energy, did not. */
export function idleOf(activities: Activities = [], until: number, energyMilliWh: number): number {
  return activities[0]?.[0] === ASSUMED && energyMilliWh <= STEP_BACK ? 0 : sumIdle(activities, until)
}

function folded(entries: Activities, seen: Ranges | undefined, sampledAt: number | undefined): Activities {
  const older: ActivityEntry[] = []
  for (const entry of entries.slice(0, -NEWEST_KEPT)) {
    const before = older.at(-1)
    if (before && contiguous(seen, lastOrder(before), entry[0]) && onOneSide(before, entry, sampledAt)) {
      older[older.length - 1] = join(before, entry)
    } else older.push(entry)
  }
  if (older.length > HOLES_KEPT) older.splice(0, HOLES_KEPT / 2, older.slice(0, HOLES_KEPT / 2).reduce(join))
  return [...older, ...entries.slice(-NEWEST_KEPT)]
}

/** No sum reaches across the time where the transaction may end, so that its parts can be separated then. */
function onOneSide(before: ActivityEntry, after: ActivityEntry, at: number | undefined): boolean {
  return at === undefined || lastTime(before) > at || lastTime(after) <= at
}

/** Whether both lie in one of the rising ranges. */
function contiguous(ranges: Ranges | undefined, from: number, to: number): boolean {
  if (!ranges || from === to) return true
  let low = 0
  let high = ranges.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((ranges[middle]?.[0] ?? 0) <= from) low = middle + 1
    else high = middle
  }
  return to <= (ranges[low - 1]?.[1] ?? Number.NEGATIVE_INFINITY)
}
