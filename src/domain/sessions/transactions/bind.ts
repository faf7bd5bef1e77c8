/** Which session a station-numbered transaction belongs to (SESSION-O7, SESSION-O8, SESSION-S5, SESSION-B10). */

import { newMeter } from '../../energy/meter.ts'
import type { RemoteStart, Session } from '../../ports/sessions.ts'
import type { Input } from '../decision.ts'
import { type Draft, type MeteredTransaction, withFlags } from '../draft.ts'
import { tighter } from '../limits/limits.ts'
import { sameToken } from '../orders/authorise.ts'
import { findRemoteStart } from '../orders/remote-match.ts'
import { transactionRecord } from '../records.ts'
import { isTerminal } from '../states/transition.ts'
import { beginSession, ratedPowerAt } from './begin.ts'
import { supersede } from './orphans.ts'

type TransactionEvent = Extract<Input, { kind: 'transactionEvent' }>

/** With its session in the draft. @param number the station's; its key may be another @param earlier gave it up */
export function bindTransaction(
  draft: Draft,
  input: TransactionEvent,
  number: string,
  known: MeteredTransaction | undefined,
  earlier: MeteredTransaction['earlier'],
): MeteredTransaction {
  const remote = findRemoteStart(draft, input)
  const named = input.remoteStartId !== undefined
  const bound = known ? bindRemoteStart(draft, known, remote, named) : begin(draft, input, number, remote, earlier)
  // SESSION-B6: the EVSE may be named only later.
  const arrives = !known || (known.open && known.evseId === undefined && input.evseId !== undefined)
  if (!arrives) return bound
  const displaced = supersede(draft, input, bound.startedAt, bound.transactionId)
  return displaced === 'historical' ? { ...bound, flags: withFlags(bound.flags, ['historical']) } : bound
}

/**
 * SESSION-O7, cable first: before energy has flowed the ordered session takes the transaction over; otherwise the
 * running one goes on with the order's reference. @param named the station named the remote start, or in its answer the
 * transaction
 */
export function bindRemoteStart(
  draft: Draft,
  transaction: MeteredTransaction,
  remote: Session | undefined,
  named: boolean,
): MeteredTransaction {
  const own = draft.session(transaction.sessionId)
  if (!remote?.remoteStart || remote.id === own?.id || own?.remoteStart || !transaction.open) return transaction
  if (runsOnCard(transaction) && !(named && isCardOf(transaction, remote.remoteStart))) return transaction
  const remoteStart = { ...remote.remoteStart, matched: true as const }
  if (isTerminal(remote.state) || own?.state !== 'pending') {
    draft.putSession({ ...failedUnlessEnded(remote), remoteStart })
    const { externalReference, idToken, limits } = remote
    if (own) {
      draft.putSession({
        ...own,
        remoteStart,
        externalReference: externalReference ?? own.externalReference,
        idToken: idToken ?? own.idToken,
        limits: tighter(own.limits, limits),
      })
    }
    return { ...transaction, authorised: true }
  }
  draft.putSession(failedUnlessEnded(own))
  draft.putSession({
    ...remote,
    evseId: transaction.evseId ?? remote.evseId,
    connectorId: transaction.connectorId ?? remote.connectorId,
    transactionId: transaction.transactionId,
    remoteStart,
    tariff: own.tariff ?? remote.tariff,
  })
  return { ...transaction, sessionId: remote.id, authorised: true }
}

/** SESSION-O8: started at the connector: no other order takes it over, and the card that stops it starts nothing. */
function runsOnCard({ authorised, idToken }: MeteredTransaction): boolean {
  return authorised && idToken !== undefined && idToken.type !== 'NoAuthorization'
}

function isCardOf({ idToken }: MeteredTransaction, { virtualIdToken }: RemoteStart): boolean {
  return idToken !== undefined && sameToken(idToken.id, virtualIdToken)
}

function begin(
  draft: Draft,
  input: TransactionEvent,
  number: string,
  remote: Session | undefined,
  earlier: MeteredTransaction['earlier'],
): MeteredTransaction {
  const { evseId, connectorId } = input
  const session = beginSession(draft, remote, input, input.at)
  draft.putSession({ ...session, transactionId: number })
  return transactionRecord({
    chargePointId: draft.state.chargePointId,
    transactionId: input.transactionId,
    sessionId: session.id,
    open: true,
    evseId,
    connectorId,
    startedAt: input.at,
    meter: newMeter({
      relativeHint: draft.status.relativeMeter === true,
      maxPowerW: ratedPowerAt(draft, { evseId }),
    }),
    lastSignOfLifeAt: draft.now,
    authorised: remote !== undefined,
    flags: input.event === 'started' ? [] : ['recovered'],
    earlier,
  })
}

/** A pending session whose transaction another one took over. */
function failedUnlessEnded(session: Session): Session {
  return isTerminal(session.state) ? session : { ...session, state: 'failed', endReason: 'expired' }
}
