/** A transaction as its table holds it: columns for what is looked up, one JSON text for the rest. */
import type { Transaction } from '../../domain/ports/sessions.ts'
import { transactionRecord } from '../../domain/sessions/records.ts'

/** The columns as SQLite returns them (see `transactionColumns`). */
export interface TransactionRow {
  readonly chargePointId: string
  readonly transactionId: string
  readonly sessionId: string
  readonly startKey: string | null
  readonly open: number
  readonly document: string
}

/** Selects a `TransactionRow` from the table `transactions`, perhaps under an alias. */
export const transactionColumns = (table: string): string =>
  `${table}.charge_point_id AS "chargePointId", ${table}.transaction_id AS "transactionId",
  ${table}.session_id AS "sessionId", ${table}.start_key AS "startKey", ${table}.open AS "open", ${table}.document AS "document"`

/** The document: written again with each sample, so it repeats nothing that the columns say. */
export function writeTransaction(transaction: Transaction): string {
  const { chargePointId: _, transactionId: __, sessionId: ___, startKey: ____, open: _____, ...document } = transaction
  return JSON.stringify(document)
}

export function readTransaction(row: TransactionRow): Transaction {
  return transactionRecord({
    ...(JSON.parse(row.document) as Transaction),
    chargePointId: row.chargePointId,
    transactionId: row.transactionId,
    sessionId: row.sessionId,
    ...(row.startKey !== null && { startKey: row.startKey }),
    open: row.open === 1,
  })
}
