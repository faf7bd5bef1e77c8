/** The core's face of the port on SQLite: each operation has done its work when it returns its promise. */
import type { Database } from 'better-sqlite3'
import { and, eq, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import type { CoreStore } from '../store.ts'
import { chargePointQueries } from './charge-point-queries.ts'
import { DROPPED, OUT, PENDING } from './command-row.ts'
import { groupCommit } from './commit.ts'
import type { LogNames } from './dictionary.ts'
import { numberReservation } from './number-sequence.ts'
import { present } from './present.ts'
import { idTokens } from './schema/accounts.ts'
import { sessionById, sessionQueries } from './session-queries.ts'
import { tariffInForce } from './webhooks/tariffs.ts'

export function sqliteCoreStore(db: Database, names: LogNames): CoreStore {
  const dataVersion = db.prepare<[], number>('PRAGMA data_version').pluck()
  const foreignChanges = (): number => dataVersion.get() ?? 0
  const commit = groupCommit(db, names, foreignChanges)
  const reserve = numberReservation(db)
  const chargePoints = chargePointQueries(db)
  const sessions = sessionQueries(db)
  const findSession = sessionById(db)
  const tariffOf = tariffInForce(db)
  const idToken = drizzle(db)
    .select()
    .from(idTokens)
    .where(and(eq(idTokens.accountId, sql.placeholder('accountId')), eq(idTokens.id, sql.placeholder('id'))))
    .prepare()
  const sameIgnoringCase = db
    .prepare<[string], string>('SELECT id FROM charge_points WHERE id = ? COLLATE NOCASE')
    .pluck()
  const lastCommandId = db.prepare<[], number | null>('SELECT max(id) FROM commands').pluck()
  const dropPending = db.prepare(
    `UPDATE commands SET status = ${DROPPED} WHERE status = ${PENDING} AND direction = ${OUT}`,
  )

  const oldestAccount = db.prepare<[], string>('SELECT id FROM accounts ORDER BY created_at, id LIMIT 1').pluck()

  return {
    defaultAccountId: async () => oldestAccount.get(),
    lastCommandId: async () => lastCommandId.get() ?? 0,
    reserveNumbers: async (sequence, count) => reserve(sequence, count),
    loadChargePoint: async (id) => {
      const found = chargePoints.find(id)
      if (!found) return undefined
      const { status, connectors, ...chargePoint } = found
      const tariff = tariffOf(chargePoint.accountId, id)
      return {
        chargePoint,
        status,
        connectors,
        transactions: sessions.openTransactions(id, chargePoint.accountId),
        sessions: sessions.currentSessions(id, chargePoint.accountId),
        ...(tariff && { tariff }),
      }
    },
    identityIgnoringCase: async (id) => sameIgnoringCase.get(id),
    chargePointsWithOpenSessions: async () => sessions.chargePointsWithOpenOnes(),
    findTransaction: async (chargePointId, by) =>
      'startKey' in by
        ? sessions.byStartKey(chargePointId, by.startKey)
        : sessions.byTransactionId(chargePointId, by.transactionId),
    findSession: async (id) => findSession(id),
    findExpiredStart: async (chargePointId, sign) => sessions.expiredStart(chargePointId, sign),
    loadIdTokens: async (accountId, ids) =>
      ids.flatMap((id) => {
        const token = idToken.get({ accountId, id })
        return token ? [present(token)] : []
      }),
    commit: async (group) => commit(group),
    dropPendingCommands: async () => dropPending.run().changes,
    foreignChanges,
  }
}
