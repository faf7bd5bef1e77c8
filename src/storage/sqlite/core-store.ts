/** The core's face of the port on SQLite: each operation has done its work when it returns its promise. */
import type { Database } from 'better-sqlite3'
import { and, eq, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import type { IdToken } from '../../domain/ports/id-tokens.ts'
import type { Session, Transaction } from '../../domain/ports/sessions.ts'
import type {
  CoreStore,
  LoadedChargePoint,
  LookedUp,
  Lookup,
  TransactionKey,
  UnacceptedChargePoint,
} from '../../domain/ports/storage.ts'
import { isPlacedLater } from '../../domain/records/records.ts'
import { findChargePoint } from '../cold/charge-points.ts'
import { recordReads, recordsOfChargePoint } from '../cold/records.ts'
import { tariffInForce } from '../cold/webhooks/tariffs.ts'
import { portOf } from '../cold/work.ts'
import { DROPPED, OUT, PENDING } from '../rows/command-row.ts'
import { present } from '../rows/present.ts'
import { idTokens } from '../schema/accounts.ts'
import { appendingWriter, type LogNames } from './journal/apply-change-set.ts'
import { groupCommit } from './journal/commit.ts'
import type { Journal } from './journal/journal.ts'
import { type FoundTransaction, sessionById, sessionQueries } from './queries/session-queries.ts'
import { numberReservation } from './rows/number-sequence.ts'
import { readRun, worker } from './run-cold.ts'

/** What has versions waits in the journal. */
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
  const reserve = numberReservation(db)
  const accountOf = db.prepare<[string], string>('SELECT account_id FROM charge_points WHERE id = ?').pluck()
  const sessions = sessionQueries(db)
  const findSession = sessionById(db)
  const idToken = drizzle(db)
    .select()
    .from(idTokens)
    .where(and(eq(idTokens.accountId, sql.placeholder('accountId')), eq(idTokens.id, sql.placeholder('id'))))
    .prepare()
  const sameIgnoringCase = db
    .prepare<[string], string>('SELECT id FROM charge_points WHERE id = ? COLLATE NOCASE')
    .pluck()
  const unacceptedChargePoints = db.prepare<[], UnacceptedChargePoint>(`SELECT id, account_id AS accountId,
      max(created_at, coalesce(json_extract(document, '$.lastSeenAt'), 0)) AS seenAt
    FROM charge_points LEFT JOIN charge_point_statuses ON charge_point_id = id
    WHERE registration_status = 'Pending' AND password_hash IS NULL AND security_profile = 1 AND name IS NULL
      AND json_extract(document, '$.bootedAt') IS NULL`)
  const accountName = db.prepare<[string], string>('SELECT name FROM accounts WHERE id = ?').pluck()
  const automaticSettlement = db
    .prepare<[string], 1 | null>('SELECT automatic_settlement FROM accounts WHERE id = ?')
    .pluck()
  const lastCommandId = db.prepare<[], number | null>('SELECT max(id) FROM commands').pluck()
  const dropPending = pendingCommands(db)
  const inPlace = portOf(recordReads, () => readRun(now)) as Pick<CoreStore, 'listRecords'>

  const oldestAccount = db.prepare<[], string>('SELECT id FROM accounts ORDER BY created_at, id LIMIT 1').pluck()

  const newestSession = (id: string): Session | undefined => journal.session(id) ?? findSession(id)
  const foundOf = (transaction: Transaction): FoundTransaction | undefined => {
    const session = newestSession(transaction.sessionId)
    // As in the tables: transactions count only for the account that has the charge point now.
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
    return {
      chargePoint,
      status,
      connectors,
      transactions: sessions.openTransactions(id, chargePoint.accountId),
      sessions: sessions.currentSessions(id, chargePoint.accountId),
      tariff,
      accountName: accountName.get(chargePoint.accountId) ?? '',
      ...(automaticSettlement.get(chargePoint.accountId) === 1 && { automaticSettlement: true as const }),
      records: now(recordsOfChargePoint(id)),
    }
  }

  const core: CoreStore = {
    defaultAccountId: async () => oldestAccount.get(),
    lastCommandId: async () => lastCommandId.get() ?? 0,
    reserveNumbers: async (sequence, count) => reserve(sequence, count),
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
      return unacceptedChargePoints.all()
    },
    identityIgnoringCase: async (id) => sameIgnoringCase.get(id),
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
      return inPlace.listRecords(kind, query)
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
