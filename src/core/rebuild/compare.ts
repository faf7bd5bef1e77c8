/** Compares what the rules make of the log today with what was reported at the time (HOOK-B3). Pure. */
import { uuidTime } from '../../domain/message-log/log-id.ts'
import type { Session } from '../../domain/ports/sessions.ts'
import type { EventRecord } from '../../domain/ports/storage-webhooks.ts'
import { type PublicSession, representSession } from '../../domain/sessions/figures/representation.ts'
import type { Snapshot } from './replay.ts'

export interface Difference {
  /** Absent: the session as stored. */
  readonly eventId?: string
  /** A member of Session, or `event` where one side lacks the whole event. */
  readonly member: string
  readonly stored?: unknown
  readonly rebuilt?: unknown
}

/** The log has the time of the decision, not of the arrival, which matters where a station's clock is unusable. */
const TIME_TOLERANCE_MS = 1000

/**
 * Transitions and settlements must match in order; a figure event must show the session as recorded (HOOK-M1).
 * @param events as recorded, oldest first; empty: no longer kept
 */
export function compareSession(
  stored: Session,
  events: readonly EventRecord[],
  snapshots: readonly Snapshot[],
): readonly Difference[] {
  const last = snapshots.at(-1)
  return [
    ...(events.length === 0 ? [] : compareEvents(events, snapshots)),
    ...(last ? compareShown(undefined, representSession(stored), last.session) : [nothing(undefined, stored.state)]),
  ]
}

function compareEvents(events: readonly EventRecord[], snapshots: readonly Snapshot[]): readonly Difference[] {
  const emitted = events.filter(({ kind }) => kind !== 'figures')
  const rebuilt = snapshots.filter(({ kind }) => kind !== 'figures')
  const paired = emitted.flatMap((event, index) => {
    const snapshot = rebuilt[index]
    return snapshot ? compareShown(event.id, dataOf(event), snapshot.session) : [nothing(event.id, dataOf(event).state)]
  })
  const missing = rebuilt
    .slice(emitted.length)
    .map(({ session, kind }): Difference => ({ member: 'event', rebuilt: `${kind} to ${session.state}` }))
  const figures = events
    .filter(({ kind }) => kind === 'figures')
    .flatMap((event) => {
      const snapshot = atTheTimeOf(event, snapshots)
      return snapshot ? compareShown(event.id, dataOf(event), snapshot.session) : [nothing(event.id, 'figures')]
    })
  return [...paired, ...missing, ...figures]
}

/** The state after the causing message, or at the event's time where time caused it. */
function atTheTimeOf({ id, time, causes: [cause] }: EventRecord, snapshots: readonly Snapshot[]): Snapshot | undefined {
  const caused = cause === undefined ? undefined : snapshots.findLast((snapshot) => snapshot.cause === cause)
  const recordedAt = uuidTime(id) ?? time
  return caused ?? snapshots.findLast(({ at }) => at <= recordedAt)
}

function compareShown(eventId: string | undefined, stored: PublicSession, session: Session): readonly Difference[] {
  const rebuilt = representSession({ ...session, id: stored.id })
  const members = new Set([...Object.keys(stored), ...Object.keys(rebuilt)]) as Set<keyof PublicSession>
  return [...members]
    .filter((member) => !same(stored[member], rebuilt[member]))
    .map((member) => ({
      eventId,
      member,
      stored: stored[member],
      rebuilt: rebuilt[member],
    }))
}

function same(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'string' || typeof b !== 'string' || !isTime(a) || !isTime(b)) return false
  return Math.abs(Date.parse(a) - Date.parse(b)) <= TIME_TOLERANCE_MS
}

function isTime(text: string): boolean {
  return /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text)
}

function nothing(eventId: string | undefined, stored: string): Difference {
  return { eventId, member: 'event', stored }
}

function dataOf({ body }: EventRecord): PublicSession {
  return (JSON.parse(body) as { readonly data: PublicSession }).data
}
