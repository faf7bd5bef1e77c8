/** Which remote start a transaction belongs to (SESSION-A5, SESSION-O7, SESSION-O8): never by place alone. */

import type { EvsePosition } from '../../energy/place.ts'
import type { IdTokenRef } from '../../ports/id-tokens.ts'
import type { RemoteStart, Session, StationTime } from '../../ports/sessions.ts'
import type { Draft } from '../draft.ts'
import { happenedBefore } from '../own-time.ts'
import { isTerminal } from '../states/transition.ts'
import { sameToken } from './authorise.ts'
import { isVirtualIdToken } from './virtual-id-token.ts'

export interface Signs extends EvsePosition {
  readonly transactionId?: string | undefined
  readonly idToken?: IdTokenRef | undefined
  readonly remoteStartId?: number | undefined
  readonly at: StationTime
}

/**
 * The oldest waiting remote start that these signs name, else one that just expired (SESSION-S5). A person's token
 * names no expired one. Only the station knows a single-use token, so it counts at any connector; the card of the order
 * counts on the connector that was named. A charge from before the order is not its charge (SESSION-T2).
 */
export function findRemoteStart(draft: Draft, signs: Signs): Session | undefined {
  let waiting: Session | undefined
  let elsewhere: Session | undefined
  let expired: Session | undefined
  for (const session of draft.sessionsOfOrders()) {
    const { remoteStart, state, endReason } = session
    if (!remoteStart || remoteStart.matched) continue
    const isNamed = names(session, remoteStart, signs)
    if (!isNamed && !beginsWithItsCard(session, signs)) continue
    const isHere = fitsPlace(session, signs)
    const isSure = isNamed && isSingleUse(remoteStart, signs)
    if (!isSure && (!isHere || isOlder(draft, session, remoteStart, signs))) continue
    if (!isTerminal(state) && isHere) waiting = older(waiting, session)
    else if (!isTerminal(state)) elsewhere = older(elsewhere, session)
    else if (endReason === 'expired' && isSure) expired = older(expired, session)
  }
  return waiting ?? elsewhere ?? expired
}

function names(session: Session, remoteStart: RemoteStart, signs: Signs): boolean {
  // The station itself said which transaction it will be (SESSION-O7), or repeats the number we gave.
  if (signs.transactionId !== undefined && session.transactionId === signs.transactionId) return true
  if (signs.remoteStartId !== undefined) return remoteStart.remoteStartId === signs.remoteStartId
  return signs.idToken !== undefined && sameToken(remoteStart.virtualIdToken, signs.idToken.id)
}

function beginsWithItsCard({ idToken: card }: Session, { idToken, remoteStartId }: Signs): boolean {
  return card !== undefined && idToken !== undefined && remoteStartId === undefined && sameToken(card, idToken.id)
}

/** Cable first: the transaction that the station named had begun. */
function isOlder(draft: Draft, session: Session, { requestedAt }: RemoteStart, { transactionId, at }: Signs): boolean {
  const isItsNumber = transactionId !== undefined && session.transactionId === transactionId
  return !isItsNumber && happenedBefore(draft, at, requestedAt)
}

/** What the station or its number names needs no place. */
function fitsPlace(session: Session, signs: Signs): boolean {
  if (signs.transactionId !== undefined && session.transactionId === signs.transactionId) return true
  if (signs.remoteStartId !== undefined) return true
  return unspecifiedOrEqual(session.evseId, signs.evseId) && unspecifiedOrEqual(session.connectorId, signs.connectorId)
}

function isSingleUse({ virtualIdToken }: RemoteStart, { remoteStartId }: Signs): boolean {
  return remoteStartId !== undefined || isVirtualIdToken(virtualIdToken)
}

export function unspecifiedOrEqual(desired: number | undefined, actual: number | undefined): boolean {
  return desired === undefined || actual === undefined || desired === actual
}

function older(known: Session | undefined, found: Session): Session {
  const since = known?.remoteStart?.requestedAt ?? Number.POSITIVE_INFINITY
  return known && since <= (found.remoteStart?.requestedAt ?? 0) ? known : found
}
