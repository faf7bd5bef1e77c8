/**
 * 2.0.1 TransactionEvent (SESSION-B1 to SESSION-B12): each message adds facts in any order (SESSION-B4), and the
 * session is derived from all of them.
 */

import { addSamples, lastSampleAt } from '../../energy/meter.ts'
import type { Authorisation } from '../../ports/id-tokens.ts'
import type { Activity, Outcome, Session, StationTime } from '../../ports/sessions.ts'
import { reservationUsed } from '../../reservations/rules.ts'
import type { Input } from '../decision.ts'
import { type Draft, type MeteredTransaction, setFlag, withFlags, withoutFlag } from '../draft.ts'
import { roundCost } from '../figures/cost.ts'
import { withTax } from '../figures/station-cost.ts'
import { answeredLimits, withOurCost, withReport } from '../limits/at-station.ts'
import { limitByToken } from '../limits/limits.ts'
import { authorise, authorisedThen, isPayment, withoutSecret } from '../orders/authorise.ts'
import { withPartner } from '../orders/partner-token.ts'
import { findCancelledStart, stopCancelled } from '../orders/remote.ts'
import { transactionRecord, type Writable } from '../records.ts'
import { newestOrder, withActivity } from '../states/activities.ts'
import { bindTransaction } from './bind.ts'
import { followClosed, followOpen } from './follow.ts'
import { trusted } from './orphans.ts'
import { addLate, beginsAnew, bootedSince, endingOf, giveUpNumber, keyOf, mentionOf } from './samples.ts'
import { hasGaps, type Observed, observe, settledOrders } from './sequence.ts'

export type TransactionEvent = Extract<Input, { kind: 'transactionEvent' }>

export function onTransactionEvent(draft: Draft, received: TransactionEvent): Outcome {
  const { transactionId: number } = received
  const transactionId = keyOf(draft.state.transactions, number, mentionOf(received)) ?? number
  const input = transactionId === number ? received : { ...received, transactionId }
  const holder = draft.transaction(transactionId)
  const earlier =
    holder && beginsAnew(draft, holder, input) ? giveUpNumber(draft, holder, input.at.occurredAt) : undefined
  const known = earlier ? undefined : holder
  const { sequenceNumber, digest, at, event } = input
  const bootedAt = known && bootedSince(draft, known)
  const observed = observe(known?.sequence, sequenceNumber, digest, at.occurredAt, { event, bootedAt })
  // SESSION-S9: the user who was accepted for the transaction before keeps it, and a stop is no start.
  const isCancelled = !known?.authorised && !stopsByToken(input) && findCancelledStart(draft, input) !== undefined
  const authorisation =
    input.idToken && (isCancelled ? CANCELLED : authorise(draft, input.idToken, known?.sessionId, input.verdict))
  if (observed.observation !== 'repeated') {
    const bound = bindTransaction(draft, input, number, known, earlier)
    const then = input.idToken && authorisation && authorisedThen(draft, input.idToken, authorisation, at)
    if (then?.status === 'Accepted' && !stopsByToken(input)) {
      limitSession(draft, bound, input)
      if (then.partner) change(draft, bound.sessionId, (session) => withPartner(draft, session, then))
    }
    if (input.reservationId !== undefined || input.idToken) {
      const signs = { ...input, idToken: input.idToken?.id, groupId: then?.groupId, connectorId: undefined }
      if (!stopsByToken(input)) reservationUsed(draft, signs, bound.sessionId)
    }
    if (input.atStation) change(draft, bound.sessionId, (session) => withReport(session, input, observed.newest))
    applyEvent(draft, addFacts(bound, input, observed, then), input)
    if (input.atStation?.cost) change(draft, bound.sessionId, withOurCost)
    if (isCancelled) stopCancelled(draft, transactionId)
  }
  const transactionLimit = answeredLimits(draft, input, observed.observation === 'repeated')
  const decided = outcome(draft, input, authorisation)
  return transactionLimit ? { ...decided, transactionLimit } : decided
}

function change(draft: Draft, sessionId: string, made: (session: Session) => Session): void {
  const session = draft.session(sessionId)
  const after = session && made(session)
  if (after && after !== session) draft.putSession(after)
}

/** SESSION-L2: the card may be shown only after the cable. */
function limitSession(draft: Draft, transaction: MeteredTransaction, { idToken, at }: TransactionEvent): void {
  const session = draft.session(transaction.sessionId)
  if (session && idToken && !isPayment(idToken.type))
    draft.putSession(limitByToken(draft, session, idToken.id, at, transaction.startedAt))
}

const CANCELLED: Authorisation = { status: 'Invalid' }

function stopsByToken({ trigger }: TransactionEvent): boolean {
  return trigger === 'StopAuthorized'
}

/** SESSION-B8, COST-CO2. Derived from the present state, so a repetition gets what its first arrival got. */
function outcome(draft: Draft, { transactionId, event }: TransactionEvent, authorisation?: Authorisation): Outcome {
  const transaction = draft.transaction(transactionId)
  const session = transaction && draft.session(transaction.sessionId)
  if (event !== 'ended') return { authorisation, sessionId: session?.id }
  return { authorisation, sessionId: session?.id, totalCost: totalCost(session), grossCost: grossCost(session) }
}

/** OCPP21-B4 */
function grossCost(session: Session | undefined): number | undefined {
  const { tariff, cost } = session ?? {}
  const gross = withTax(cost?.micros ?? 0, tariff)
  return gross === undefined || !tariff ? undefined : roundCost(gross, tariff.currency)
}

/** OCPP-DR12: what failed without energy is nothing to pay for; leaving it out would say that it was not free. */
function totalCost(session: Session | undefined): number | undefined {
  if (!session?.tariff) return undefined
  return session.cost ? roundCost(session.cost.micros, session.cost.currency) : 0
}

/** SESSION-B6: facts come once and are never cleared; SESSION-B7: what the trigger binds. */
function addFacts(
  bound: MeteredTransaction,
  input: TransactionEvent,
  observed: Observed,
  authorisation: Authorisation | undefined,
): Writable<MeteredTransaction> {
  const { meter, flags } = addSamples(bound.meter, input.samples, {
    evseId: input.evseId,
    connectorId: input.connectorId,
    order: observed.order === undefined ? undefined : 1 + observed.order,
  })
  const { activity, evseId, connectorId } = input
  const idToken = input.idToken && withoutSecret(input.idToken)
  const stops = stopsByToken(input)
  const accepted = authorisation?.status === 'Accepted'
  const facts = transactionRecord(bound)
  facts.evseId ??= evseId
  facts.connectorId ??= connectorId
  if (!stops) facts.idToken ??= idToken
  else if (idToken) facts.stopIdToken = idToken
  if (accepted && !stops) facts.groupId ??= authorisation.groupId
  facts.startedAt = startedAt(bound, input)
  if (activity) facts.activities = activitiesWith(bound, input, observed, activity)
  facts.sequence = observed.sequence
  facts.authorised ||= accepted && !stops
  facts.meter = meter
  facts.flags = withFlags(bound.flags, flags)
  if (observed.observation === 'conflict') facts.flags = withFlags(facts.flags, ['conflict'])
  if (input.at.repaired) facts.flags = withFlags(facts.flags, ['badClock'])
  return facts
}

/** SESSION-B4: the earliest message stands for an unseen start; the start itself says it exactly, however late. */
function startedAt({ startedAt, flags }: MeteredTransaction, { event, at }: TransactionEvent): StationTime {
  if (!flags.includes('recovered')) return startedAt
  return event === 'started' || at.occurredAt < startedAt.occurredAt ? at : startedAt
}

/** A message whose place in the station's order is not known says nothing of what the transaction did since. */
function activitiesWith(
  { activities, meter }: MeteredTransaction,
  { at }: TransactionEvent,
  { order, newest, sequence }: Observed,
  activity: Activity,
): MeteredTransaction['activities'] {
  if (order === undefined) return activities
  const place = newest ? Math.max(order, newestOrder(activities)) : order
  return withActivity(activities, [place, at.occurredAt, activity], settledOrders(sequence), () => lastSampleAt(meter))
}

function applyEvent(draft: Draft, transaction: Writable<MeteredTransaction>, input: TransactionEvent): void {
  if (input.event === 'started') transaction.flags = withoutFlag(transaction.flags, 'recovered')
  const alive = trusted(transaction, draft.now)
  if (input.event === 'ended' && alive.endedBy !== 'station') {
    end(draft, alive, input)
  } else if (!alive.open) {
    addLate(draft, withCompleteness(alive))
  } else {
    followOpen(draft, alive, input.at.occurredAt, isStopping(input))
  }
}

/** Ended is sticky (SESSION-B4); the orphan rule's estimate gives way to it (SESSION-A12). */
function end(draft: Draft, transaction: MeteredTransaction, input: TransactionEvent): void {
  const { sequence } = transaction
  const closed = withCompleteness({
    ...transaction,
    open: false,
    endedBy: 'station',
    stoppedAt: input.at,
    stopReason: stopReason(input),
    stopDigest: input.digest,
    flags: withoutFlag(transaction.flags, 'inferred'),
    sequence: sequence && { ...sequence, ended: input.sequenceNumber },
  })
  followClosed(draft, closed, endingOf)
  // A number that was given up would ask about the transaction that has it now.
  const hasNumber = draft.session(closed.sessionId)?.transactionId === closed.transactionId
  if (closed.flags.includes('incomplete') && hasNumber) {
    draft.ask({ kind: 'transactionStatus', transactionId: transaction.transactionId })
  }
}

/** SESSION-B5: a finding while messages between the first and the last are missing; they may still come. */
function withCompleteness(transaction: MeteredTransaction): MeteredTransaction {
  const { sequence, flags } = transaction
  return { ...transaction, flags: setFlag(flags, 'incomplete', sequence !== undefined && hasGaps(sequence)) }
}

/** SESSION-B7: triggers that name the reason where the station gives none. */
function stopReason({ stoppedReason, trigger }: TransactionEvent): string {
  if (stoppedReason !== undefined) return stoppedReason
  if (trigger === 'Deauthorized') return 'DeAuthorized'
  return trigger === 'EVConnectTimeout' ? 'Timeout' : 'Local'
}

function isStopping({ event, trigger }: TransactionEvent): boolean {
  return event === 'updated' && (trigger === 'StopAuthorized' || trigger === 'RemoteStop')
}
