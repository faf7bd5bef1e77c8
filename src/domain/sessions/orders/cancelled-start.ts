/** A cancelled remote start that comes after all is refused, and what began of it is stopped (SESSION-S9). */

import type { IdTokenRef } from '../../ports/id-tokens.ts'
import type { Session, StationTime } from '../../ports/sessions.ts'
import type { Draft } from '../draft.ts'
import { happenedBefore } from '../own-time.ts'
import { isTerminal } from '../states/transition.ts'
import { sameToken } from './authorise.ts'
import { withStopRequest } from './stop-request.ts'
import { isVirtualIdToken } from './virtual-id-token.ts'

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
