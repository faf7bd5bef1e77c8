/** The core's side of the port on SQLite: each operation has done its work when it returns its promise. */

import type { Database } from 'better-sqlite3'
import { and, eq, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import type { IdToken } from '../../domain/ports/id-tokens.ts'
import type { RemoteStartSign, Session, Transaction } from '../../domain/ports/sessions.ts'
import type { CoreStore } from '../../domain/ports/storage.ts'
import type { LoadedChargePoint, LookedUp, Lookup, TransactionKey } from '../../domain/ports/storage-records.ts'
import { isPlacedLater } from '../../domain/records/records.ts'
import { findChargePoint } from '../cold/charge-points.ts'
import { coreReads, numberReservation } from '../cold/core.ts'
import { placesLoadedWith, tariffInForce } from '../cold/id-tokens.ts'
import { recordsOfChargePoint } from '../cold/records.ts'
import { RUNNING } from '../cold/sessions.ts'
import { portOf } from '../cold/work.ts'
import { DROPPED, OUT, PENDING } from '../rows/command-row.ts'
import { present } from '../rows/present.ts'
import {
  readSession,
  readTransaction,
  type SessionRow,
  sessionColumns,
  type TransactionRow,
  transactionColumns,
} from '../rows/transaction-row.ts'
import { idTokens } from '../schema/accounts.ts'
import { readRun, sqliteDialect, worker } from './dialect.ts'
import { appendingWriter, type LogNames } from './journal/apply-change-set.ts'
import { groupCommit } from './journal/commit.ts'
import type { Journal } from './journal/journal.ts'
import { sessionById } from './queries/session-queries.ts'

/** Versioned data waits in the journal. */
export function sqliteCoreStore(
  db: Database,
  names: LogNames,
  journal: Journal,
  synced?: (ms: number) => void,
): CoreStore {
  const now = worker(db)
  const dataVersion = db.prepare<[], number>('PRAGMA data_version').pluck()
  /** Rises whenever another connection changed the database. */
  const foreignChanges = (): number => dataVersion.get() ?? 0
  const commit = groupCommit(db, names, foreignChanges, appendingWriter(db, names, now, journal), journal, synced)
  const accountOf = db.prepare<[string], string>('SELECT account_id FROM charge_points WHERE id = ?').pluck()
  const sessions = sessionQueries(db)
  const findSession = sessionById(db)
  const idToken = drizzle(db)
    .select()
    .from(idTokens)
    .where(and(eq(idTokens.accountId, sql.placeholder('accountId')), eq(idTokens.id, sql.placeholder('id'))))
    .prepare()
  const accountName = db.prepare<[string], string>('SELECT name FROM accounts WHERE id = ?').pluck()
  const automaticSettlement = db
    .prepare<[string], 1 | null>('SELECT automatic_settlement FROM accounts WHERE id = ?')
    .pluck()
  const lastCommandId = db.prepare<[], number | null>('SELECT max(id) FROM commands').pluck()
  const dropPending = pendingCommands(db)
  const shared = portOf(coreReads(sqliteDialect), () => readRun(now)) as Pick<
    CoreStore,
    keyof ReturnType<typeof coreReads>
  >

  const newestSession = (id: string): Session | undefined => journal.session(id) ?? findSession(id)
  const foundOf = (transaction: Transaction): FoundTransaction | undefined => {
    const session = newestSession(transaction.sessionId)
    // As in the tables: transactions count only for the charge point's current account.
    const registered = accountOf.get(transaction.chargePointId)
    return session && session.accountId === registered ? { transaction, session } : undefined
  }

  const findTransaction = (chargePointId: string, by: TransactionKey): FoundTransaction | undefined => {
    const waiting = journal.transaction(chargePointId, by)
    if (waiting) return foundOf(waiting)
    const found =
      'startKey' in by
        ? sessions.byStartKey(chargePointId, by.startKey)
        : sessions.byTransactionId(chargePointId, by.transactionId)
    return found && { ...found, session: journal.session(found.session.id) ?? found.session }
  }
  const loadIdTokens = (accountId: string, ids: readonly string[]): readonly IdToken[] =>
    ids.flatMap((id) => {
      const token = idToken.get({ accountId, id })
      return token ? [present(token)] : []
    })
  const lookUp = (asked: Lookup): LookedUp => {
    if ('idTokens' in asked) return { idTokens: loadIdTokens(asked.accountId, asked.idTokens) }
    if ('transaction' in asked) {
      const found = findTransaction(asked.chargePointId, asked.transaction)
      return { transactions: found ? [found] : [] }
    }
    if ('newestAt' in asked) return { transactions: sessions.newestTransactions(asked.chargePointId, asked.newestAt) }
    const session =
      'sessionId' in asked
        ? newestSession(asked.sessionId)
        : sessions.overdueStart(asked.chargePointId, asked.overdueStart)
    return session ? { session } : {}
  }

  const load = (id: string): LoadedChargePoint | undefined => {
    const found = now(findChargePoint(id))
    if (!found) return undefined
    const { status, connectors, ...chargePoint } = found
    const tariff = now(tariffInForce(chargePoint.accountId, id))
    const records = now(recordsOfChargePoint(id))
    const places = now(placesLoadedWith(chargePoint.accountId, records))
    return {
      chargePoint,
      status,
      connectors,
      transactions: sessions.openTransactions(id, chargePoint.accountId),
      sessions: sessions.currentSessions(id, chargePoint.accountId),
      tariff,
      ...(places && { places }),
      accountName: accountName.get(chargePoint.accountId) ?? '',
      ...(automaticSettlement.get(chargePoint.accountId) === 1 && { automaticSettlement: true as const }),
      records,
    }
  }

  const core: CoreStore = {
    ...shared,
    lastCommandId: async () => lastCommandId.get() ?? 0,
    reserveNumbers: numberReservation(readRun(now)),
    loadChargePoints: async (ids) => {
      journal.flushFor(ids)
      return ids.map(load)
    },
    prefetch: async (lookups) => {
      // These are found in the tables alone.
      journal.flushFor(
        lookups.flatMap((one) => ('newestAt' in one || 'overdueStart' in one ? [one.chargePointId] : [])),
      )
      return lookups.map(lookUp)
    },
    unacceptedChargePoints: async () => {
      journal.flush()
      return shared.unacceptedChargePoints()
    },
    chargePointsWithOpenSessions: async () => {
      journal.flush()
      return sessions.chargePointsWithOpenOnes()
    },
    findSession: async (id) => newestSession(id),
    loadIdTokens: async (accountId, ids) => loadIdTokens(accountId, ids),
    commit: async (group) => commit(group),
    dropPendingCommands: async () => dropPending(),
    listRecords: async (kind, query) => {
      if (isPlacedLater(kind)) journal.flush()
      return shared.listRecords(kind, query)
    },
    registrationsVersion: foreignChanges,
  }
  return core
}

/** In the log and its search. A call with a record still waits, or the core finds out its outcome (OCPP-RP15). */
function pendingCommands(db: Database): () => number {
  const pending = `status = ${PENDING} AND direction = ${OUT} AND NOT EXISTS (SELECT 1 FROM outgoing_calls AS call
    WHERE call.charge_point_id = (SELECT name FROM log_charge_points WHERE key = commands.charge_point)
      AND call.id = commands.id)`
  const inSearch = db.prepare(`UPDATE commands_search SET status = ${DROPPED}
    WHERE (charge_point, id) IN (SELECT charge_point, id FROM commands WHERE ${pending})`)
  const inLog = db.prepare(`UPDATE commands SET status = ${DROPPED} WHERE ${pending}`)
  const drop = db.transaction(() => {
    inSearch.run()
    return inLog.run().changes
  })
  return () => drop.immediate()
}

interface FoundTransaction {
  readonly transaction: Transaction
  readonly session: Session
}

/** Last figures await their event (HOOK-M3) or settlement (COST-L4); verbatim the index `sessions_clock_waits`. */
const CLOCK_WAITS = `state IN ('completed', 'failed')
  AND coalesce(json_extract(facts, '$.figuresDueAt'), json_extract(facts, '$.settlementDueAt')) IS NOT NULL`

/** SESSION-S5, SESSION-S9; verbatim the condition of the partial indexes `sessions_overdue_start_…`. */
const OVERDUE_START = `state = 'failed' AND json_extract(facts, '$.endReason') IN ('expired', 'cancelled')
  AND json_extract(facts, '$.remoteStart.matched') IS NULL`

/** SESSION-A16; verbatim the expressions of the partial index `transactions_outlet`. */
const OUTLET = `CASE WHEN document ->> '$.evseId' IS NULL THEN document ->> '$.connectorId' ELSE document ->> '$.evseId' END`
const STARTED_AT = `document ->> '$.startedAt.occurredAt'`
/** More than ever begin on one outlet at one time; a hostile station could name one time for all. */
const NEWEST_MOST = 8

/** A charge point that changed hands keeps its name, not its history: only its present account's count. */
const OF_ITS_ACCOUNT = '+session.account_id = (SELECT account_id FROM charge_points WHERE id = found.charge_point_id)'

/**
 * Sessions and transactions by the keys the core looks them up with. The `+` before an account keeps the planner, which
 * has no counts, from walking all its sessions (STORE-B3).
 */
export function sessionQueries(db: Database) {
  const withOpenOnes = db
    .prepare<[], string>(
      `SELECT id FROM charge_points WHERE id IN (
         SELECT charge_point_id FROM sessions WHERE ${RUNNING}
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
       WHERE charge_point_id = @chargePointId AND +account_id = @accountId AND ${RUNNING}
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
  /** Of each outlet the closed ones with the latest start up to this station time. */
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
  // An index hint: the order by id would tempt the planner to walk all sessions of the charge point.
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
    /** Ids of registered charge points with something unfinished. */
    chargePointsWithOpenOnes: () => withOpenOnes.all(),
    openTransactions: (chargePointId: string, accountId: string) =>
      openTransactions.all(chargePointId, accountId).map(readTransaction),
    /** Non-terminal sessions, and those of the open transactions. */
    currentSessions: (chargePointId: string, accountId: string) =>
      currentSessions.all({ chargePointId, accountId }).map(readSession),
    byTransactionId: (chargePointId: string, transactionId: string) =>
      read(byTransactionId.get(chargePointId, transactionId)),
    /** The newest one, should a key ever have been used twice. */
    byStartKey: (chargePointId: string, startKey: string) => read(byStartKey.get(chargePointId, startKey)),
    newestTransactions,
    /** The oldest match, however long ago it expired or was cancelled. */
    overdueStart: (chargePointId: string, sign: RemoteStartSign): Session | undefined => {
      const find = 'remoteStartId' in sign ? overdueByNumber : overdueByToken
      const row = find.get({ chargePointId, ...sign })
      return row && readSession(row)
    },
  }
}
