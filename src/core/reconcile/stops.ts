/**
 * Stops are carried out (SESSION-S10). That one is wanted stands on its session; here it becomes CALLs, one at a time,
 * until the station says that the transaction has ended or the time of the request is over. A stop may be repeated
 * where its outcome is unknown (OCPP-RP9); a refusal may be for want of the message that the transaction is over.
 */
import type { Session } from '../../domain/ports/sessions.ts'
import { stopWantedUntil } from '../../domain/sessions/orders/stop-request.ts'
import type { CoreContext } from '../context.ts'
import type { Station } from '../memory/station.ts'
import { orderCall } from '../outbound/order-call.ts'
import { pauseAfter, StopAttempts, type StopOutcome } from './stop-attempts.ts'

/** A stop is wanted of one of its transactions. Where the state is not in memory one may be. */
export function wantsStops({ state }: Station): boolean {
  if (!state) return true
  for (const session of state.sessions.values()) if (stopWantedUntil(session) !== undefined) return true
  return false
}

/** Orders what may be sent now, and comes back when the next pause is over. */
export function reconcileStops(context: CoreContext, station: Station): void {
  const { state } = station
  if (!state) {
    comeBack(context, station, pauseAfter('timeout', 1))
    return
  }
  const now = context.clock.now()
  const wanted = new Set<string>()
  let next = Number.POSITIVE_INFINITY
  for (const session of state.sessions.values()) {
    if ((stopWantedUntil(session) ?? 0) <= now || session.transactionId === undefined) continue
    wanted.add(session.transactionId)
    next = Math.min(next, reconcileStop(context, station, session, session.transactionId, now))
  }
  for (const transactionId of station.stops.keys()) if (!wanted.has(transactionId)) station.stops.delete(transactionId)
  comeBack(context, station, next - now)
}

/** @returns when its pause is over; infinity: something else happens first, an answer or a connection. */
function reconcileStop(
  context: CoreContext,
  station: Station,
  session: Session,
  transactionId: string,
  now: number,
): number {
  const attempts = attemptsAt(station, transactionId)
  if (attempts.isOrdered || station.outgoing.stops(transactionId)) return Number.POSITIVE_INFINITY
  const { stopAcceptedAt } = session
  // After a restart only the session tells that it was accepted.
  const isPatient = attempts.isFirst && stopAcceptedAt !== undefined
  const at = isPatient ? stopAcceptedAt + pauseAfter('accepted', 1) : attempts.notBefore
  if (at > now) return at
  // The first one is queued, for whoever looks at the log; all others wait for the connection.
  if (station.connection !== undefined || attempts.isFirst) sendStop(context, station, session, attempts)
  return Number.POSITIVE_INFINITY
}

/** Somebody presses stop: it is not kept waiting for the end of a pause. */
export function stopAskedAgain(station: Station, transactionId: string): void {
  station.stops.get(transactionId)?.askedAgain()
}

/** @returns whether something waits for this connection */
export function stopsReconnected(station: Station): boolean {
  for (const attempts of station.stops.values()) attempts.reconnected()
  return wantsStops(station)
}

/** Through the queue: a state that was dropped is there again. */
function comeBack(context: CoreContext, station: Station, afterMs: number): void {
  station.cancelStopTimer?.()
  station.cancelStopTimer = undefined
  if (afterMs === Number.POSITIVE_INFINITY) return
  station.cancelStopTimer = context.clock.after(afterMs, () => {
    if (context.stations.known(station.id) !== station) return
    context.engine.enqueue({
      stationId: station.id,
      prepare: () => undefined,
      decide: () => undefined,
      committed: (current) => reconcileStops(context, current),
      failed: () => undefined,
    })
  })
}

function attemptsAt(station: Station, transactionId: string): StopAttempts {
  const known = station.stops.get(transactionId)
  if (known) return known
  const attempts = new StopAttempts()
  station.stops.set(transactionId, attempts)
  return attempts
}

function sendStop(context: CoreContext, station: Station, session: Session, attempts: StopAttempts): void {
  const { version } = station
  const { id: sessionId, transactionId } = session
  if (!version || transactionId === undefined) return
  const call = version.remoteStop(transactionId)
  // OCPP-RP13: it came back with a version that cannot say this; it may come back with the other one.
  if (version.validateRequest(call.method, call.request).length > 0) return
  attempts.isOrdered = true
  orderCall(context, {
    stationId: station.id,
    call,
    purpose: { kind: 'stop', sessionId, transactionId },
    expiresAt: stopWantedUntil(session) ?? context.clock.now(),
  })
    .catch((error: Error) => {
      context.log.warn({ chargePoint: station.id, error: error.message }, 'a stop could not be queued')
      attempts.postponed(context.clock.now())
      comeBack(context, station, attempts.notBefore - context.clock.now())
    })
    .finally(() => {
      attempts.isOrdered = false
    })
}

/** What became of a call that was to stop it; `unsent`: it never left. */
export function stopSettled(
  context: CoreContext,
  station: Station,
  transactionId: string,
  outcome: StopOutcome | 'unsent',
): void {
  const attempts = attemptsAt(station, transactionId)
  const now = context.clock.now()
  if (outcome === 'unsent') attempts.postponed(now)
  else attempts.settled(outcome, now)
  reconcileStops(context, station)
}

/** SESSION-S9: the station has named what it will begin, and the start was cancelled: it is told before it begins. */
export function stopBeforeItBegins(context: CoreContext, station: Station, transactionId: string, until: number): void {
  const { version } = station
  const call = version?.remoteStop(transactionId)
  if (!version || !call || version.validateRequest(call.method, call.request).length > 0) return
  orderCall(context, {
    stationId: station.id,
    call,
    purpose: { kind: 'stopBeforeItBegins', transactionId },
    expiresAt: until,
  }).catch((error: Error) =>
    context.log.warn({ chargePoint: station.id, error: error.message }, 'a stop was not queued'),
  )
}
