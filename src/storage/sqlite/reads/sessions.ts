import type { Database } from 'better-sqlite3'
import type { Transaction } from '../../../ports/sessions.ts'
import type { Reads, SessionKey, SessionQuery } from '../../../ports/storage.ts'
import { sessionById } from '../queries/session-queries.ts'
import { readSession, type SessionRow, sessionColumns } from '../rows/session-row.ts'
import { readTransaction, type TransactionRow, transactionColumns } from '../rows/transaction-row.ts'
import { BELOW, NEWEST_FIRST, RUNNING, sessionWhere } from './session-list.ts'
import { statementCache } from './statements.ts'

export function sessionReads(
  db: Database,
): Pick<Reads, 'findSession' | 'listSessions' | 'findTransactionsOf' | 'listOpenSessions'> {
  const prepared = statementCache(db)
  const find = sessionById(db)
  const positionOf = db.prepare<[string], { readonly belowAt: number; readonly belowId: string }>(
    'SELECT created_at AS belowAt, id AS belowId FROM sessions WHERE id = ?',
  )
  // A number that another transaction took over is kept under another key (SESSION-B1).
  const transaction = db.prepare<[object], TransactionRow>(
    `SELECT ${transactionColumns('found')} FROM transactions AS found
     WHERE charge_point_id = @chargePointId AND session_id = @id
       AND transaction_id IN (@transactionId, @transactionId || '@' || @id)`,
  )

  // The words of the partial index, so that only those are walked.
  const open = db.prepare<[string], SessionRow>(
    `SELECT ${sessionColumns('sessions')} FROM sessions WHERE charge_point_id = ? AND ${RUNNING} ${NEWEST_FIRST}`,
  )

  const list = ({ belowId, limit, ...filter }: SessionQuery) => {
    const position = belowId === undefined ? {} : positionOf.get(belowId)
    // Nothing is shared: nothing to walk through either.
    if (!position || filter.chargePointIds?.length === 0) return []
    const { sql, values } = sessionWhere(filter)
    const below = belowId === undefined ? '' : `AND ${BELOW}`
    const rows = prepared(`SELECT ${sessionColumns('sessions')} ${sql} ${below} ${NEWEST_FIRST} LIMIT @limit`)
    return (rows.all({ ...values, ...position, limit }) as SessionRow[]).map(readSession)
  }

  const transactionOf = ({ id, chargePointId, transactionId }: SessionKey): readonly Transaction[] => {
    if (transactionId === undefined) return []
    const row = transaction.get({ id, chargePointId, transactionId })
    return row ? [readTransaction(row)] : []
  }

  return {
    findSession: async (id) => find(id),
    listSessions: async (query) => list(query),
    findTransactionsOf: async (sessions) => sessions.flatMap(transactionOf),
    listOpenSessions: async (chargePointId) => open.all(chargePointId).map(readSession),
  }
}
