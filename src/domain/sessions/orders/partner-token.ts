/**
 * Tokens of roaming partners at our charge points (OCPI-A10): what our copy is worth, when the partner is asked, and
 * what its answer means. Pure; an account without partners has no `partnerTokens`, and nothing here runs.
 */

import type {
  PartnerOfSession,
  PartnerPermit,
  PartnerQuestion,
  PartnerToken,
  PartnerVerdict,
} from '../../partners/records.ts'
import type { BlockDraft, InputOf } from '../../ports/blocks.ts'
import type { Authorisation, IdTokenRef } from '../../ports/id-tokens.ts'
import type { ChargePointState, Outcome, Session, StationTime } from '../../ports/sessions.ts'
import { recordsOf } from '../../records/records-of.ts'
import type { DecisionContext, Input } from '../decision.ts'
import { type Draft, happenedAt } from '../draft.ts'
import { isTerminal } from '../states/transition.ts'

/** OCPI mod_commands: after a command no authorization may be requested for so long. */
const PERMIT_MS = 15 * 60_000
/** Of tokens without a card that could be shown later: never. */
const WITHOUT_CARD: ReadonlySet<string> = new Set(['APP_USER', 'AD_HOC_USER'])
const WITHOUT_CARD_MS = 10 * 365 * 24 * 3600_000
const PERMITS_KEPT = 50
/** A start that waited in the charge point's queue is not asked about: the charge runs since then. */
const LATE_MS = 120_000
const EMAID = 'EMAID'

const permits = recordsOf('partner_permits')

export function permit(draft: BlockDraft, partner: PartnerOfSession, groupId?: string): void {
  const { chargePointId, records } = draft.state
  const all = records.all('partner_permits')
  const old = [...all].sort((one, other) => other.at - one.at).slice(PERMITS_KEPT - 1)
  for (const one of all) if (one.until <= draft.now || old.includes(one)) permits.remove(draft, one)
  const isAsked = partner.authMethod === 'COMMAND' && WITHOUT_CARD.has(partner.type)
  const until = draft.now + (isAsked ? WITHOUT_CARD_MS : PERMIT_MS)
  permits.put(draft, { chargePointId, uid: partner.uid.toLowerCase(), partner, groupId, at: draft.now, until })
}

/** After RESERVE_NOW; START_SESSION has the session (OCPI-A4). */
export function onPartnerPermitted(draft: BlockDraft, { partner, groupId }: InputOf<'partnerPermitted'>): Outcome {
  permit(draft, partner, groupId)
  return {}
}

/** What was answered to a card that is shown before its charge is known when the charge begins. */
export function keepVerdict(draft: Draft, { id }: IdTokenRef, verdict: PartnerVerdict): void {
  if (verdict.allowed === 'yes') permit(draft, verdict.partner, verdict.groupId)
  else if (verdict.allowed === 'no') permits.remove(draft, { uid: id.toLowerCase() })
}

/** A partner's answer is good for one charge; what a command permitted holds for its time. */
export function withPartner(draft: Draft, session: Session, { partner }: Authorisation): Session {
  if (!partner || session.partner) return session
  const uid = partner.uid.toLowerCase()
  if (partner.authMethod === 'AUTH_REQUEST' && permits.find(draft, { uid })) permits.remove(draft, { uid })
  return { ...session, partner }
}

/** Undefined: it is no partner's. @param sessionId the one that the message is about */
export function authorisePartners(
  draft: Draft,
  { id, type }: IdTokenRef,
  sessionId: string | undefined,
  verdict: PartnerVerdict | undefined,
): Authorisation | undefined {
  const { partnerTokens } = draft.context
  if (!partnerTokens) return undefined
  if (verdict?.allowed === 'yes') return accepted(verdict.partner, verdict.groupId)
  if (verdict?.allowed === 'no') return { status: verdict.status }
  const uid = id.toLowerCase()
  const permitted = permits.find(draft, { uid })
  if (permitted && permitted.until > draft.now) return accepted(permitted.partner, permitted.groupId)
  const known = partnerTokens.get(uid)
  const token = known && bestOf(known.tokens)
  // Nothing vouches for a contract whose partner does not answer.
  if (!token) return known?.contractParty && isContract(type) ? { status: 'Invalid' } : undefined
  const session = sessionId === undefined ? undefined : draft.session(sessionId)
  const isItsOwn = session?.partner?.uid.toLowerCase() === uid
  return isGood(token, isItsOwn) ? accepted(ofCopy(token), groupOf(token)) : { status: REFUSED[token.whitelist] }
}

/** @param isItsOwn the charge began with it, so the partner has agreed */
function isGood({ whitelist, valid }: PartnerToken, isItsOwn: boolean): boolean {
  switch (whitelist) {
    case 'ALWAYS':
    case 'ALLOWED':
      return valid
    case 'ALLOWED_OFFLINE':
      return valid || isItsOwn
    case 'NEVER':
      return isItsOwn
  }
}

const REFUSED = { ALWAYS: 'Blocked', ALLOWED: 'Blocked', ALLOWED_OFFLINE: 'Blocked', NEVER: 'Invalid' } as const

function accepted(partner: PartnerOfSession, groupId: string | undefined): Authorisation {
  return { status: 'Accepted', ...(groupId !== undefined && { groupId }), partner }
}

function ofCopy({ partnerId, countryCode, partyId, type, contractId, body, uid }: PartnerToken): PartnerOfSession {
  const spelled = typeof body.uid === 'string' ? body.uid : uid
  return { partnerId, countryCode, partyId, uid: spelled, type, contractId, authMethod: 'WHITELIST' }
}

function groupOf({ body }: PartnerToken): string | undefined {
  return typeof body.group_id === 'string' && body.group_id !== '' ? body.group_id : undefined
}

/** A card before a token of an app, a good one before a bad one, then the newest. */
function bestOf(tokens: readonly PartnerToken[]): PartnerToken | undefined {
  const rank = ({ type, valid }: PartnerToken): number => (WITHOUT_CARD.has(type) ? 0 : 2) + (valid ? 1 : 0)
  return [...tokens].sort((one, other) => rank(other) - rank(one) || other.lastUpdated - one.lastUpdated)[0]
}

function isContract(type: string): boolean {
  return type.toUpperCase() === EMAID
}

/** What has to be asked before this can be decided (OCPI-A10); undefined: nothing. */
export function partnerQuestion(
  state: ChargePointState,
  context: DecisionContext,
  input: Input,
): PartnerQuestion | undefined {
  if (!context.partnerTokens || ('verdict' in input && input.verdict)) return undefined
  const shown = shownIn(state, input)
  if (!shown) return undefined
  const { idToken, ocppEvseId } = shown
  const uid = idToken.id.toLowerCase()
  const known = context.partnerTokens.get(uid)
  if (!known || context.idTokens.has(uid) || isVouchedFor(state, uid)) return undefined
  const permitted = state.records.find('partner_permits', { chargePointId: state.chargePointId, uid })
  if (permitted && settles(permitted, input, context.now)) return undefined
  const { accountId } = state
  const token = bestOf(known.tokens)
  if (token) {
    const { partnerId, countryCode, partyId, type, whitelist, contractId, body } = token
    if (whitelist === 'ALWAYS' || whitelist === 'ALLOWED') return undefined
    const spelled = typeof body.uid === 'string' ? body.uid : idToken.id
    return { accountId, partnerId, countryCode, partyId, type, uid: spelled, contractId, ocppEvseId }
  }
  if (!known.contractParty || !isContract(idToken.type)) return undefined
  return { accountId, ...known.contractParty, uid: idToken.id, type: EMAID, ocppEvseId }
}

/** A card that is shown again is asked about again, unless a command permitted it. */
function settles({ until, partner }: PartnerPermit, { kind }: Input, now: number): boolean {
  return until > now && (kind !== 'authorise' || partner.authMethod === 'COMMAND')
}

function shownIn(state: ChargePointState, input: Input) {
  switch (input.kind) {
    case 'authorise':
      return { idToken: input.idToken, ocppEvseId: undefined }
    case 'started': {
      const isRepeated = [...state.transactions.values()].some(({ startKey }) => startKey === input.startKey)
      return isRepeated || isLate(state, input.at)
        ? undefined
        : { idToken: input.idToken, ocppEvseId: input.connectorId }
    }
    case 'transactionEvent': {
      const { idToken, event, trigger, transactionId, remoteStartId, evseId, at } = input
      const isStart = event !== 'ended' && trigger !== 'StopAuthorized' && remoteStartId === undefined
      const isAuthorised = state.transactions.get(transactionId)?.authorised === true
      return idToken && isStart && !isAuthorised && !isLate(state, at) ? { idToken, ocppEvseId: evseId } : undefined
    }
    default:
      return undefined
  }
}

function isLate({ status }: ChargePointState, at: StationTime): boolean {
  return at.isQueued === true || happenedAt(at, status) < at.receivedAt - LATE_MS
}

/** By a start that was ordered for it here (SESSION-A5). */
function isVouchedFor({ sessions }: ChargePointState, uid: string): boolean {
  for (const { remoteStart, idToken, state } of sessions.values()) {
    if (remoteStart && !isTerminal(state) && idToken?.toLowerCase() === uid) return true
  }
  return false
}
