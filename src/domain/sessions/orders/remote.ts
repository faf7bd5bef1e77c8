/** What the API asks of a charge point, and what came of it (SESSION-O1, SESSION-O7, SESSION-S4). */

import type { IdTokenRef } from '../../ports/id-tokens.ts'
import type { Outcome, Session, StationTime } from '../../ports/sessions.ts'
import type { Input } from '../decision.ts'
import { type Draft, happenedBefore } from '../draft.ts'
import { tariffByToken } from '../limits/limits.ts'
import { isTerminal } from '../states/transition.ts'
import { bindRemoteStart } from '../transactions/bind.ts'
import { followOpen } from '../transactions/follow.ts'
import { sameToken } from './authorise.ts'
import { permit } from './partner-token.ts'
import { withStopRequest } from './stop-request.ts'
import { isVirtualIdToken } from './virtual-id-token.ts'

type Requested = Extract<Input, { kind: 'remoteStartRequested' }>
type StartAnswered = Extract<Input, { kind: 'remoteStartAnswered' }>
type StopRequested = Extract<Input, { kind: 'remoteStopRequested' }>
type StopAnswered = Extract<Input, { kind: 'remoteStopAnswered' }>

/** The session exists, pending, before the command leaves (SESSION-S1). */
export function onRemoteStartRequested(draft: Draft, input: Requested): Outcome {
  const { sessionId, evseId, connectorId, idToken, externalReference, limits, tariff, priority, partner, remoteStart } =
    input
  if (draft.session(sessionId)) return { sessionId }
  draft.putSession({
    id: sessionId,
    accountId: draft.state.accountId,
    chargePointId: draft.state.chargePointId,
    state: 'pending',
    energyMilliWh: 0,
    externalReference,
    createdAt: draft.now,
    version: 1,
    evseId,
    connectorId,
    idToken,
    flags: [],
    limits,
    tariff: tariffByToken(draft, { evseId, connectorId }, tariff),
    priority,
    partner,
    remoteStart,
  })
  if (partner) permit(draft, partner)
  return { sessionId }
}

/** After a time-out or a lost connection the start may still come until its deadline (SESSION-S4, OCPP-RP9). */
export function onRemoteStartAnswered(draft: Draft, { sessionId, outcome, transactionId }: StartAnswered): Outcome {
  const session = draft.session(sessionId)
  if (!session?.remoteStart || session.remoteStart.matched) return {}
  if (session.endReason === 'cancelled') {
    // SESSION-S9: by this name it is known when it begins; cable first, it has begun.
    if (transactionId !== undefined) draft.putSession({ ...session, transactionId })
    if (transactionId !== undefined) stopCancelled(draft, transactionId)
    return { sessionId }
  }
  if (outcome === 'rejected' && session.state === 'pending') {
    draft.putSession({ ...session, state: 'failed', endReason: 'rejected' })
  }
  if (outcome === 'accepted' && transactionId !== undefined && !isTerminal(session.state)) {
    nameTransaction(draft, session, transactionId)
  }
  return { sessionId }
}

/** SESSION-O7: it names the transaction, which may run already (cable first), or may use a number again. */
function nameTransaction(draft: Draft, session: Session, transactionId: string): void {
  const transaction = draft.transaction(transactionId)
  if (!transaction?.open) draft.putSession({ ...session, transactionId })
  else followOpen(draft, bindRemoteStart(draft, transaction, session, true), transaction.startedAt.occurredAt)
}

/** SESSION-S9: a waiting start is cancelled; SESSION-S10: a charge is to stop. @returns `refused`: the session ended */
export function onRemoteStopRequested(draft: Draft, { sessionId }: StopRequested): Outcome {
  const session = draft.session(sessionId)
  if (!session) return { refused: 'session_not_found' }
  const { transactionId } = session
  if (isTerminal(session.state)) return { sessionId, refused: 'session_ended' }
  draft.putSession(
    isWaiting(session)
      ? { ...session, state: 'failed', endReason: 'cancelled', stopRequestedAt: draft.now }
      : withStopRequest(session, draft.now),
  )
  return { sessionId, transactionId }
}

/** No transaction has begun of it, though its station may have said which one it will be (SESSION-O7). */
export function isWaiting({ state, transactionId, remoteStart }: Session): boolean {
  return state === 'pending' && (transactionId === undefined || (remoteStart !== undefined && !remoteStart.matched))
}

/** Only an accepted stop is a transition (SESSION-S2). */
export function onRemoteStopAnswered(draft: Draft, { sessionId, outcome }: StopAnswered): Outcome {
  const session = draft.session(sessionId)
  if (!session || isTerminal(session.state)) return {}
  const transaction = session.transactionId === undefined ? undefined : draft.transaction(session.transactionId)
  if (outcome === 'accepted' && transaction?.open) followOpen(draft, transaction, draft.now, true)
  return { sessionId }
}

/** SESSION-S4: nothing came of it in time. `deadline`: infinity expires all that still wait. */
export function expireRemoteStarts(draft: Draft, deadline = draft.now): void {
  for (const session of draft.sessions()) {
    const expiry = remoteStartExpiry(session)
    if (expiry !== undefined && expiry <= deadline) {
      draft.putSession({ ...session, state: 'failed', endReason: 'expired' })
    }
  }
}

/** When a remote start that still waits gives up; undefined, never, for any other session. */
export function remoteStartExpiry({ remoteStart, state }: Session): number | undefined {
  return remoteStart && !remoteStart.matched && !isTerminal(state) ? remoteStart.expiresAt : undefined
}

/** A cancelled remote start that comes after all is refused, and what began of it is stopped (SESSION-S9). */
interface StartSigns {
  readonly transactionId?: string | undefined
  readonly idToken?: IdTokenRef | undefined
  readonly remoteStartId?: number | undefined
  /** What the station says made it begin (SESSION-B7). */
  readonly trigger?: string | undefined
  readonly at: StationTime
}

/** By what only our order named; a person's card only where the station says that a remote start is meant. */
export function findCancelledStart(draft: Draft, signs: StartSigns): Session | undefined {
  return draft.sessionsOfOrders().find((session) => session.endReason === 'cancelled' && isNamed(draft, session, signs))
}

function isNamed(draft: Draft, { remoteStart, transactionId }: Session, signs: StartSigns): boolean {
  if (!remoteStart) return false
  if (signs.remoteStartId !== undefined) return remoteStart.remoteStartId === signs.remoteStartId
  const { virtualIdToken, expiresAt, requestedAt } = remoteStart
  const isItsToken = signs.idToken !== undefined && sameToken(signs.idToken.id, virtualIdToken)
  if (isItsToken && isVirtualIdToken(virtualIdToken)) return true
  if (isItsToken && signs.trigger === 'RemoteStart') return !happenedBefore(draft, signs.at, requestedAt)
  // The station said so (SESSION-O7); it may give that number again, later or to a card.
  const isItsNumber = transactionId !== undefined && transactionId === signs.transactionId && draft.now <= expiresAt
  return isItsNumber && signs.idToken === undefined
}

/** A user who was accepted for it meanwhile keeps it. */
export function stopCancelled(draft: Draft, transactionId: string): void {
  const transaction = draft.transaction(transactionId)
  if (!transaction?.open || transaction.authorised) return
  const session = draft.session(transaction.sessionId)
  if (!session || isTerminal(session.state) || session.stopRequestedAt !== undefined) return
  draft.putSession(withStopRequest(session, draft.now))
}
