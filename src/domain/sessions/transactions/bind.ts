/** Which session a station-numbered transaction belongs to (SESSION-O7, SESSION-O8, SESSION-S5, SESSION-B10). */

import { ratedPowerW } from '../../charging/rows.ts'
import { newMeter } from '../../energy/meter.ts'
import type { EvsePosition } from '../../energy/place.ts'
import type { FrozenTariff, RemoteStart, Session, StationTime } from '../../ports/sessions.ts'
import type { TariffVersion } from '../../tariffs/fields.ts'
import { localTariff, placeAt } from '../../tariffs/places.ts'
import { frozenVersion } from '../../tax.ts'
import type { Input } from '../decision.ts'
import { type Draft, happenedBefore, type MeteredTransaction, withFlags } from '../draft.ts'
import { tighter } from '../limits/limits.ts'
import { findRemoteStart, sameToken } from '../orders/authorise.ts'
import { sessionRecord, transactionRecord } from '../records.ts'
import { isTerminal } from '../states/transition.ts'
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
    const { externalReference, idToken, limits, partner } = remote
    if (own) {
      draft.putSession({
        ...own,
        remoteStart,
        externalReference: externalReference ?? own.externalReference,
        idToken: idToken ?? own.idToken,
        partner: partner ?? own.partner,
        limits: tighter(own.limits, limits),
        tariff: tariffOfBoth(remote.tariff, own.tariff),
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
    tariff: tariffOfBoth(remote.tariff, own.tariff),
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

/**
 * Joins a waiting remote start; one that just expired stays failed, and a new session has its reference (SESSION-S5).
 * The tariff is frozen here (COST-CO1, COST-L7). @returns the session, not yet put into the draft
 */
export function beginSession(draft: Draft, remote: Session | undefined, place: EvsePosition, at: StationTime): Session {
  const tariff = tariffOfBoth(remote?.tariff, tariffOf(draft, place, at))
  if (remote?.remoteStart && !isTerminal(remote.state)) {
    return {
      ...remote,
      evseId: place.evseId ?? remote.evseId,
      connectorId: place.connectorId ?? remote.connectorId,
      remoteStart: { ...remote.remoteStart, matched: true },
      tariff,
    }
  }
  if (remote?.remoteStart) draft.putSession({ ...remote, remoteStart: { ...remote.remoteStart, matched: true } })
  return sessionRecord({
    id: draft.context.newSessionId(draft.now),
    accountId: draft.state.accountId,
    chargePointId: draft.state.chargePointId,
    state: 'pending',
    energyMilliWh: 0,
    externalReference: remote?.externalReference,
    remoteStart: remote?.remoteStart && { ...remote.remoteStart, matched: true },
    createdAt: draft.now,
    version: 1,
    evseId: place.evseId,
    connectorId: place.connectorId,
    idToken: remote?.idToken,
    limits: remote?.limits,
    partner: remote?.partner,
    flags: [],
    tariff,
  })
}

/** What the account says that the outlet can give; undefined where it says nothing (ENERGY-N7). */
export function ratedPowerAt(draft: Draft, { evseId, connectorId }: EvsePosition): number | undefined {
  const wiring = draft.record('wirings', { chargePointId: draft.state.chargePointId })
  return wiring && ratedPowerW(wiring, evseId ?? connectorId, draft.voltage)
}

/** That of the card with which a start was ordered, else that of the place. */
function tariffOfBoth(ordered: FrozenTariff | undefined, ofStation: FrozenTariff | undefined) {
  return ordered?.isOfDriver ? ordered : (ofStation ?? ordered)
}

/** TARIFF-A1: the first that its connector names in a location, else the charge point's, else the account's. */
function tariffOf(draft: Draft, place: EvsePosition, at: StationTime): FrozenTariff | undefined {
  const { tariffVersions, tariff: present, places, settings } = draft.context
  const named = places && placeAt(places, place)?.tariffs[0]
  const chosen = named ?? (tariffVersions ? tariffAt(draft, at, tariffVersions) : present)
  return chosen && localTariff(chosen, places, place, settings.timeZone)
}

/** COST-L7: the charge point's own, else its account's: now the present one, and before all tariffs the first. */
function tariffAt(draft: Draft, at: StationTime, tariffVersions: readonly TariffVersion[]): FrozenTariff | undefined {
  if (!happenedBefore(draft, at, draft.now)) return draft.context.tariff
  const places = [draft.state.chargePointId, '']
  const inForce = places.flatMap(
    (place) => tariffVersions.find((one) => one.place === place && !happenedBefore(draft, at, one.since)) ?? [],
  )
  const first = places.flatMap((place) => tariffVersions.findLast((one) => one.place === place) ?? [])
  const found = (inForce.length > 0 ? inForce : first).find(({ rates }) => rates)
  return found && frozenVersion(found)
}
