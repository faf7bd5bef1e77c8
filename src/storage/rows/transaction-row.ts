/** A transaction as its table holds it: columns for what is looked up, one JSON text for the rest. */
import type { Transaction } from '../../domain/ports/sessions.ts'
import { transactionRecord } from '../../domain/sessions/records.ts'
import { transactions } from '../schema/sessions.ts'
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
