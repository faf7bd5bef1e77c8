/** 1.6 StopTransaction, whose number we gave (SESSION-A11 to SESSION-A14). Never an error, whatever it names. */

import { addSamples, newMeter } from '../../energy/meter.ts'
import { samePlace } from '../../energy/place.ts'
import type { Authorisation } from '../../ports/id-tokens.ts'
import type { Flag, Outcome, Sample } from '../../ports/sessions.ts'
import type { Input } from '../decision.ts'
import { type Draft, hasOwnTime, type MeteredTransaction, withFlags, withoutFlag } from '../draft.ts'
import { authorise, sameToken } from '../orders/authorise.ts'
import { beginSession } from './bind.ts'
import { followClosed, putFlagged } from './follow.ts'
import { endingOf, ourTransaction } from './samples.ts'

export type Stopped = Extract<Input, { kind: 'stopped' }>

/** SESSION-A14: a station's clock may run ahead by less than this without a finding. */
const CLOCK_TOLERANCE_MS = 5 * 60_000

export function onStopped(draft: Draft, input: Stopped): Outcome {
  const named = ourTransaction(draft, input.transactionId)
  const known = named ?? stoppedBefore(draft, input)
  const authorisation = input.idToken && authorise(draft, input.idToken, known?.sessionId)
  const sessionId =
    known?.endedBy === 'station'
      ? stopAgain(draft, known, input, named !== undefined)
      : stop(draft, known, input, authorisation)
  return { authorisation, sessionId }
}

/** SESSION-A12: the first stop stays; another one is a finding, a repetition is nothing, whatever number it gives. */
function stopAgain(draft: Draft, transaction: MeteredTransaction, { digest }: Stopped, isNamed: boolean): string {
  if (isNamed && transaction.stopDigest !== digest) {
    putFlagged(draft, { ...transaction, flags: withFlags(transaction.flags, ['conflict']) })
  }
  return transaction.sessionId
}

/** A stop that belongs to no session stays in the message log, where the operator finds it (SESSION-A13). */
function stop(
  draft: Draft,
  known: MeteredTransaction | undefined,
  input: Stopped,
  authorisation: Authorisation | undefined,
): string | undefined {
  const attached = known ? undefined : attachable(draft, input)
  const transaction = known ?? attached ?? recovered(draft, input)
  if (!transaction) return undefined
  close(draft, transaction, input, attached ? ['inferredTx'] : [], authorisation)
  // Some stations send a stop again without the number they gave first: it must not be taken for the end of another
  // charge.
  if (attached || !hasOwnTime(input.at) || attachable(draft, input) || input.samples.some(isBegin)) {
    leaveMark(draft, transaction.transactionId, input.stopKey)
  }
  return transaction.sessionId
}

function close(
  draft: Draft,
  transaction: MeteredTransaction,
  input: Stopped,
  more: readonly Flag[],
  authorisation: Authorisation | undefined,
): void {
  const { meter, flags } = addSamples(transaction.meter, untilStop(input), transaction)
  const findings = [...flags, ...more, ...oddities(draft, transaction, input, authorisation)]
  followClosed(
    draft,
    {
      ...transaction,
      suspectSince: undefined,
      queueExpectedUntil: undefined,
      meter,
      open: false,
      endedBy: 'station',
      stoppedAt: input.at,
      stopReason: input.reason,
      stopDigest: input.digest,
      stopRegisterMilliWh: input.registerMilliWh ?? transaction.stopRegisterMilliWh,
      stopIdToken: input.idToken ?? transaction.stopIdToken,
      lastSignOfLifeAt: draft.now,
      // The real stop replaces the estimate (SESSION-A12).
      flags: withFlags(withoutFlag(withoutFlag(transaction.flags, 'suspect'), 'inferred'), findings),
    },
    endingOf,
  )
}

/** ENERGY-N6: what comes with the stop was measured at it, by whatever clock. */
function untilStop({ samples, at }: Stopped): readonly Sample[] {
  if (samples.every((sample) => sample.at.occurredAt <= at.occurredAt)) return samples
  return samples.map((sample) => (sample.at.occurredAt > at.occurredAt ? { ...sample, at } : sample))
}

/** An entry under the stop's own number, by which a repetition that names nothing finds what it ended. */
function leaveMark(draft: Draft, endedTransactionId: string, stopKey: string): void {
  const ended = draft.transaction(endedTransactionId)
  const transactionId = inferredTransactionId(stopKey)
  if (!ended || draft.transaction(transactionId)) return
  draft.putTransaction({
    ...ended,
    transactionId,
    activities: undefined,
    startKey: undefined,
    startOutcome: undefined,
    meter: newMeter({}),
  })
}

/** SESSION-A14: stored and answered like any other, with a finding. */
function oddities(
  draft: Draft,
  { startedAt, idToken, groupId }: MeteredTransaction,
  { at, idToken: stopToken }: Stopped,
  authorisation: Authorisation | undefined,
): readonly Flag[] {
  const flags: Flag[] = []
  const ahead = at.occurredAt > draft.now + CLOCK_TOLERANCE_MS
  if (at.repaired || ahead || at.occurredAt < startedAt.occurredAt) flags.push('badClock')
  const related =
    !stopToken ||
    !idToken ||
    sameToken(stopToken.id, idToken.id) ||
    (groupId !== undefined && authorisation?.groupId !== undefined && sameToken(authorisation.groupId, groupId))
  if (!related) flags.push('unrelatedStopToken')
  return flags
}

function stoppedBefore(draft: Draft, input: Stopped): MeteredTransaction | undefined {
  for (const transaction of draft.transactions()) if (isStoppedBy(transaction, input)) return transaction
  return draft.transaction(inferredTransactionId(input.stopKey))
}

/** To the byte, or with the same facts under another number. Without a time of its own two stops may look the same. */
function isStoppedBy(transaction: MeteredTransaction, { digest, at, registerMilliWh, idToken }: Stopped): boolean {
  if (transaction.stopDigest === digest) return true
  const { endedBy, stoppedAt, stopRegisterMilliWh, stopIdToken } = transaction
  if (endedBy !== 'station' || !stoppedAt || !hasOwnTime(at) || transaction.sequence) return false
  const sameTag = idToken ? stopIdToken && sameToken(stopIdToken.id, idToken.id) : !stopIdToken
  return stoppedAt.occurredAt === at.occurredAt && stopRegisterMilliWh === registerMilliWh && sameTag === true
}

/**
 * SESSION-A13: the single open transaction that this stop can belong to, else the single one that was closed for want
 * of a stop (SESSION-A16): the real one wins over the estimate (SESSION-A12), if it is of before the next start.
 */
function attachable(draft: Draft, input: Stopped): MeteredTransaction | undefined {
  const possible: MeteredTransaction[] = []
  for (const transaction of draft.transactions()) if (canEnd(transaction, input)) possible.push(transaction)
  const open = possible.filter(({ open }) => open)
  if (open.length > 0) return single(open)
  return single(possible.filter((one) => one.endedBy === 'orphanRule' && !isFollowed(draft, one, input.at.occurredAt)))
}

function canEnd(transaction: MeteredTransaction, { at, registerMilliWh, idToken }: Stopped): boolean {
  if (transaction.sequence) return false
  const register = transaction.meter.startMilliWh
  const registerFits = register === undefined || registerMilliWh === undefined || register <= registerMilliWh
  const tokenFits = !idToken || !transaction.idToken || sameToken(transaction.idToken.id, idToken.id)
  return transaction.startedAt.occurredAt <= at.occurredAt && registerFits && tokenFits
}

/** Another one had begun on its connector by then. */
function isFollowed(draft: Draft, transaction: MeteredTransaction, by: number): boolean {
  for (const { startedAt, evseId, connectorId } of draft.transactions()) {
    const later = startedAt.occurredAt > transaction.startedAt.occurredAt && startedAt.occurredAt < by
    if (later && samePlace(transaction, { evseId, connectorId })) return true
  }
  return false
}

function single<T>(found: readonly T[]): T | undefined {
  return found.length === 1 ? found[0] : undefined
}

/**
 * SESSION-A13: an unseen start; the id is made from the stop, as the station's number may be another's (SESSION-A10).
 */
function recovered(draft: Draft, input: Stopped): MeteredTransaction | undefined {
  const begin = input.samples.find(isBegin)
  if (!begin) return undefined
  const session = beginSession(draft, undefined, {}, begin.at)
  const transactionId = inferredTransactionId(input.stopKey)
  draft.putSession({ ...session, transactionId })
  return {
    chargePointId: draft.state.chargePointId,
    transactionId,
    sessionId: session.id,
    open: true,
    idToken: input.idToken,
    startedAt: begin.at,
    meter: newMeter({ at: begin.at.occurredAt, relativeHint: draft.status.relativeMeter === true }),
    lastSignOfLifeAt: draft.now,
    authorised: true,
    flags: ['recovered'],
  }
}

/** What `lookups` asks for, so that a repeated stop finds what its first arrival recovered or ended. */
export function inferredTransactionId(stopKey: string): string {
  return `recovered-${stopKey}`
}

function isBegin({ context, measurand }: Sample): boolean {
  return context === 'Transaction.Begin' && measurand.startsWith('Energy.Active.Import.Register')
}
