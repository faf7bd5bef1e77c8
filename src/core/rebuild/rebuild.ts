/** Decides a session again from the stored messages of its charge point; writes nothing (HOOK-B3). */

import { logIdAt, uuidTime } from '../../domain/message-log/log-id.ts'
import type { ChargePointState, Session } from '../../domain/ports/sessions.ts'
import type { Reads } from '../../domain/ports/storage.ts'
import type { Command } from '../../domain/ports/storage-records.ts'
import type { EventRecord, SettlementEntry } from '../../domain/ports/storage-webhooks.ts'
import { everyRow } from '../../domain/selector.ts'
import type { SessionSettings } from '../../domain/sessions/decision.ts'
import { type PublicSession, representSession } from '../../domain/sessions/figures/representation.ts'
import { replay, type Snapshot, type Step } from './replay.ts'
import { stepsOf } from './steps.ts'

/** Around the session: other messages of the charge point may matter. */
const MARGIN_MS = 24 * 3600_000
const PAGE = 1000

export async function rebuildSession(
  reads: Reads,
  session: Session,
  settings: SessionSettings,
): Promise<{ rows: number; events: number; differences: readonly Difference[] } | undefined> {
  const { accountId, chargePointId, tariff } = session
  const chargePoint = await reads.findChargePoint(chargePointId)
  if (!chargePoint) return undefined
  const events = await reads.listSessionEvents(session.id)
  const ledger = await reads.listSettlements(session.id)
  const lastKnown = Math.max(
    session.stoppedAt ?? 0,
    session.createdAt,
    ...events.map(({ id, time }) => uuidTime(id) ?? time),
    ...ledger.map(({ at }) => at),
  )
  const from = session.createdAt - MARGIN_MS
  const until = lastKnown + MARGIN_MS
  const rows = await rowsBetween(reads, chargePointId, from, until)
  const neighbours = await reads.listSessions({
    accountId,
    chargePointIds: [chargePointId],
    from,
    to: until,
    limit: PAGE,
  })
  const find = (state: ChargePointState): Session | undefined => sameSession(state, session)
  const steps = [
    ...stepsOf(rows, chargePoint, oldestFirst(neighbours)),
    ...stopRequestSteps(neighbours, sameSession),
    ...settlementSteps(ledger, find),
  ]
  const automatic = ledger.some(({ number, by }) => number === 1 && by === 'pilotwire')
  const attempt = (relativeMeter: boolean): readonly Difference[] => {
    const { state, snapshots } = replay({
      chargePoint,
      steps,
      tariff,
      ...(automatic && { automaticSettlement: true as const }),
      relativeMeter,
      settings,
      until: lastKnown,
    })
    return compareSession(session, events, snapshots.get(find(state)?.id ?? '') ?? [])
  }
  const differences = attempt(false)
  // The log does not say when the meter's kind was learned: either start may be right (ENERGY-N3).
  const learned = differences.length > 0 && chargePoint.status.relativeMeter === true ? attempt(true) : differences
  return {
    rows: rows.length,
    events: events.length,
    differences: learned.length < differences.length ? learned : differences,
  }
}

/** A remote start keeps its id; others are known by transaction and creation, as numbers are reused. */
function sameSession(state: ChargePointState, { id, transactionId, createdAt }: Session): Session | undefined {
  const known = state.sessions.get(id)
  if (known || transactionId === undefined) return known
  const distance = (session: Session): number => Math.abs(session.createdAt - createdAt)
  let nearest: Session | undefined
  for (const session of state.sessions.values()) {
    if (session.transactionId !== transactionId) continue
    if (!nearest || distance(session) < distance(nearest)) nearest = session
  }
  return nearest
}

/** Of two sessions of one remote start the first asked for it (SESSION-S5). */
function oldestFirst(sessions: readonly Session[]): readonly Session[] {
  return [...sessions].sort((a, b) => a.createdAt - b.createdAt)
}

/** Oldest first, without those that have no effect. */
async function rowsBetween(reads: Reads, chargePointId: string, from: number, to: number): Promise<readonly Command[]> {
  const query = { chargePointId, fromId: logIdAt(from), toId: logIdAt(to), filter: { excludeMethods: ['Heartbeat'] } }
  const rows = await everyRow<Command>((last, limit) => reads.searchCommands({ ...query, belowId: last?.id, limit }))
  return rows.toReversed()
}

/** Requested stops as steps (SESSION-S9, SESSION-S10), from the sessions. */
function stopRequestSteps(
  sessions: readonly Session[],
  find: (state: ChargePointState, session: Session) => Session | undefined,
): readonly Step[] {
  return sessions.flatMap((session) => {
    const { stopRequestedAt } = session
    if (stopRequestedAt === undefined) return []
    return {
      at: stopRequestedAt,
      // After the messages of that millisecond: one of them may have begun it.
      order: Number.MAX_SAFE_INTEGER,
      input: (state: ChargePointState) => {
        const found = find(state, session)
        return found && { kind: 'remoteStopRequested', sessionId: found.id }
      },
    }
  })
}

// External settlements as steps (COST-L2, COST-L3), from the ledger.

/** Entries with an author; those of the rules follow from the rest (COST-L4, HOOK-M5). */
function settlementSteps(
  entries: readonly SettlementEntry[],
  find: (state: ChargePointState) => Session | undefined,
): readonly Step[] {
  return entries
    .filter(({ by }) => by !== 'pilotwire')
    .map(({ at, energyMilliWh, costMicros, currency }) => ({
      at,
      // After the messages of that millisecond: one of them completed it.
      order: Number.MAX_SAFE_INTEGER,
      input: (state: ChargePointState) => {
        const session = find(state)
        if (!session) return undefined
        // The entry has all figures; unchanged ones were not part of the order and are not fixed by it.
        const newCost = costMicros !== undefined && costMicros !== session.cost?.micros
        return {
          kind: 'settled',
          sessionId: session.id,
          ...(energyMilliWh !== session.energyMilliWh && { energyMilliWh }),
          ...(newCost && { costMicros }),
          ...(newCost && currency !== undefined && { currency }),
        }
      },
    }))
}

/** Compares what the rules make of the log today with what was reported at the time (HOOK-B3). Pure. */
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
function compareSession(
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
