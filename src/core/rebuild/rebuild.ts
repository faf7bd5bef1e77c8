/** Decides a session again from the stored messages of its charge point; writes nothing (HOOK-B3). */
import { everyRow } from '../../domain/every-page.ts'
import { logIdAt, uuidTime } from '../../domain/message-log/log-id.ts'
import type { ChargePointState, Session } from '../../domain/ports/sessions.ts'
import type { Command, Reads } from '../../domain/ports/storage.ts'
import type { SessionSettings } from '../../domain/sessions/decision.ts'
import { compareSession, type Difference } from './compare.ts'
import { replay } from './replay.ts'
import { settlementSteps } from './settlement-steps.ts'
import { stepsOf } from './steps.ts'
import { stopRequestSteps } from './stop-request-steps.ts'

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
