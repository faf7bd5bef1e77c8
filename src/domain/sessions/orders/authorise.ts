/** Who may charge: what is answered to a token (TOKEN-Z2, SESSION-A4, SESSION-A5, SESSION-B8). */

import { budgetPeriod } from '../../budgets/rules.ts'
import type { EvsePosition } from '../../energy/place.ts'
import { driverTariff } from '../../intents/tariffs.ts'
import type { PartnerVerdict } from '../../partners/records.ts'
import type { Authorisation, IdToken, IdTokenRef } from '../../ports/id-tokens.ts'
import type { RemoteStart, Session, StationTime } from '../../ports/sessions.ts'
import { withPrice } from '../../running-costs/rules.ts'
import { type Draft, happenedAt, happenedBefore } from '../draft.ts'
import { budgetThen } from '../limits/limits.ts'
import { isTerminal } from '../states/transition.ts'
import { authorisePartners, keepVerdict } from './partner-token.ts'
import { isVirtualIdToken } from './virtual-id-token.ts'

/**
 * The status of a token, first match of TOKEN-Z2; unknown ones are created where accepted (TOKEN-Z5), else `Unknown`,
 * or `Invalid` if typed. @param sessionId its own virtual token stays good, so that a repeated stop gets the first
 * answer (SESSION-A12)
 */
export function authorise(
  draft: Draft,
  { id, type }: IdTokenRef,
  sessionId?: string,
  verdict?: PartnerVerdict,
): Authorisation {
  if (type === 'NoAuthorization') return { status: 'Accepted' }
  if (id.trim() === '') return { status: 'Invalid' }
  const remote = sessionOfRemoteToken(draft, id)
  if (remote && isVirtualIdToken(id)) return authoriseRemote(remote, sessionId)
  // OCPP21-C7: the reference of a payment that the station vouches for; no card, whatever cards are called.
  if (isPayment(type)) return remote ? authoriseRemote(remote, sessionId) : { status: 'Accepted' }
  const token = draft.context.idTokens.get(id.toLowerCase())
  if (token) return withOwnGroup(draft, id, authoriseKnown(token, draft.now, draft.context.isUsedUp?.(token)))
  // An unregistered card is accepted for the session of the start that was ordered for it, until that is over.
  const vouched = remote && authoriseRemote(remote, sessionId)
  if (vouched?.status === 'Accepted') return vouched
  const ofPartner = draft.context.partnerTokens && authorisePartners(draft, { id, type }, sessionId, verdict)
  if (ofPartner) return withOwnGroup(draft, id, ofPartner)
  // A token that we made for a remote start that is over belongs to no user, also where unknown cards are accepted.
  if (isVirtualIdToken(id)) return { status: 'Invalid' }
  // C04.FR.01: a wrong code is not the same as an unregistered card.
  if (draft.context.unknownIdTokens === 'reject') return { status: isTyped(type) ? 'Invalid' : 'Unknown' }
  if (!isTyped(type)) {
    draft.addIdToken({ accountId: draft.state.accountId, id, type, status: 'Accepted', createdAt: draft.now })
  }
  return withOwnGroup(draft, id, { status: 'Accepted' })
}

/**
 * SESSION-A5: a start ordered for a card of no group has the card as its single-use token's group. While that session
 * is open here, the card's answer names the same group, or the station would not let it stop the charge.
 */
function withOwnGroup(draft: Draft, id: string, authorisation: Authorisation): Authorisation {
  if (authorisation.status !== 'Accepted' || authorisation.groupId !== undefined) return authorisation
  for (const { state, remoteStart } of draft.sessionsOfOrders()) {
    if (!remoteStart?.isCardGroup || remoteStart.groupId === undefined || isTerminal(state)) continue
    if (sameToken(remoteStart.groupId, id)) return { ...authorisation, groupId: remoteStart.groupId }
  }
  return authorisation
}

/** DRIVER-C4: a card that is shown before a charge is answered with the price. */
export function authoriseShown(draft: Draft, token: IdTokenRef, verdict?: PartnerVerdict): Authorisation {
  const { records, chargePointId } = draft.state
  const { idTokens, tariff, refusedTariffs } = draft.context
  const { limits } = records.find('device_models', { chargePointId }) ?? {}
  const authorisation = authorise(draft, token, undefined, verdict)
  if (verdict) keepVerdict(draft, token, verdict)
  const { tariff: own, language } = idTokens.get(token.id.toLowerCase()) ?? {}
  const priced = withPrice(authorisation, limits, own ?? tariff, language)
  const sent = own && driverTariff(own, limits, draft.status.firmwareVersion, refusedTariffs)
  return sent && priced.status === 'Accepted' ? { ...priced, tariff: sent } : priced
}

/** OCPP-LG5: a code typed on a keypad is a secret; only its presence is kept. */
export function withoutSecret(token: IdTokenRef): IdTokenRef {
  return isTyped(token.type) ? { ...token, id: '***' } : token
}

export function isPayment(type: string): boolean {
  return type.toLowerCase() === 'directpayment'
}

function isTyped(type: string): boolean {
  return type.toLowerCase() === 'keycode'
}

/** Identifiers compare case-insensitively (TOKEN-Z1). */
export function sameToken(a: string, b: string): boolean {
  return a.length === b.length && a.toLowerCase() === b.toLowerCase()
}

/** SESSION-A4: another open, undoubted session of the token here; on this outlet the new start ends it. */
export function chargesElsewhere(draft: Draft, { id }: IdTokenRef, connectorId: number, at: StationTime): boolean {
  for (const transaction of draft.transactions()) {
    if (!transaction.open || transaction.connectorId === connectorId || !transaction.idToken) continue
    // One that comes late had begun before.
    if (transaction.startedAt.occurredAt > at.occurredAt) continue
    if (transaction.flags.includes('suspect') || transaction.flags.includes('historical')) continue
    if (sameToken(transaction.idToken.id, id)) return true
  }
  return false
}

/** That a token was made for, sent with or is the card of; one that runs rather than one that is over. */
function sessionOfRemoteToken(draft: Draft, id: string): Session | undefined {
  let over: Session | undefined
  for (const session of draft.sessions()) {
    const { remoteStart, idToken: card } = session
    if (!remoteStart) continue
    const isCard = card !== undefined && sameToken(card, id)
    if (!isCard && !sameToken(remoteStart.virtualIdToken, id)) continue
    if (!isTerminal(session.state)) return session
    over = session
  }
  return over
}

/** A virtual token is good for its own session only, also where the station starts late (SESSION-S5). */
function authoriseRemote({ id, state, endReason, remoteStart }: Session, sessionId: string | undefined): Authorisation {
  const late = endReason === 'expired' && remoteStart?.matched !== true
  if (isTerminal(state) && !late && id !== sessionId) return { status: 'Invalid' }
  return { status: 'Accepted', ...(remoteStart?.groupId !== undefined && { groupId: remoteStart.groupId }) }
}

/** SESSION-T2: what it was worth when it was shown, where that was long ago. What is answered holds now. */
export function authorisedThen(draft: Draft, { id }: IdTokenRef, now: Authorisation, at: StationTime): Authorisation {
  const token = draft.context.idTokens.get(id.toLowerCase())
  if (!token || (now.status !== 'Expired' && now.status !== 'NoCredit')) return now
  if (!happenedBefore(draft, at, draft.now)) return now
  const happened = happenedAt(at, draft.status)
  const budget = budgetThen(draft, token, at)
  const isOfNow = budget && budgetPeriod(budget.per, happened, draft.context.settings.timeZone).below > draft.now
  return authoriseKnown(token, happened, isOfNow && draft.context.isUsedUp?.(token))
}

/** What a registered token is worth now. */
export function authoriseKnown(
  { status, expiresAt, groupId }: IdToken,
  now: number,
  isUsedUp: boolean | undefined,
): Authorisation {
  const expired = expiresAt !== undefined && expiresAt <= now && (status === 'Accepted' || status === 'NoCredit')
  const worth = status === 'Accepted' && isUsedUp ? 'NoCredit' : status
  return {
    status: expired ? 'Expired' : worth,
    expiresAt,
    groupId,
  }
}

/** Which remote start a transaction belongs to (SESSION-A5, SESSION-O7, SESSION-O8): never by place alone. */
interface Signs extends EvsePosition {
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
