/** What the API asks of a charge point, and what came of it (SESSION-O1, SESSION-O7, SESSION-S4). */

import type { Outcome, Session } from '../../ports/sessions.ts'
import type { Input } from '../decision.ts'
import type { Draft } from '../draft.ts'
import { isTerminal } from '../states/transition.ts'
import { bindRemoteStart } from '../transactions/bind.ts'
import { followOpen } from '../transactions/follow.ts'
import { stopCancelled } from './cancelled-start.ts'
import { withStopRequest } from './stop-request.ts'

type Requested = Extract<Input, { kind: 'remoteStartRequested' }>
type StartAnswered = Extract<Input, { kind: 'remoteStartAnswered' }>
type StopRequested = Extract<Input, { kind: 'remoteStopRequested' }>
type StopAnswered = Extract<Input, { kind: 'remoteStopAnswered' }>

/** The session exists, pending, before the command leaves (SESSION-S1). */
export function onRemoteStartRequested(draft: Draft, input: Requested): Outcome {
  const { sessionId, evseId, connectorId, idToken, externalReference, limits, priority, remoteStart } = input
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
    priority,
    remoteStart,
  })
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
