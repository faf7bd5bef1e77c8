/** The SQLite engine's reading side: a read-only connection, for the reader's thread or a command line tool. */
import type { Database } from 'better-sqlite3'
import type { Reads } from '../../ports/storage.ts'
import { allSteps } from '../../threads/turns.ts'
import type { ReadingSide } from '../database.ts'
import { connectReader } from './files/connection.ts'
import { requireMigrated } from './files/migrate.ts'
import { logSalt } from './files/salt.ts'
import { secretKeyReads } from './files/secret-key-check.ts'
import { oidcReads } from './oidc/reads.ts'
import { chargePointQueries } from './queries/charge-point-queries.ts'
import { accountReads } from './reads/accounts.ts'
import { administrationReads } from './reads/administration.ts'
import { chargePointReads } from './reads/charge-points.ts'
import { singleCommands } from './reads/command-search.ts'
import { type LogSteps, logReads, logSteps } from './reads/log-steps.ts'
import { networkReads } from './reads/network.ts'
import { type TotalSteps, totalSteps } from './reads/session-totals.ts'
import { sessionReads } from './reads/sessions.ts'
import { recordReads } from './records.ts'
import { storageError, withStepErrors, withStorageErrors } from './storage-error.ts'
import { webhookReads } from './webhooks/reads.ts'

export interface SqliteReader extends ReadingSide {
  /** What scans the log, in steps that others' queries can come between (SEARCH-Q12). */
  readonly steps: LogSteps & TotalSteps
  /** Something waits in the journal, where this reader does not look. */
  readonly behind: () => boolean
}

/**
 * Opens a database that a server has prepared. Every statement is short: none holds back the checkpoint (SEARCH-C4).
 */
export function openSqliteReader(path: string): SqliteReader {
  const db = openReadOnly(path)
  try {
    requireMigrated(db)
    const salt = logSalt(db)
    const waiting = db.prepare('SELECT 1 FROM journal LIMIT 1')
    const steps = withStepErrors({ ...logSteps(db, () => performance.now(), salt), ...totalSteps(db) }, path)
    return {
      ...withStorageErrors(sqliteReads(db), path),
      ...logReads(steps),
      sumSessions: async (...query) => allSteps(steps.sumSessions(...query)),
      salt,
      steps,
      behind: () => waiting.get() !== undefined,
      close: () => db.close(),
    }
  } catch (error) {
    db.close()
    throw storageError(error, path)
  }
}

function openReadOnly(path: string): Database {
  try {
    return connectReader(path)
  } catch (error) {
    throw storageError(error, path)
  }
}

function sqliteReads(db: Database): Omit<Reads, keyof LogSteps | keyof TotalSteps> {
  const chargePoints = chargePointQueries(db)
  const trivial = db.prepare('SELECT 1')
  return {
    ...accountReads(db),
    ...administrationReads(db),
    ...chargePointReads(db),
    ...networkReads(db),
    ...sessionReads(db),
    ...singleCommands(db),
    ...oidcReads(db),
    ...webhookReads(db),
    ...recordReads(db),
    findChargePoint: async (id) => chargePoints.find(id),
    listChargePoints: async (accountId, page) => chargePoints.list(accountId, page),
    countOpenChargePoints: async () => chargePoints.countOpen(),
    ...secretKeyReads(db),
    ping: async () => {
      trivial.get()
    },
  }
}
