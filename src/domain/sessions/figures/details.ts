/** The facts behind a session that its public form leaves out (CONSOLE-C1 to CONSOLE-C3). */

import { firstMessage, lastWord, powerMilliW } from '../../energy/power.ts'
import { ALL_PHASES, amountOf, orderOf, phasesOf } from '../../energy/readings.ts'
import { isoTime } from '../../iso-time.ts'
import type { PartnerOfSession } from '../../partners/records.ts'
import { showPayment } from '../../payments/events.ts'
import type { Session, Transaction } from '../../ports/sessions.ts'
import type { SessionTotals } from '../../ports/storage-queries.ts'
import type { MeteredTransaction } from '../draft.ts'
import { showHeld, showLimits, showReached, showStationLimits } from '../limits/limits.ts'
import { isTerminal } from '../states/transition.ts'
import { orderOfEnd } from '../transactions/sequence.ts'
import { roundCost } from './cost.ts'
import { pricedSession } from './figures.ts'
import { shownPeriods } from './priced.ts'
import { suspectEnergyKwh } from './representation.ts'
import { comparedCosts, showStationCost } from './station-cost.ts'

export type SessionDetails = ReturnType<typeof sessionDetails>

export function sessionDetails(session: Session, transaction: MeteredTransaction | undefined, now: number) {
  const { evseId, connectorId, idToken, transactionId, endReason, createdAt, state } = session
  const durationSeconds = durationOf(session, now)
  const register = transaction && registerOf(transaction)
  const newest = transaction?.meter.newest
  const stopReason = transaction?.open === false ? transaction.stopReason : undefined
  const limits = session.limits && showLimits(session.limits)
  const suspect = suspectEnergyKwh(session)
  const power = newest && !isTerminal(state) ? powerMilliW(newest) : undefined
  const currency = session.cost?.currency
  const { atStation: { limits: own, reached, tariffId, cost } = {}, tariff } = session
  const priced = pricedSession(session, transaction)
  return {
    evseId,
    connectorId,
    idToken,
    transactionId,
    endReason,
    stopReason,
    createdAt: isoTime(createdAt),
    durationSeconds,
    ...(register?.start !== undefined && { meterStartWh: register.start / 1000 }),
    ...(register?.stop !== undefined && { meterStopWh: register.stop / 1000 }),
    ...(power !== undefined && { powerKw: Math.round(power / 1000) / 1000 }),
    ...(newest?.charge && { stateOfCharge: newest.charge[1] / 100 }),
    ...(suspect !== undefined && { suspectEnergyKwh: suspect }),
    ...(limits && { limits }),
    ...(session.shownCost && { shownCost: showCost(session.shownCost, currency) }),
    ...(session.payment && { payment: showPayment(session.payment) }),
    ...(session.partner && { partner: showPartner(session.partner) }),
    ...(session.limitReached && { limitReached: showReached(session.limitReached, currency) }),
    ...(own && { transactionLimit: showStationLimits(own, tariff?.currency) }),
    ...(reached && !session.limitReached && { limitReached: showHeld(session.atStation ?? {}, tariff?.currency) }),
    ...(tariffId !== undefined && { stationTariffId: tariffId }),
    ...(cost && { stationCost: showStationCost(cost), ...comparedCosts(session) }),
    ...(priced?.hasGross && { costInclVat: roundCost(priced.grossMicros, priced.currency) }),
    ...(priced && { chargingPeriods: shownPeriods(priced) }),
  }
}

function showPartner({ countryCode, partyId, ...partner }: PartnerOfSession) {
  const { partnerId, contractId, authMethod, authorizationReference } = partner
  return { partnerId, party: `${countryCode}*${partyId}`, contractId, authMethod, authorizationReference }
}

/** As totals count it (CONSOLE-C4): what has not begun has no duration. */
export function durationOf(
  { state, startedAt, stoppedAt }: Pick<Session, 'state' | 'startedAt' | 'stoppedAt'>,
  now: number,
): number | undefined {
  if (startedAt === undefined) return undefined
  const until = stoppedAt ?? (isTerminal(state) ? startedAt : now)
  return Math.floor(Math.max(0, until - startedAt) / 1000)
}

function showCost({ micros, at }: NonNullable<Session['shownCost']>, currency = 'EUR') {
  return { cost: roundCost(micros, currency), at: isoTime(at) }
}

/** The register at its start in milli-Wh, where it is known. */
export function registerStart(transaction: Transaction): number | undefined {
  return registerOf(transaction as MeteredTransaction).start
}

/** By start and stop, else samples marked begin and end, else those in the first and last message (2.0.1). Milli-Wh. */
function registerOf({ meter, stopRegisterMilliWh, open, sequence, flags }: MeteredTransaction): {
  start?: number | undefined
  stop?: number | undefined
} {
  const first = sequence && !flags.includes('recovered') ? 1 + (sequence.ranges[0]?.[0] ?? 0) : 0
  const begin = firstMessage(meter.begin) ?? sampledIn(meter, first)
  const end = open ? undefined : (lastWord(meter.end) ?? (sequence && sampledIn(meter, orderOfEnd(sequence))))
  const start = meter.startMilliWh ?? (begin && amountOf(begin))
  const stop = stopRegisterMilliWh ?? (end && amountOf(end))
  return { ...(start !== undefined && { start }), ...(stop !== undefined && { stop }) }
}

/** The register in this message of a station that numbers them, from 1. */
function sampledIn({ register }: MeteredTransaction['meter'], order: number) {
  return order < 1 ? undefined : register.find((entry) => orderOf(entry) === order && phasesOf(entry) === ALL_PHASES)
}

export function detailsOf(
  sessions: readonly Session[],
  transactions: readonly Transaction[],
  now: number,
): ReadonlyMap<string, SessionDetails> {
  const known = new Map(transactions.map((transaction) => [transaction.sessionId, transaction as MeteredTransaction]))
  return new Map(sessions.map((session) => [session.id, sessionDetails(session, known.get(session.id), now)]))
}

export function representTotals(totals: Omit<SessionTotals, 'isWhole'>) {
  const cost = totals.cost.map(({ currency, micros }) => ({ currency, amount: roundCost(micros, currency) }))
  const { sessions, durationSeconds } = totals
  return { sessions, energyKwh: totals.energyWh / 1000, cost, durationSeconds }
}
