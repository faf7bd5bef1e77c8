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
import { all, column, type Dialect, first, type Operations, type Value } from './work.ts'

/** Newest first. Each filter has an index in list order and names it, as SQLite's planner has no statistics. */
interface SessionWhere {
  /** From `FROM` to the conditions; the position may be added with `AND`. */
  readonly sql: string
  readonly values: Readonly<Record<string, Value>>
}

/** Verbatim the conditions of partial indices. */
export const ENDED = `state IN ('completed', 'failed')`
export const RUNNING = `state NOT IN ('completed', 'failed')`

interface Order {
  readonly at: string
  readonly newestFirst: string
  readonly below: string
}

const orderBy = (at: string): Order => ({
  at,
  newestFirst: `ORDER BY ${at} DESC, id DESC`,
  // SQLite seeks in an expression index by the first comparison only.
  below: `${at} <= @belowAt AND (${at}, id) < (@belowAt, @belowId)`,
})

export const BY_CREATION = orderBy('created_at')
/** Verbatim the expression of its index. */
export const BY_START = orderBy('CASE WHEN started_at IS NULL THEN created_at ELSE started_at END')

export function sessionWhere(
  { among, by, caseless }: Dialect,
  filter: SessionFilter,
  index = indexFor(filter),
  more: readonly string[] = [],
): SessionWhere {
  const { accountId, chargePointIds, state, running, idToken, externalReference } = filter
  const { from, to, startedFrom, startedTo, begunFrom, begunTo } = filter
  const conditions = ['account_id = @accountId', ...more]
  const values: Record<string, Value> = { accountId }
  const add = (name: string, value: Value | undefined, condition: string): void => {
    if (value === undefined) return
    conditions.push(condition)
    values[name] = value
  }
  const [only] = chargePointIds ?? []
  if (chargePointIds?.length === 1) add('chargePointId', only, 'charge_point_id = @chargePointId')
  else add('chargePointIds', chargePointIds, among('charge_point_id', '@chargePointIds'))
  add('state', state, 'state = @state')
  if (running) conditions.push(RUNNING)
  add('idToken', idToken, `${caseless('id_token')} = ${caseless('@idToken')}`)
  add('externalReference', externalReference, 'external_reference = @externalReference')
  add('from', from, 'created_at >= @from')
  add('to', to, 'created_at < @to')
  if (startedFrom !== undefined || startedTo !== undefined) conditions.push('started_at IS NOT NULL')
  add('startedFrom', startedFrom, `${BY_START.at} >= @startedFrom`)
  add('startedTo', startedTo, `${BY_START.at} < @startedTo`)
  add('begunFrom', begunFrom, `${BY_START.at} >= @begunFrom`)
  add('begunTo', begunTo, `${BY_START.at} < @begunTo`)
  return { sql: `FROM sessions ${by(index)} WHERE ${conditions.join(' AND ')}`, values }
}

function indexFor({ chargePointIds, state, running, idToken, externalReference }: SessionFilter): string {
  if (externalReference !== undefined) return 'sessions_reference'
  if (idToken !== undefined) return 'sessions_id_token'
  if (chargePointIds?.length === 1) return 'sessions_charge_point_created'
  // Few sessions run at once: sorting them is fast.
  if (running) return 'sessions_open'
  return state === undefined ? 'sessions_account_created' : 'sessions_state'
}

/** An index that leaves few of an account's sessions applies. */
export function isNarrow({ chargePointIds, idToken, externalReference }: SessionFilter): boolean {
  return externalReference !== undefined || idToken !== undefined || chargePointIds?.length === 1
}

export function isEnded({ state }: SessionFilter): boolean {
  return state === 'completed' || state === 'failed'
}

export function isRunning(filter: SessionFilter): boolean {
  return filter.running === true || (filter.state !== undefined && !isEnded(filter))
}

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
