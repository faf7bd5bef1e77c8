/** 1.6 StartTransaction, whose number we give (SESSION-A2 to SESSION-A7). Never refused: energy may have flowed. */

import { lastSampleAt, newMeter } from '../../energy/meter.ts'
import type { Authorisation } from '../../ports/id-tokens.ts'
import type { Activity, ActivityEntry, Flag, Outcome } from '../../ports/sessions.ts'
import { reservationUsed } from '../../reservations/rules.ts'
import type { Input } from '../decision.ts'
import { type Draft, hasOwnTime, type MeteredTransaction } from '../draft.ts'
import { limitByToken } from '../limits/limits.ts'
import { authorise, authorisedThen, chargesElsewhere, findRemoteStart, sameToken } from '../orders/authorise.ts'
import { withPartner } from '../orders/partner-token.ts'
import { findCancelledStart, stopCancelled } from '../orders/remote.ts'
import { transactionRecord } from '../records.ts'
import { ASSUMED } from '../states/activities.ts'
import { beginSession, ratedPowerAt } from './bind.ts'
import { followOpen } from './follow.ts'
import { supersede } from './orphans.ts'
import { giveUpNumber } from './samples.ts'

type Started = Extract<Input, { kind: 'started' }>

export function onStarted(draft: Draft, input: Started): Outcome {
  const repeated = startedBefore(draft, input)
  if (repeated) return repeated
  const { idToken, connectorId } = input
  const remote = findRemoteStart(draft, { idToken, connectorId, at: input.at })
  const authorisation = authoriseStart(draft, input)
  const authorised = authorisedThen(draft, idToken, authorisation, input.at).status === 'Accepted'
  const running = supersede(draft, { connectorId: input.connectorId }, input.at)
  const begun = beginSession(draft, remote, { connectorId }, input.at)
  const limited = authorised ? limitByToken(draft, begun, idToken.id, input.at) : begun
  const session = authorised && authorisation?.partner ? withPartner(draft, limited, authorisation) : limited
  const transactionId = freeTransactionId(draft)
  const holder = draft.transaction(transactionId)
  const earlier = holder && giveUpNumber(draft, holder, input.at.occurredAt)
  const outcome: Outcome = { authorisation, transactionId, sessionId: session.id }
  const flags: Flag[] = [...noticeConnector(draft, input)]
  if (running === 'historical') flags.push('historical')
  if (input.at.repaired) flags.push('badClock')
  const transaction: MeteredTransaction = transactionRecord({
    chargePointId: draft.state.chargePointId,
    transactionId,
    sessionId: session.id,
    open: true,
    connectorId: input.connectorId,
    idToken: input.idToken,
    groupId: authorisation.groupId,
    startedAt: input.at,
    activities: authorised ? [firstActivity(draft, input)] : [],
    startKey: input.startKey,
    startOutcome: outcome,
    startMessageId: input.messageId,
    meter: newMeter({
      at: input.at.occurredAt,
      relativeHint: draft.status.relativeMeter === true,
      registerMilliWh: input.registerMilliWh,
      maxPowerW: ratedPowerAt(draft, { connectorId }),
    }),
    lastSignOfLifeAt: draft.now,
    earlier,
    authorised,
    flags,
  })
  draft.putSession({ ...session, transactionId })
  followOpen(draft, transaction, input.at.occurredAt)
  const { reservationId, at } = input
  if (draft.state.records.all('reservations').length > 0) {
    const signs = { reservationId, connectorId, idToken: idToken.id, groupId: authorisation.groupId, at }
    reservationUsed(draft, signs, session.id)
  }
  if (!authorised && findCancelledStart(draft, { idToken, at })) stopCancelled(draft, transactionId)
  return outcome
}

/** A 2.0.1 transaction with the only number that a rebuild can give (HOOK-B3) is kept under another key. */
function freeTransactionId(draft: Draft): string {
  for (let last: string | undefined; ; ) {
    const transactionId = draft.context.nextTransactionId()
    if (transactionId === last || !draft.transaction(transactionId)) return transactionId
    last = transactionId
  }
}

/** OCPP-DR7: a repeated start gets the first answer verbatim, and nothing happens. */
function startedBefore(draft: Draft, input: Started): Outcome | undefined {
  for (const transaction of draft.transactions()) {
    if (isRepetition(draft, transaction, input)) return transaction.startOutcome
  }
  return undefined
}

/**
 * The business key has the start's time. Without a usable one the next start may look the same, and only a transaction
 * that was not heard of since is repeated. SESSION-A2: so is a retry with a new time, under its first message id (until
 * a boot: stations count from 1 again) or while its connector was never free.
 */
function isRepetition(draft: Draft, transaction: MeteredTransaction, input: Started): boolean {
  if (transaction.startKey === input.startKey) return hasOwnTime(input.at) || isUntouched(transaction)
  return (
    transaction.connectorId === input.connectorId &&
    transaction.meter.startMilliWh === input.registerMilliWh &&
    transaction.idToken !== undefined &&
    sameToken(transaction.idToken.id, input.idToken.id) &&
    !transaction.flags.includes('suspect') &&
    isUntouched(transaction) &&
    (isSameMessage(transaction, input) || isTaken(draft, input))
  )
}

function isSameMessage({ startMessageId }: MeteredTransaction, { messageId }: Started): boolean {
  return messageId !== undefined && startMessageId === messageId
}

/** Since the transaction began: free in between, it would be suspect. */
function isTaken(draft: Draft, { connectorId }: Started): boolean {
  return TAKEN.has(draft.connector(undefined, connectorId)?.status.toLowerCase() ?? '')
}

const TAKEN: ReadonlySet<string> = new Set(['preparing', 'charging', 'suspendedev', 'suspendedevse'])

function isUntouched({ open, meter, activities = [] }: MeteredTransaction): boolean {
  return open && activities.length <= 1 && lastSampleAt(meter) === undefined
}

function authoriseStart(draft: Draft, { idToken, connectorId, at, verdict }: Started): Authorisation {
  const authorisation = authorise(draft, idToken, undefined, verdict)
  const concurrent =
    authorisation.status === 'Accepted' &&
    draft.context.settings.refuseConcurrentTransactions &&
    chargesElsewhere(draft, idToken, connectorId, at)
  return concurrent ? { ...authorisation, status: 'ConcurrentTx' } : authorisation
}

/** Charging, unless the connector's newest status since the session began says that it is suspended (SESSION-S2). */
function firstActivity(draft: Draft, { connectorId, at }: Started): ActivityEntry {
  const connector = draft.connector(undefined, connectorId)
  const suspended: Activity | undefined = SUSPENSIONS[connector?.status.toLowerCase() ?? '']
  if (connector && suspended && connector.updatedAt >= at.occurredAt) return [0, connector.updatedAt, suspended]
  const isCharging = connector?.status.toLowerCase() === 'charging'
  return [isCharging ? 0 : ASSUMED, at.occurredAt, 'charging']
}

const SUSPENSIONS: Readonly<Record<string, Activity>> = { suspendedev: 'suspendedEv', suspendedevse: 'suspendedEvse' }

/** SESSION-A7: an unknown connector is recorded; 0 is the station and no place to charge at. */
function noticeConnector(draft: Draft, { connectorId, at }: Started): readonly Flag[] {
  if (draft.connector(undefined, connectorId) && connectorId > 0) return []
  if (connectorId > 0) draft.putConnector({ connectorId, status: 'Unknown', updatedAt: at.occurredAt })
  return ['unknownConnector']
}
