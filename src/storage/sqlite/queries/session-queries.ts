import type { Database } from 'better-sqlite3'
import type { Session, Transaction } from '../../../domain/ports/sessions.ts'
import {
  readSession,
  readTransaction,
  type SessionRow,
  sessionColumns,
  type TransactionRow,
  transactionColumns,
} from '../../rows/transaction-row.ts'

/** For the charge point's current account. */
export function transactionById(
  db: Database,
): (chargePointId: string, transactionId: string) => Transaction | undefined {
  const find = db.prepare<[string, string], TransactionRow>(
    `SELECT ${transactionColumns('found')} FROM transactions AS found WHERE charge_point_id = ? AND transaction_id = ?`,
  )
  return (chargePointId, transactionId) => {
    const row = find.get(chargePointId, transactionId)
    return row && readTransaction(row)
  }
}

export function sessionById(db: Database): (id: string) => Session | undefined {
  const find = db.prepare<[string], SessionRow>(`SELECT ${sessionColumns('sessions')} FROM sessions WHERE id = ?`)
  return (id) => {
    const row = find.get(id)
    return row && readSession(row)
  }
}
