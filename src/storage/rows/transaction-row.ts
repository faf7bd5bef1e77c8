/** A transaction as its table holds it: columns for what is looked up, one JSON text for the rest. */
import type { Session, Transaction } from '../../domain/ports/sessions.ts'
import { sessionRecord, transactionRecord } from '../../domain/sessions/records.ts'
import { sessions, transactions } from '../schema/sessions.ts'
import { columnsOf } from './present.ts'

export interface TransactionRow {
  readonly chargePointId: string
  readonly transactionId: string
  readonly sessionId: string
  readonly startKey: string | null
  readonly open: number
  readonly document: string
}

export const transactionColumns = (table: string): string => columnsOf(transactions, table)

type Named = 'chargePointId' | 'transactionId' | 'sessionId' | 'startKey' | 'open'
type Document = { readonly [Name in Exclude<keyof Required<Transaction>, Named>]: Transaction[Name] }

/** Nothing that the columns have. Spelled out: a record with some members removed has no shape. */
export function writeTransaction(transaction: Transaction): string {
  return JSON.stringify({
    evseId: transaction.evseId,
    connectorId: transaction.connectorId,
    idToken: transaction.idToken,
    stopIdToken: transaction.stopIdToken,
    groupId: transaction.groupId,
    startedAt: transaction.startedAt,
    stoppedAt: transaction.stoppedAt,
    stopReason: transaction.stopReason,
    endedBy: transaction.endedBy,
    stopRegisterMilliWh: transaction.stopRegisterMilliWh,
    activities: transaction.activities,
    startOutcome: transaction.startOutcome,
    startMessageId: transaction.startMessageId,
    stopDigest: transaction.stopDigest,
    sequence: transaction.sequence,
    meter: transaction.meter,
    course: transaction.course,
    lastSignOfLifeAt: transaction.lastSignOfLifeAt,
    suspectSince: transaction.suspectSince,
    queueExpectedUntil: transaction.queueExpectedUntil,
    earlier: transaction.earlier,
    followedAt: transaction.followedAt,
    authorised: transaction.authorised,
    flags: transaction.flags,
  } satisfies Document)
}

export function readTransaction(row: TransactionRow): Transaction {
  return transactionRecord({
    ...(JSON.parse(row.document) as Transaction),
    chargePointId: row.chargePointId,
    transactionId: row.transactionId,
    sessionId: row.sessionId,
    startKey: row.startKey ?? undefined,
    open: row.open === 1,
  })
}

/** A session as its table holds it: columns for what is shown or looked up, one JSON text for the facts behind it. */
export type SessionRow = Readonly<Omit<typeof sessions.$inferSelect, 'energyAt' | 'powerMilliW'>>

export const sessionColumns = (table: string): string => columnsOf(sessions, table, ['energyAt', 'powerMilliW'])

/** Nothing that the columns have; what each sample changes comes last. Spelled out as in `writeTransaction`. */
export function sessionFacts(session: Session): string {
  return JSON.stringify({
    evseId: session.evseId,
    connectorId: session.connectorId,
    transactionId: session.transactionId,
    endReason: session.endReason,
    suspendedBy: session.suspendedBy,
    flags: session.flags,
    remoteStart: session.remoteStart,
    stopRequestedAt: session.stopRequestedAt,
    stopWantedUntil: session.stopWantedUntil,
    stopAcceptedAt: session.stopAcceptedAt,
    costFixed: session.costFixed,
    tariff: session.tariff,
    suspectMilliWh: session.suspectMilliWh,
    idleMs: session.idleMs,
    limits: session.limits,
    priority: session.priority,
    limitReached: session.limitReached,
    shownCost: session.shownCost,
    atStation: session.atStation,
    payment: session.payment,
    partner: session.partner,
    place: session.place,
    billed: session.billed,
    settlementDueAt: session.settlementDueAt,
    lastEventAt: session.lastEventAt,
    figuresSentAt: session.figuresSentAt,
    figuresDueAt: session.figuresDueAt,
  } satisfies { readonly [Name in Exclude<keyof Required<Session>, keyof SessionRow | 'cost'>]: Session[Name] })
}

export function writeSession(session: Session): SessionRow {
  return {
    id: session.id,
    accountId: session.accountId,
    chargePointId: session.chargePointId,
    state: session.state,
    energyMilliWh: session.energyMilliWh,
    externalReference: session.externalReference ?? null,
    costMicros: session.cost?.micros ?? null,
    currency: session.cost?.currency ?? null,
    settlementCount: session.settlementCount ?? null,
    startedAt: session.startedAt ?? null,
    stoppedAt: session.stoppedAt ?? null,
    createdAt: session.createdAt,
    version: session.version,
    idToken: session.idToken ?? null,
    facts: sessionFacts(session),
  }
}

export function readSession(row: SessionRow): Session {
  const { costMicros, currency } = row
  const shown: Omit<Session, 'flags'> = {
    id: row.id,
    accountId: row.accountId,
    chargePointId: row.chargePointId,
    state: row.state,
    energyMilliWh: row.energyMilliWh,
    externalReference: row.externalReference ?? undefined,
    cost: costMicros === null || currency === null ? undefined : { micros: costMicros, currency },
    settlementCount: row.settlementCount ?? undefined,
    startedAt: row.startedAt ?? undefined,
    stoppedAt: row.stoppedAt ?? undefined,
    createdAt: row.createdAt,
    version: row.version,
    idToken: row.idToken ?? undefined,
  }
  return sessionRecord({ ...(JSON.parse(row.facts) as Pick<Session, 'flags'>), ...shown })
}
