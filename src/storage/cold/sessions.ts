import type { Session } from '../../domain/ports/sessions.ts'
import type { Reads } from '../../domain/ports/storage.ts'
import type { SessionFilter, SessionKey } from '../../domain/ports/storage-queries.ts'
import {
  readSession,
  readTransaction,
  type SessionRow,
  sessionColumns,
  type TransactionRow,
  transactionColumns,
} from '../rows/transaction-row.ts'
import type { Dialect } from './dialect.ts'
import {
  BY_CREATION,
  BY_START,
  ENDED,
  indexFor,
  isEnded,
  isNarrow,
  isRunning,
  type Order,
  RUNNING,
  sessionWhere,
} from './session-list.ts'
import { all, column, first, type Operations } from './work.ts'

const SESSION = `SELECT ${sessionColumns('sessions')}`
const positionIn = ({ at }: Order): string => `SELECT ${at} AS "belowAt", id AS "belowId" FROM sessions WHERE id = ?`
// A number that another transaction took over is kept under another key (SESSION-B1).
const TRANSACTION = `SELECT ${transactionColumns('found')} FROM transactions AS found
  WHERE charge_point_id = @chargePointId AND session_id = @id AND transaction_id IN (@transactionId, @movedTo)`
// Verbatim the partial index's condition, so that only those are walked.
const OPEN = `${SESSION} FROM sessions WHERE charge_point_id = ? AND ${RUNNING} ${BY_CREATION.newestFirst}`

// One probe of the key per charge point: an index of numbers alone would be written with every start.
const NUMBERED = `SELECT id FROM (SELECT (SELECT t.session_id FROM transactions t
    WHERE t.charge_point_id = p.id AND t.transaction_id = ?) AS id FROM charge_points p WHERE p.account_id = ?) AS numbered
  WHERE id IS NOT NULL LIMIT ?`
// An id begins with its milliseconds: eight digits select a minute's sessions, of any account.
const BEGINNING = /^[0-9a-f]{8}[0-9a-f-]{0,28}$/
const MAX_NEAR = 1000
const NEAR = `${SESSION} FROM (SELECT * FROM sessions WHERE id >= ? AND id < ? ORDER BY id DESC LIMIT ${MAX_NEAR}) AS sessions
  WHERE account_id = ? ORDER BY id DESC LIMIT ?`

export function sessionReads(dialect: Dialect) {
  return {
    *findSession(id) {
      const found = yield* first<SessionRow>(`${SESSION} FROM sessions WHERE id = ?`, [id])
      return found && readSession(found)
    },
    *listSessions({ belowId, limit, byStart, ...filter }) {
      type Position = { readonly belowAt: number; readonly belowId: string }
      const order = byStart ? BY_START : BY_CREATION
      const position = belowId === undefined ? {} : yield* first<Position>(positionIn(order), [belowId])
      if (!position || filter.chargePointIds?.length === 0) return []
      const below = belowId === undefined ? '' : `AND ${order.below}`
      const found: Session[] = []
      for (const { index, more } of byStart ? partsByStart(filter) : WHOLE) {
        const { sql, values } = sessionWhere(dialect, filter, index, more)
        const page = `${SESSION} ${sql} ${below} ${order.newestFirst} LIMIT @limit`
        found.push(...(yield* all<SessionRow>(page, { ...values, ...position, limit })).map(readSession))
      }
      return byStart ? found.sort(laterFirst).slice(0, limit) : found
    },
    *findSessionsNamed(accountId, name, limit) {
      const found = new Map<string, Session>()
      for (const id of yield* column<string>(NUMBERED, [name, accountId, limit])) {
        const row = yield* first<SessionRow>(`${SESSION} FROM sessions WHERE id = ? AND account_id = ?`, [
          id,
          accountId,
        ])
        if (row) found.set(id, readSession(row))
      }
      const beginning = name.toLowerCase()
      if (BEGINNING.test(beginning)) {
        const near = yield* all<SessionRow>(NEAR, [beginning, `${beginning}g`, accountId, limit])
        for (const row of near) found.set(row.id, readSession(row))
      }
      return [...found.values()].slice(0, limit)
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

interface Part {
  readonly index?: string | undefined
  readonly more?: readonly string[]
}

const WHOLE: readonly Part[] = [{}]

/** Ended sessions have an index by start; an account's running ones, or a card's sessions, are sorted. */
function partsByStart(filter: SessionFilter): readonly Part[] {
  if (isNarrow(filter)) return [{ index: indexFor(filter) }]
  const ended = { index: 'sessions_begun', more: [ENDED] }
  const running = { index: 'sessions_open', more: [RUNNING] }
  if (isEnded(filter)) return [ended]
  return isRunning(filter) ? [running] : [running, ended]
}

function laterFirst(a: Session, b: Session): number {
  return (b.startedAt ?? b.createdAt) - (a.startedAt ?? a.createdAt) || (a.id < b.id ? 1 : -1)
}

function hasBegun(session: SessionKey): session is SessionKey & { readonly transactionId: string } {
  return session.transactionId !== undefined
}
