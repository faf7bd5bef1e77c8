/**
 * SESSION-S10: a session's stop becomes CALLs, one at a time, until the transaction or the request is over. Repeated
 * where the outcome is unknown (OCPP-RP9); a refusal may only mean that the final message is still queued.
 */

import { countedAt } from '../../domain/budgets/rules.ts'
import type { Session } from '../../domain/ports/sessions.ts'
import { stopDueUntil } from '../../domain/sessions/orders/stop-request.ts'
import { isTerminal } from '../../domain/sessions/states/transition.ts'
import type { CoreContext } from '../context.ts'
import type { Station } from '../memory/station.ts'
import { orderCall } from '../outbound/order-call.ts'
import { decideAnd } from './decide-now.ts'
import { pauseAfter, StopAttempts, type StopOutcome } from './stop-attempts.ts'
import type { Subject, Task } from './subject.ts'

interface Stop extends Task {
  readonly session: Session
}

export const stops: Subject<Stop> = {
  name: 'stops',
  records: [],
  purposes: ['stop', 'stopBeforeItBegins'],
  due(station, now) {
    const { connection, version } = station
    return desired(station, now).flatMap(([key, session]): readonly Stop[] => {
      const isFirst = station.stops.get(key)?.isFirst ?? true
      const isOver = pauseOf(station, key, session) <= now
      // The first is queued, to show in the log; all others wait for the connection.
      if (!isOver || !version || (connection === undefined && !isFirst)) return []
      const call = version.remoteStop(key)
      // OCPP-RP13: its present version cannot express this; the next one may.
      return version.validateRequest(call.method, call.request).length > 0 ? [] : [{ key, session }]
    })
  },
  async order(context, station, { key: transactionId, session }) {
    const { version } = station
    if (!version) return
    const attempts = attemptsAt(station, transactionId)
    try {
      await orderCall(context, {
        stationId: station.id,
        call: version.remoteStop(transactionId),
        purpose: { kind: 'stop', sessionId: session.id, transactionId },
        expiresAt: stopDueUntil(session) ?? context.clock.now(),
      })
    } catch (error) {
      attempts.postponed(context.clock.now())
      throw error
    }
  },
  dueAgainAt(station, now) {
    const pauses = desired(station, now).map(([key, session]) => pauseOf(station, key, session))
    const next = Math.min(...pauses.filter((at) => at > now))
    return next === Number.POSITIVE_INFINITY ? undefined : next
  },
  reconnected(station) {
    const { state } = station
    for (const [transactionId, attempts] of station.stops) {
      if (state && !state.transactions.has(transactionId)) station.stops.delete(transactionId)
      else attempts.reconnected()
    }
    // Without the state in memory a stop may be due.
    return !state || [...state.sessions.values()].some((session) => stopDueUntil(session) !== undefined)
  },
}

function desired({ state, outgoing }: Station, now: number): readonly (readonly [string, Session])[] {
  return [...(state?.sessions.values() ?? [])].flatMap((session) => {
    const { transactionId } = session
    if ((stopDueUntil(session) ?? 0) <= now || transactionId === undefined) return []
    return outgoing.stops(transactionId) ? [] : [[transactionId, session] as const]
  })
}

function pauseOf({ stops: all }: Station, transactionId: string, { stopAcceptedAt }: Session): number {
  const attempts = all.get(transactionId)
  // After a restart only the session shows the acceptance.
  const isPatient = (attempts?.isFirst ?? true) && stopAcceptedAt !== undefined
  return isPatient ? stopAcceptedAt + pauseAfter('accepted', 1) : (attempts?.notBefore ?? 0)
}

function attemptsAt(station: Station, transactionId: string): StopAttempts {
  const known = station.stops.get(transactionId)
  if (known) return known
  const attempts = new StopAttempts()
  station.stops.set(transactionId, attempts)
  return attempts
}

export function stopAskedAgain(station: Station, transactionId: string): void {
  station.stops.get(transactionId)?.askedAgain()
}

/** Outcome of a stop call; `unsent`: it never left. */
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
}

/** SESSION-S9: the start was cancelled and the station names its transaction early: stops it before it begins. */
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

/** Stops a charge whose card has used up its budget (TOKEN-Z6): checked when a charge here adds to it. */
interface Watched extends Task {
  readonly budgetOf: string
  readonly began: number
  /** SESSION-T5: its end may be about to come. */
  readonly queuedUntil: number
}

export const budgets: Subject<Watched> = {
  name: 'budgets',
  records: ['budget_sums'],
  purposes: [],
  due: (station, now) => watchedOf(station).filter(({ queuedUntil }) => queuedUntil <= now),
  dueAgainAt(station, now) {
    const waiting = watchedOf(station).flatMap(({ queuedUntil }) => (queuedUntil > now ? [queuedUntil] : []))
    return waiting.length > 0 ? Math.min(...waiting) : undefined
  },
  async order(context, { id: stationId, chargePoint: { accountId } }, { key: sessionId, budgetOf, began }) {
    const { store, stations } = context
    const [card] = await store.loadIdTokens(accountId, [budgetOf])
    const reached = card?.budget && (await stations.budgets.reached(card, card.budget, began))
    if (!reached) return
    const input = { kind: 'budgetUsedUp', sessionId, reached } as const
    const { station } = await decideAnd(context, stationId, input, (made) =>
      made.decision.changes.sessions ? context.decisions.applied(made.station, made.decision) : undefined,
    )
    context.desired.reconciler.wake(station)
  },
}

function watchedOf({ state }: Station): readonly Watched[] {
  return state ? [...state.sessions.values()].flatMap((session) => watched(session) ?? []) : []
}

function watched(session: Session): Watched | undefined {
  const { id, state, stopRequestedAt, limits } = session
  if (limits?.budgetOf === undefined || stopRequestedAt !== undefined || isTerminal(state)) return undefined
  return { key: id, budgetOf: limits.budgetOf, began: countedAt(session), queuedUntil: limits.queuedUntil ?? 0 }
}
