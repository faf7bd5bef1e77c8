/** The SQLite engine inside the core thread: the one connection that writes. */
import type { Database } from 'better-sqlite3'
import type { LogReads, Reads, Writes } from '../../domain/ports/storage.ts'
import type { InSteps } from '../../threads/turns.ts'
import { coldReads, coldWrites, readWork } from '../cold/cold-port.ts'
import type { FileReadingSide, FileWritingSide, Placing } from '../database.ts'
import { withFailures } from '../operations.ts'
import { sqliteCoreStore } from './core-store.ts'
import { addWords, readRun, sqliteDialect, stepper, worker, writeRun } from './dialect.ts'
import { connectReader, connectWriter } from './files/connection.ts'
import { logSalt, makeLogSalt, migrateDatabase, requireMigrated } from './files/migrate.ts'
import { type LogNames, logNames } from './journal/apply-change-set.ts'
import { documentWriters } from './journal/document-writers.ts'
import { type Journal, openJournal } from './journal/journal.ts'
import { logReads, logSteps } from './reads/log-steps.ts'
import { storageError, withStepErrors } from './storage-error.ts'

/**
 * Opens (and creates, and migrates) the database at `path`. Every operation does its work synchronously before its
 * promise is returned, so nothing interleaves; failures reject as `StorageError`. Documents and search entries wait in
 * the journal until they are placed; readers ask for it first (reader-client.ts).
 */
export function openSqlite(
  path: string,
  clock = (): number => performance.now(),
  synced?: (ms: number) => void,
): FileWritingSide {
  const failure = (error: unknown): Error => storageError(error, path)
  const db = openForWriting(path)
  try {
    migrateDatabase(db)
    db.pragma('foreign_keys = ON')
    makeLogSalt(db)
    const names = logNames(db)
    // Places what a killed server left behind.
    const journal = openJournal(db, documentWriters(db), clock)
    return {
      core: withFailures(sqliteCoreStore(db, names, journal, synced), failure),
      writes: withFailures({ ...sqliteWrites(db, names, journal), ...retentionWrites(db, journal) }, failure),
      placing: { waiting: journal.waiting, ...withFailures(placingOf(journal), failure) },
      salt: logSalt(db),
      close: () => {
        try {
          journal.flush()
        } catch {
          // A full disk must not prevent a stop: the rest is committed, and the next start places it.
        }
        db.close()
      },
    }
  } catch (error) {
    db.close()
    throw failure(error)
  }
}

function openForWriting(path: string): Database {
  try {
    return connectWriter(path)
  } catch (error) {
    throw storageError(error, path)
  }
}

function placingOf(journal: Journal): Omit<Placing, 'waiting'> {
  return {
    all: async (between) => (between ? journal.flushInParts(between) : journal.flush()),
    ofChargePoint: (chargePointId, between) => journal.flushOf(chargePointId, between),
  }
}

type Shared = ReturnType<typeof coldWrites>
type Arguments = readonly unknown[]

/** The charge point whose registration a write changes. */
const CONCERNED: { readonly [Name in keyof Shared]?: (args: Parameters<Shared[Name]>) => string } = {
  createChargePoint: ([{ id }]) => id,
  updateChargePoint: ([, id]) => id,
  deleteChargePoint: ([, id]) => id,
}

function sqliteWrites(db: Database, names: LogNames, journal: Journal): Shared {
  const run = writeRun(db, worker(db))
  const writes = coldWrites(sqliteDialect, () => run)
  /** The station's earlier reports are in its tables before it. */
  const place = (name: string, args: Arguments): void => {
    const concerned = CONCERNED[name as keyof Shared] as ((args: Arguments) => string) | undefined
    if (concerned) journal.flushFor([concerned(args)])
  }
  const placing = (name: keyof typeof CONCERNED) => {
    const write = writes[name] as (...args: Arguments) => Promise<unknown>
    return async (...args: Arguments): Promise<unknown> => {
      place(name, args)
      const done = write(...args)
      // A former owner's log may have lost its name.
      names.forget()
      return done
    }
  }
  const recorded: Writes['recorded'] = async (event, name, args) => {
    place(name, args)
    const done = writes.recorded(event, name, args)
    if (name in CONCERNED) names.forget()
    return done
  }
  const concerned = Object.keys(CONCERNED).map((name) => [name, placing(name as keyof Shared)])
  return { ...writes, ...(Object.fromEntries(concerned) as Partial<Shared>), recorded }
}

/** Freed pages are used again by the next rows; the file never needs a VACUUM. */
function retentionWrites(db: Database, journal: Pick<Journal, 'flushBefore'>): Pick<Writes, 'deleteOldCommands'> {
  // NOT INDEXED: the ids are found in the order of the table itself, so the cost is that of the rows deleted.
  const oldest = 'FROM commands NOT INDEXED WHERE id < ? ORDER BY id LIMIT ?'
  const fromSearch = db.prepare(
    `DELETE FROM commands_search WHERE (charge_point, id) IN (SELECT charge_point, id ${oldest})`,
  )
  const fromLog = db.prepare(`DELETE FROM commands WHERE id IN (SELECT id ${oldest})`)
  const deleteOld = db.transaction((before: number, limit: number) => {
    fromSearch.run(before, limit)
    return fromLog.run(before, limit).changes
  })
  return {
    deleteOldCommands: async (before, limit) => {
      journal.flushBefore(before)
      return deleteOld.immediate(before, limit)
    },
  }
}

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
    const greatest = db.prepare<[], number | null>('SELECT max(id) FROM commands').pluck()
    addWords(db)
    const { sumSessions } = readWork(sqliteDialect)
    const inSteps = stepper(db)
    const totals: InSteps<Pick<Reads, 'sumSessions'>> = { sumSessions: (...query) => inSteps(sumSessions(...query)) }
    const steps = withStepErrors({ ...logSteps(db, () => performance.now(), salt), ...totals }, path)
    return {
      ...withFailures(
        { ...coldReads(sqliteDialect, readRun(worker(db))), greatestCommandId: async () => greatest.get() ?? 0 },
        (error) => storageError(error, path),
      ),
      ...logReads(steps),
      salt,
      steps,
      behind: () => waiting.get() !== undefined,
      close: () => {
        db.close()
      },
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
