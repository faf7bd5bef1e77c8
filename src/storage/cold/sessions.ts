import type { Reads, SessionKey } from '../../domain/ports/storage.ts'
import { readSession, type SessionRow, sessionColumns } from '../rows/session-row.ts'
import { readTransaction, type TransactionRow, transactionColumns } from '../rows/transaction-row.ts'
import type { Dialect } from './dialect.ts'
import { BELOW, NEWEST_FIRST, RUNNING, sessionWhere } from './session-list.ts'
import { all, first, type Operations } from './work.ts'

const SESSION = `SELECT ${sessionColumns('sessions')}`
const POSITION = 'SELECT created_at AS "belowAt", id AS "belowId" FROM sessions WHERE id = ?'
// A number that another transaction took over is kept under another key (SESSION-B1).
const TRANSACTION = `SELECT ${transactionColumns('found')} FROM transactions AS found
  WHERE charge_point_id = @chargePointId AND session_id = @id AND transaction_id IN (@transactionId, @movedTo)`
// The words of the partial index, so that only those are walked.
const OPEN = `${SESSION} FROM sessions WHERE charge_point_id = ? AND ${RUNNING} ${NEWEST_FIRST}`

export function sessionReads(dialect: Dialect) {
  return {
    *findSession(id) {
      const found = yield* first<SessionRow>(`${SESSION} FROM sessions WHERE id = ?`, [id])
      return found && readSession(found)
    },
    *listSessions({ belowId, limit, ...filter }) {
      type Position = { readonly belowAt: number; readonly belowId: string }
      const position = belowId === undefined ? {} : yield* first<Position>(POSITION, [belowId])
      // Nothing is shared: nothing to walk through either.
      if (!position || filter.chargePointIds?.length === 0) return []
      const { sql, values } = sessionWhere(dialect, filter)
      const below = belowId === undefined ? '' : `AND ${BELOW}`
      const page = `${SESSION} ${sql} ${below} ${NEWEST_FIRST} LIMIT @limit`
      return (yield* all<SessionRow>(page, { ...values, ...position, limit })).map(readSession)
    },
    *findTransactionsOf(sessions) {
      const found: TransactionRow[] = []
      for (const { id, chargePointId, transactionId } of sessions.filter(hasBegun)) {
        const key = { id, chargePointId, transactionId, movedTo: `${transactionId}@${id}` }
        const one = yield* first<TransactionRow>(TRANSACTION, key)
        if (one) found.push(one)
      }
      return found.map(readTransaction)
    },
    *listOpenSessions(chargePointId) {
      return (yield* all<SessionRow>(OPEN, [chargePointId])).map(readSession)
    },
  } satisfies Partial<Operations<Reads>>
}

function hasBegun(session: SessionKey): session is SessionKey & { readonly transactionId: string } {
  return session.transactionId !== undefined
}
