import type { Database } from 'better-sqlite3'
import type { LogReads, Reads } from '../../domain/ports/storage.ts'
import type { InSteps } from '../../threads/turns.ts'
import { coldReads, readWork } from '../cold/cold-port.ts'
import type { FileReadingSide } from '../database.ts'
import { withFailures } from '../each-operation.ts'
import { addWords, sqliteDialect } from './dialect.ts'
import { connectReader } from './files/connection.ts'
import { logSalt, requireMigrated } from './files/migrate.ts'
import { logReads, logSteps, singleCommands } from './reads/log-steps.ts'
import { readRun, stepper, worker } from './run-cold.ts'
import { storageError, withStepErrors } from './storage-error.ts'

interface SqliteReader extends FileReadingSide {
  /** Scans of the log or an account's history, in steps that others' queries can come between (SEARCH-Q12). */
  readonly steps: InSteps<LogReads & Pick<Reads, 'sumSessions'>>
  /** Changes wait in the journal, where this reader does not look. */
  readonly behind: () => boolean
}

/** Opens a database that a server has prepared. Statements are short: none holds back the checkpoint (SEARCH-C4). */
export function openSqliteReader(path: string): SqliteReader {
  const db = openReadOnly(path)
  try {
    requireMigrated(db)
    const salt = logSalt(db)
    const waiting = db.prepare('SELECT 1 FROM journal LIMIT 1')
    addWords(db)
    const { sumSessions } = readWork(sqliteDialect)
    const inSteps = stepper(db)
    const totals: InSteps<Pick<Reads, 'sumSessions'>> = { sumSessions: (...query) => inSteps(sumSessions(...query)) }
    const steps = withStepErrors({ ...logSteps(db, () => performance.now(), salt), ...totals }, path)
    return {
      ...withFailures({ ...coldReads(sqliteDialect, readRun(worker(db))), ...singleCommands(db) }, (error) =>
        storageError(error, path),
      ),
      ...logReads(steps),
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
