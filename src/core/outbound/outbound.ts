/**
 * Our CALLs: one open per connection (OCPP-RP4), stored before it leaves (OCPP-RP15); a late answer corrects a time-out
 * (OCPP-RP7, OCPP-RP8); `dropped` when the connection ends or the wait was too long (OCPP-RP9, SESSION-O5).
 */

import { lookups } from '../../domain/blocks/decide.ts'
import { noAnswerIn, REASONS } from '../../domain/bulk-orders/records.ts'
import type { Purpose, StoredCall } from '../../domain/outgoing-calls/records.ts'
import type { CommandAnswer } from '../../domain/ports/storage-records.ts'
import type { BlockInput } from '../../domain/records/records.ts'
import type { Input, Request } from '../../domain/sessions/decision.ts'
import { mask, maskText } from '../../ocpp/mask.ts'
import { orderedAvailability } from '../../ocpp/orders/usual-commands.ts'
import { type Verdict, verdictOf, wholeAnswer } from '../../ocpp/orders/verdict.ts'
import { callText, errorText } from '../../ocpp/rpc/frame.ts'
import { type OutgoingCall, object } from '../../ocpp/translate/payload.ts'
import type { OcppVersion } from '../../ocpp/version.ts'
import { type CoreContext, decideOn, NO_CHANGES, type PurposeRule, type Purposes } from '../context.ts'
import type { Station } from '../memory/station.ts'
import { type CallOutcome, UNSENT } from './call-outcome.ts'
import { AskedFor, asksForMessages, type Claim, type QueuedCall } from './outgoing-queue.ts'
import { callOf, removes, versionOf, withRecord } from './stored-call.ts'

/** Retry after the database refused the commit before a CALL. */
const RETRY_MS = 5_000

export function pump(context: CoreContext, station: Station): void {
  dropExpired(context, station)
  const { connection, version, outgoing } = station
  if (connection === undefined || !version || station.isHeld) return
  // A station may come back with another version; calls written for the old one are dropped.
  for (const foreign of outgoing.takeForeign(version.protocol)) settle(context, station, foreign, UNSENT)
  dropNeedless(context, station)
  const next = outgoing.next(({ call }) => mayBeSent(station, call.method))
  const claim = next && outgoing.claim(connection)
  if (!claim) return
  let isMarked = false
  context.engine.enqueue({
    stationId: station.id,
    decide(current) {
      const decision = decideOn(context, current, { kind: 'callSent', id: next.stored.id })
      isMarked = outgoing.waits(next) && decision.outcome.refused === undefined
      return isMarked ? context.decisions.applied(current, decision) : undefined
    },
    committed() {
      if (isMarked) return sendNow(context, station, claim, next)
      outgoing.giveUp(claim)
      for (const lost of outgoing.takeWaiting((call) => call === next)) settle(context, station, lost, UNSENT)
      pump(context, station)
    },
    failed() {
      outgoing.giveUp(claim)
      context.clock.after(RETRY_MS, () => {
        if (context.stations.known(station.id) === station) pump(context, station)
      })
    },
  })
}

export function sendNow(context: CoreContext, station: Station, claim: Claim, queued: QueuedCall): void {
  const { outgoing } = station
  const { stored, call } = queued
  const isNeedless = isOver(context.outgoing.purposes, station, queued, versionOf(stored))
  if (isNeedless || station.connection !== claim.connection || !outgoing.leave(claim, queued)) {
    outgoing.giveUp(claim)
    if (!isNeedless && outgoing.waits(queued)) storeAsWaiting(context, station, queued)
    pump(context, station)
    return
  }
  watchExpiry(context, station)
  if (asksForMessages(call)) {
    station.askedFor ??= new AskedFor()
    station.askedFor.add(call)
  }
  context.sockets.send(claim.connection, callText(stored.messageId, call.method, call.request))
  const { clock, settings } = context
  station.callTimeout.set(clock, clock.now() + settings.callTimeoutMs, () => {
    const timedOut = outgoing.takeTimedOut(stored.messageId)
    if (timedOut) settle(context, station, timedOut, { status: 'timeout' })
    pump(context, station)
  })
}

function storeAsWaiting(context: CoreContext, station: Station, queued: QueuedCall): void {
  context.engine.enqueue({
    stationId: station.id,
    decide(current) {
      const { id, expiresAt } = queued.stored
      if (expiresAt === undefined || !station.outgoing.waits(queued)) return undefined
      return context.decisions.applied(current, decideOn(context, current, { kind: 'callPutBack', id, expiresAt }))
    },
  })
}

/** The connection on which a call of this method could leave at once. */
export function mayLeaveAtOnce(station: Station, method: string): number | undefined {
  const { connection, isHeld } = station
  return !isHeld && mayBeSent(station, method) ? connection : undefined
}

/** SESSION-O4: a rejected charge point is sent nothing, an unaccepted one little; the rest waits. */
function mayBeSent({ chargePoint, state, version }: Station, method: string): boolean {
  if (chargePoint.registrationStatus === 'Rejected') return false
  const booted = state === undefined || state.status.bootedAt !== undefined
  return (
    (chargePoint.registrationStatus === 'Accepted' && booted) ||
    version?.toChargePoint[method]?.allowedWhilePending === true
  )
}

/** @returns false for no call of ours, which is not answered (OCPP-RP8) */
export function answered(context: CoreContext, station: Station, messageId: string, outcome: CallOutcome): boolean {
  const taken = station.outgoing.takeAnswered(messageId)
  if (!taken) return false
  settle(context, station, taken.call, judged(context, station, taken.call, outcome), taken.late)
  pump(context, station)
  return true
}

function judged(
  context: CoreContext,
  station: Station,
  { stored, call }: QueuedCall,
  outcome: CallOutcome,
): CallOutcome {
  if (outcome.status !== 'success') return outcome
  const mode = station.chargePoint.validation ?? context.settings.validation
  const fault = versionOf(stored).refuseAnswer(call.method, outcome.payload, mode)
  return fault ? { status: 'error', details: {}, isOurs: true, ...fault } : outcome
}

/** OCPP-RP9: its outcome is unknown. */
export function dropOpenCall(context: CoreContext, station: Station): void {
  station.callTimeout.cancel()
  const open = station.outgoing.takeDropped()
  if (open) settle(context, station, open, { status: 'dropped' })
}

/** At shutdown: calls that may outlive this connection keep waiting in the database (OCPP-RP15). */
export function leaveOutgoing(context: CoreContext, station: Station): void {
  dropOpenCall(context, station)
  station.expiry.cancel()
  const ending = station.outgoing.takeWaiting(
    ({ stored }) => ruleOf(context.outgoing.purposes, stored.purpose).waitsUntil !== 'expiry',
  )
  for (const call of ending) settle(context, station, call, UNSENT)
}

/** For deletion: the outcome of a sent call is unknown, the rest is never sent. */
export function dropOutgoing(context: CoreContext, station: Station): void {
  dropOpenCall(context, station)
  station.expiry.cancel()
  for (const call of station.outgoing.takeWaiting(() => true)) settle(context, station, call, UNSENT)
}

/** Calls without a purpose, also while the charge point is offline: a caller may be waiting for the row. */
export function dropNeedless(context: CoreContext, station: Station): void {
  const needless = station.outgoing.takeWaiting((call) =>
    isOver(context.outgoing.purposes, station, call, versionOf(call.stored)),
  )
  for (const call of needless) settle(context, station, call, UNSENT)
}

function dropExpired(context: CoreContext, station: Station): void {
  for (const call of station.outgoing.takeExpired(context.clock.now())) settle(context, station, call, UNSENT)
  watchExpiry(context, station)
}

/** Also while the charge point is offline: a caller waits for the row, and an unsent password must be dropped. */
export function watchExpiry(context: CoreContext, station: Station): void {
  const next = station.outgoing.nextExpiry
  if (next === undefined) station.expiry.cancel()
  else station.expiry.set(context.clock, next, () => dropExpired(context, station))
}

/** The outcome, its effect on a session, and the end of the call's record are one commit (OCPP-RP15). */
export function settle(
  context: CoreContext,
  station: Station,
  queued: QueuedCall,
  outcome: CallOutcome,
  late = false,
): void {
  const { stored, call } = queued
  const rule = ruleOf(context.outgoing.purposes, stored.purpose)
  const version = versionOf(stored)
  const of = { station, call, version, purpose: stored.purpose, commandId: stored.messageId }
  const selected = rule.input?.(of, outcome)
  const tells = reported(version, call, outcome)
  const inputs = [selected, tells].filter((one) => one !== undefined)
  const [first] = inputs
  let requests: readonly Request[] = []
  let answer: CommandAnswer | undefined
  context.engine.enqueue({
    stationId: station.id,
    prepare: () => (first ? lookups(first) : undefined),
    decide(current) {
      answer = answerRow(version, queued, outcome, context.clock.now())
      const [input, ...also] = [...inputs, ...alsoReported(queued, answer, outcome, context.settings.callTimeoutMs)]
      const decision = input ? decideOn(context, current, input, context.clock.now(), stored.id, ...also) : NO_CHANGES
      requests = decision.requests ?? []
      // After the time-out the record is gone.
      return context.decisions.applied(current, late ? decision : withRecord(decision, removes(stored)), answer)
    },
    committed(current) {
      if (!answer) return
      if (outcome.status === 'error' && outcome.isOurs) refuseAnswer(context, current, stored.messageId, outcome)
      rule.settled?.(context, of, outcome, answer)
      queued.answered?.(answer, outcome, late)
      for (const request of requests) context.outgoing.ask(current, request)
      context.desired.reconciler.answered(current, stored.purpose.kind)
    },
    failed(error) {
      context.log.error({ chargePoint: station.id, error: error.message }, 'an answer could not be stored')
    },
  })
}

function refuseAnswer(
  { sockets }: CoreContext,
  { connection }: Station,
  messageId: string,
  { code, description }: Extract<CallOutcome, { readonly status: 'error' }>,
): void {
  if (connection === undefined) return
  sockets.send(connection, errorText(JSON.stringify(messageId), code, description, {}, 5))
}

/** SIGNED-K3: some answers report values unasked. */
function reported(version: OcppVersion, call: OutgoingCall, outcome: CallOutcome): Input | undefined {
  return outcome.status === 'success' ? version.readReported(call, object(outcome.payload)) : undefined
}

/** What a command's outcome says beside its purpose: about availability, and about a bulk order. */
function alsoReported(
  { stored, call }: Pick<QueuedCall, 'stored' | 'call'>,
  answer: CommandAnswer,
  outcome: CallOutcome,
  callTimeoutMs: number,
): readonly BlockInput[] {
  return [...availabilityOf(call, outcome), ...bulkAnswer(stored, answer, outcome, callTimeoutMs)]
}

/** UPTIME-U3: accepted now, or for the end of the charge. */
function availabilityOf({ method, request }: OutgoingCall, outcome: CallOutcome): readonly BlockInput[] {
  if (method !== 'ChangeAvailability' || outcome.status !== 'success') return []
  const { status } = object(outcome.payload)
  if (status !== 'Accepted' && status !== 'Scheduled') return []
  return [{ kind: 'availabilityOrdered', ...orderedAvailability(request) }]
}

function bulkAnswer(
  { purpose, messageId, method }: StoredCall,
  answer: CommandAnswer,
  outcome: CallOutcome,
  callTimeoutMs: number,
): readonly BlockInput[] {
  if (purpose.kind !== 'command' || purpose.bulkOrderId === undefined) return []
  const input = { kind: 'bulkAnswered', orderId: purpose.bulkOrderId, commandId: messageId } as const
  const reason = whySilent(outcome, callTimeoutMs)
  if (reason !== undefined) return [{ ...input, isAccepted: false, reason }]
  const verdict: Verdict = verdictOf({ status: answer.status, response: answer.response, error: answer.error })
  const isAccepted = verdict.tone === 'good'
  const restarts = isAccepted && method === 'Reset' ? true : undefined
  return [{ ...input, isAccepted, answer: wholeAnswer(verdict), restarts }]
}

function whySilent(outcome: CallOutcome, callTimeoutMs: number): string | undefined {
  if (outcome.status === 'timeout') return noAnswerIn(callTimeoutMs)
  if (outcome.status !== 'dropped') return undefined
  return outcome.unsent ? REASONS.unsent : REASONS.lost
}

function answerRow(
  version: OcppVersion,
  { stored: { id }, call }: QueuedCall,
  outcome: CallOutcome,
  answeredAt: number,
): CommandAnswer {
  if (outcome.status === 'success') {
    // OCPP-LG3: makes a remote start's row searchable by the transaction in its answer.
    const { transactionId } = version.toChargePoint[call.method]?.columns(object(outcome.payload)) ?? {}
    const schemaErrors = version.validateResponse(call.method, outcome.payload)
    return {
      id,
      status: 'success',
      response: mask(outcome.payloadText, outcome.payload),
      answeredAt,
      transactionId,
      schemaErrors,
    }
  }
  if (outcome.status === 'error') {
    // OCPP-LG5: some stations echo what they refuse.
    const description = maskText(outcome.description)
    const masked = mask(JSON.stringify(outcome.details), outcome.details)
    const error = { code: outcome.code, description, details: JSON.parse(masked) as unknown }
    return { id, status: 'error', error, answeredAt }
  }
  return { id, status: outcome.status }
}

/** Restores calls of an earlier process (OCPP-RP15): waiting ones wait on; open ones are not sent again (OCPP-RP9). */
export function restoreCalls(context: CoreContext, station: Station): void {
  for (const stored of station.state?.records.all('outgoing_calls') ?? []) restoreCall(context, station, stored)
  watchExpiry(context, station)
}

export function restoreCall(context: CoreContext, station: Station, stored: StoredCall): void {
  const call = callOf(context.sealed.calls, stored)
  const queued: QueuedCall = {
    stored,
    call: call ?? { method: stored.method, request: {} },
    connection: undefined,
  }
  if (stored.sentAt !== undefined) settle(context, station, queued, { status: 'dropped' })
  else if (!call || ruleOf(context.outgoing.purposes, stored.purpose).waitsUntil !== 'expiry') {
    settle(context, station, queued, UNSENT)
  } else station.outgoing.restore(queued)
}

/** How the calls of one purpose behave; purposes.ts has them all. */
export function ruleOf(purposes: Purposes, { kind }: Purpose): PurposeRule<Purpose> {
  // The table gives each kind the rule for its own purposes; for a kind that is a variable the compiler cannot see it.
  return purposes[kind] as unknown as PurposeRule<Purpose>
}

function isOver(purposes: Purposes, station: Station, queued: QueuedCall, version: OcppVersion): boolean {
  const { purpose } = queued.stored
  const rule = ruleOf(purposes, purpose)
  if (rule.waitsUntil !== 'expiry' && queued.connection !== station.connection) return true
  const call = { station, call: queued.call, version, purpose, commandId: queued.stored.messageId }
  return station.state !== undefined && rule.isOver?.(call, station.state) === true
}
