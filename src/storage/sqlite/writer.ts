/** The SQLite engine inside the core thread: the one connection that writes. */
import type { Database } from 'better-sqlite3'
import type { FileWritingSide, Placing } from '../database.ts'
import { withFailures } from '../each-operation.ts'
import { sqliteWrites } from './cold-writes.ts'
import { sqliteCoreStore } from './core-store.ts'
import { connectWriter } from './files/connection.ts'
import { migrateDatabase } from './files/migrate.ts'
import { logSalt, makeLogSalt } from './files/salt.ts'
import { logNames } from './journal/apply-change-set.ts'
import { documentWriters } from './journal/document-writers.ts'
import { type Journal, openJournal } from './journal/journal.ts'
import { storageError } from './storage-error.ts'
import { retentionWrites } from './writes/retention.ts'

/**
 * Opens (and creates, and migrates) the database at `path`. Every operation does its work synchronously before its
 * promise is returned, so nothing interleaves; failures reject as `StorageError`. Documents and search entries wait in
 * the journal until they are placed; readers ask for it first (up-to-date.ts).
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
