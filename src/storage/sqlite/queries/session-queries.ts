/** Sessions and transactions by the keys the core looks them up with. */
import type { Database } from 'better-sqlite3'
import type { RemoteStartSign, Session, Transaction } from '../../../domain/ports/sessions.ts'
import { readSession, type SessionRow, sessionColumns } from '../../rows/session-row.ts'
import { readTransaction, type TransactionRow, transactionColumns } from '../../rows/transaction-row.ts'

export interface FoundTransaction {
  readonly transaction: Transaction
  readonly session: Session
}

interface SessionQueries {
  /** Ids of registered charge points with something that is not over yet. */
  readonly chargePointsWithOpenOnes: () => readonly string[]
  readonly openTransactions: (chargePointId: string, accountId: string) => readonly Transaction[]
  /** Non-terminal sessions, and those of the open transactions. */
  readonly currentSessions: (chargePointId: string, accountId: string) => readonly Session[]
  readonly byTransactionId: (chargePointId: string, transactionId: string) => FoundTransaction | undefined
  /** The newest one, should a key ever have been used twice. */
  readonly byStartKey: (chargePointId: string, startKey: string) => FoundTransaction | undefined
  /** Of each outlet the closed ones that began last before this station time, or at it. */
  readonly newestTransactions: (chargePointId: string, at: number) => readonly FoundTransaction[]
  /** The oldest that fits, however long ago it expired or was cancelled. */
  readonly overdueStart: (chargePointId: string, sign: RemoteStartSign) => Session | undefined
}

/** Word for word the condition of the partial index `sessions_open`, or the planner would not use it. */
const OPEN_SESSION = `state NOT IN ('completed', 'failed')`

/** Last figures await their event (HOOK-M3) or settlement (COST-L4); word for word the index `sessions_clock_waits`. */
const CLOCK_WAITS = `state IN ('completed', 'failed')
  AND coalesce(json_extract(facts, '$.figuresDueAt'), json_extract(facts, '$.settlementDueAt')) IS NOT NULL`

/** SESSION-S5, SESSION-S9; word for word the condition of the partial indexes `sessions_overdue_start_…`. */
const OVERDUE_START = `state = 'failed' AND json_extract(facts, '$.endReason') IN ('expired', 'cancelled')
  AND json_extract(facts, '$.remoteStart.matched') IS NULL`

/** SESSION-A16; word for word the expressions of the partial index `transactions_outlet`. */
const OUTLET = `CASE WHEN document ->> '$.evseId' IS NULL THEN document ->> '$.connectorId' ELSE document ->> '$.evseId' END`
const STARTED_AT = `document ->> '$.startedAt.occurredAt'`
/** More than ever begin on one outlet at one time; a hostile station could name one time for all. */
const NEWEST_MOST = 8

/** A charge point that changed hands keeps its name, not its history: only its present account's count. */
const OF_ITS_ACCOUNT = '+session.account_id = (SELECT account_id FROM charge_points WHERE id = found.charge_point_id)'

/** The `+` before an account keeps the planner, which has no counts, from walking all its sessions (STORE-B3). */
export function sessionQueries(db: Database): SessionQueries {
  const withOpenOnes = db
    .prepare<[], string>(
      `SELECT id FROM charge_points WHERE id IN (
         SELECT charge_point_id FROM sessions WHERE ${OPEN_SESSION}
         UNION SELECT charge_point_id FROM sessions WHERE ${CLOCK_WAITS}
         UNION SELECT charge_point_id FROM transactions WHERE open = 1) ORDER BY id`,
    )
    .pluck()
  const openTransactions = db.prepare<[string, string], TransactionRow>(
    `SELECT ${transactionColumns('found')}
     FROM transactions AS found JOIN sessions AS session ON session.id = found.session_id
     WHERE found.charge_point_id = ? AND found.open = 1 AND +session.account_id = ?`,
  )
  const currentSessions = db.prepare<[object], SessionRow>(
    `SELECT ${sessionColumns('sessions')} FROM sessions
       WHERE charge_point_id = @chargePointId AND +account_id = @accountId AND ${OPEN_SESSION}
     UNION SELECT ${sessionColumns('sessions')} FROM sessions
       WHERE charge_point_id = @chargePointId AND +account_id = @accountId AND ${CLOCK_WAITS}
     UNION SELECT ${sessionColumns('sessions')} FROM sessions
       WHERE id IN (SELECT session_id FROM transactions WHERE charge_point_id = @chargePointId AND open = 1)
         AND +account_id = @accountId`,
  )
  const found = `SELECT ${transactionColumns('found')}, ${sessionColumns('session')}
    FROM transactions AS found JOIN sessions AS session ON session.id = found.session_id
    WHERE found.charge_point_id = ? AND ${OF_ITS_ACCOUNT}`
  type FoundRow = SessionRow & TransactionRow
  const byTransactionId = db.prepare<[string, string], FoundRow>(`${found} AND found.transaction_id = ?`)
  const byStartKey = db.prepare<[string, string], FoundRow>(
    `${found} AND found.start_key = ? ORDER BY found.rowid DESC LIMIT 1`,
  )
  const nextOutlet = db
    .prepare<[object], number | null>(
      `SELECT min(${OUTLET}) FROM transactions INDEXED BY transactions_outlet
       WHERE charge_point_id = @chargePointId AND open = 0 AND ${OUTLET} > @outlet`,
    )
    .pluck()
  const newestStart = db
    .prepare<[object], number | null>(
      `SELECT max(${STARTED_AT}) FROM transactions INDEXED BY transactions_outlet
       WHERE charge_point_id = @chargePointId AND open = 0 AND ${OUTLET} = @outlet AND ${STARTED_AT} < @at`,
    )
    .pluck()
  const startedBetween = db.prepare<[object], FoundRow>(
    `SELECT ${transactionColumns('found')}, ${sessionColumns('session')}
     FROM transactions AS found INDEXED BY transactions_outlet JOIN sessions AS session ON session.id = found.session_id
     WHERE found.charge_point_id = @chargePointId AND ${OF_ITS_ACCOUNT}
       AND open = 0 AND ${OUTLET} = @outlet AND ${STARTED_AT} BETWEEN @from AND @at
     ORDER BY ${STARTED_AT} DESC LIMIT ${NEWEST_MOST}`,
  )
  const newestTransactions = (chargePointId: string, at: number): readonly FoundTransaction[] => {
    const found: FoundTransaction[] = []
    let outlet = nextOutlet.get({ chargePointId, outlet: -1 })
    while (typeof outlet === 'number') {
      const from = newestStart.get({ chargePointId, outlet, at }) ?? at
      for (const row of startedBetween.all({ chargePointId, outlet, from, at })) {
        found.push({ transaction: readTransaction(row), session: readSession(row) })
      }
      outlet = nextOutlet.get({ chargePointId, outlet })
    }
    return found
  }
  // Named, because the order by id would tempt the planner to walk all sessions of the charge point.
  const overdueStart = (index: string, isNamed: string) =>
    db.prepare<[object], SessionRow>(
      `SELECT ${sessionColumns('sessions')} FROM sessions INDEXED BY ${index}
       WHERE charge_point_id = @chargePointId AND ${isNamed} AND ${OVERDUE_START}
         AND account_id = (SELECT account_id FROM charge_points WHERE id = @chargePointId)
       ORDER BY id LIMIT 1`,
    )
  const overdueByNumber = overdueStart(
    'sessions_overdue_start_number',
    `facts ->> '$.remoteStart.remoteStartId' = @remoteStartId`,
  )
  const overdueByToken = overdueStart(
    'sessions_overdue_start_token',
    `facts ->> '$.remoteStart.virtualIdToken' = @virtualIdToken COLLATE NOCASE`,
  )
  const read = (row: FoundRow | undefined): FoundTransaction | undefined =>
    row && { transaction: readTransaction(row), session: readSession(row) }

  return {
    chargePointsWithOpenOnes: () => withOpenOnes.all(),
    openTransactions: (chargePointId, accountId) => openTransactions.all(chargePointId, accountId).map(readTransaction),
    currentSessions: (chargePointId, accountId) => currentSessions.all({ chargePointId, accountId }).map(readSession),
    byTransactionId: (chargePointId, transactionId) => read(byTransactionId.get(chargePointId, transactionId)),
    byStartKey: (chargePointId, startKey) => read(byStartKey.get(chargePointId, startKey)),
    newestTransactions,
    overdueStart: (chargePointId, sign) => {
      const find = 'remoteStartId' in sign ? overdueByNumber : overdueByToken
      const row = find.get({ chargePointId, ...sign })
      return row && readSession(row)
    },
  }
}

/** Whoever the charge point belongs to now. */
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
