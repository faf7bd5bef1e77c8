/** The facts behind a session that its public form leaves out (CONSOLE-C1 to CONSOLE-C3). */

import { firstMessage, lastWord, powerMilliW } from '../../energy/power.ts'
import { ALL_PHASES, amountOf, orderOf, phasesOf } from '../../energy/readings.ts'
import { isoTime } from '../../iso-time.ts'
import type { PartnerOfSession, ShownPartner } from '../../partners/records.ts'
import type { Session, Transaction } from '../../ports/sessions.ts'
import type { SessionTotals } from '../../ports/storage-queries.ts'
import type { MeteredTransaction } from '../draft.ts'
import { type ShownLimits, showHeld, showLimits, showReached, showStationLimits } from '../limits/limits.ts'
import type { StationTerms } from '../limits/records.ts'
import { isTerminal } from '../states/transition.ts'
import { orderOfEnd } from '../transactions/sequence.ts'
import { roundCost } from './cost.ts'
import { pricedSession } from './figures.ts'
import { showPayment } from './payment.ts'
import { type ShownPeriod, shownPeriods } from './priced.ts'
import { suspectEnergyKwh } from './representation.ts'
import { type ComparedCosts, comparedCosts, showStationCost } from './station-cost.ts'

export interface SessionDetails
  extends Pick<Session, 'evseId' | 'connectorId' | 'idToken' | 'transactionId' | 'endReason'> {
  /** Why the station ended it, in its own word: `EmergencyStop`, `EVDisconnected`. */
  readonly stopReason?: string | undefined
  /** RFC 3339, UTC, milliseconds. */
  readonly createdAt: string
  /** Whole seconds from start to stop, or until now. */
  readonly durationSeconds?: number | undefined
  readonly meterStartWh?: number | undefined
  readonly meterStopWh?: number | undefined
  readonly powerKw?: number | undefined
  readonly stateOfCharge?: number | undefined
  readonly suspectEnergyKwh?: number | undefined
  readonly limits?: ShownLimits | undefined
  /** Where it was stopped, or where its station suspends it (OCPP21-C3). */
  readonly limitReached?: ReturnType<typeof showReached> | ReturnType<typeof showHeld>
  /** What the station enforces by itself: ours, or the driver's own (OCPP21-C3). */
  readonly transactionLimit?: ReturnType<typeof showStationLimits> | undefined
  /** The station's name of the tariff that it reckons by (OCPP21-B5). */
  readonly stationTariffId?: string | undefined
  readonly stationCost?: ReturnType<typeof showStationCost> | undefined
  readonly costDiffers?: ComparedCosts['costDiffers'] | undefined
  readonly costNotComparable?: ComparedCosts['costNotComparable']
  /** What the charge point acknowledged last (DRIVER-C2). */
  readonly shownCost?: { readonly cost: number; readonly at: string } | undefined
  readonly payment?: ReturnType<typeof showPayment> | undefined
  /** With tax, where its rate is known (TARIFF-A5). */
  readonly costInclVat?: number | undefined
  /** TARIFF-A2: they add up to the cost. */
  readonly chargingPeriods?: readonly ShownPeriod[] | undefined
  readonly partner?: ShownPartner | undefined
}

export function sessionDetails(
  session: Session,
  transaction: MeteredTransaction | undefined,
  now: number,
): SessionDetails {
  const { evseId, connectorId, idToken, transactionId, endReason, createdAt, state } = session
  const durationSeconds = durationOf(session, now)
  const register = transaction && registerOf(transaction)
  const newest = transaction?.meter.newest
  const stopReason = transaction?.open === false ? transaction.stopReason : undefined
  const limits = session.limits && showLimits(session.limits)
  const suspect = suspectEnergyKwh(session)
  const power = newest && !isTerminal(state) ? powerMilliW(newest) : undefined
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
    ...(session.shownCost && { shownCost: showCost(session.shownCost, session.cost?.currency) }),
    ...(session.payment && { payment: showPayment(session.payment) }),
    ...(session.partner && { partner: showPartner(session.partner) }),
    ...(session.limitReached && { limitReached: showReached(session.limitReached, session.cost?.currency) }),
    ...(session.atStation && termsOf(session, session.atStation)),
    ...periodsOf(session, transaction),
  }
}

function periodsOf(session: Session, transaction: MeteredTransaction | undefined): Partial<SessionDetails> {
  const priced = pricedSession(session, transaction)
  if (!priced) return {}
  const { currency, grossMicros, hasGross } = priced
  return {
    ...(hasGross && { costInclVat: roundCost(grossMicros, currency) }),
    chargingPeriods: shownPeriods(priced),
  }
}

function showPartner({ countryCode, partyId, ...partner }: PartnerOfSession): ShownPartner {
  const { partnerId, contractId, authMethod, authorizationReference } = partner
  return { partnerId, party: `${countryCode}*${partyId}`, contractId, authMethod, authorizationReference }
}

function termsOf(session: Session, atStation: StationTerms): Partial<SessionDetails> {
  const { limits, reached, tariffId, cost } = atStation
  const currency = session.tariff?.currency
  return {
    ...(limits && { transactionLimit: showStationLimits(limits, currency) }),
    ...(reached && !session.limitReached && { limitReached: showHeld(atStation, currency) }),
    ...(tariffId !== undefined && { stationTariffId: tariffId }),
    ...(cost && { stationCost: showStationCost(cost), ...comparedCosts(session) }),
  }
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
