/** The SQLite engine inside the core thread: the one connection that writes. */
import type { Database } from 'better-sqlite3'
import type { Writes } from '../../ports/storage.ts'
import type { Placing, WritingSide } from '../database.ts'
import { sqliteCoreStore } from './core-store.ts'
import { connectWriter } from './files/connection.ts'
import { migrateDatabase } from './files/migrate.ts'
import { logSalt, makeLogSalt } from './files/salt.ts'
import { secretKeyWrites } from './files/secret-key-check.ts'
import { documentWriters } from './journal/document-writers.ts'
import { type Journal, openJournal } from './journal/journal.ts'
import { oidcWrites } from './oidc/writes.ts'
import { recordWrites } from './records.ts'
import { type LogNames, logNames } from './rows/dictionary.ts'
import { storageError, withStorageErrors } from './storage-error.ts'
import { webhookWrites } from './webhooks/writes.ts'
import { accountWrites } from './writes/accounts.ts'
import { administrationWrites } from './writes/administration.ts'
import { chargePointWrites } from './writes/charge-points.ts'
import { idTokenWrites } from './writes/id-tokens.ts'
import { recordedWrites } from './writes/recorded.ts'
import { retentionWrites } from './writes/retention.ts'

/**
 * Opens (and creates, and migrates) the database at `path`. Every operation does its work synchronously before its
 * promise is returned, so nothing interleaves; failures reject as `StorageError`. Documents and search entries wait in
 * the journal until they are put in place; readers ask for it first (up-to-date.ts).
 */
export function openSqlite(
  path: string,
  now = (): number => performance.now(),
  synced?: (ms: number) => void,
): WritingSide {
  const db = openForWriting(path)
  try {
    migrateDatabase(db)
    db.pragma('foreign_keys = ON')
    makeLogSalt(db)
    const names = logNames(db)
    // Puts in place what a killed server left behind.
    const journal = openJournal(db, documentWriters(db), now)
    return {
      core: withStorageErrors(sqliteCoreStore(db, names, journal, synced), path),
      writes: withStorageErrors(sqliteWrites(db, names, journal), path),
      placing: withStorageErrors(placingOf(journal), path),
      salt: logSalt(db),
      close: () => {
        try {
          journal.fold()
        } catch {
          // A full disk must not stand in the way of a stop: what waits is committed, the next start puts it in place.
        }
        db.close()
      },
    }
  } catch (error) {
    db.close()
    throw storageError(error, path)
  }
}

function openForWriting(path: string): Database {
  try {
    return connectWriter(path)
  } catch (error) {
    throw storageError(error, path)
  }
}

function placingOf(journal: Journal): Placing {
  return {
    waiting: () => journal.waiting(),
    all: async (between) => (between ? journal.foldInParts(between) : journal.fold()),
    ofChargePoint: (chargePointId, between) => journal.foldOf(chargePointId, between),
  }
}

function sqliteWrites(db: Database, names: LogNames, journal: Journal): Writes {
  const writes = {
    ...accountWrites(db),
    ...administrationWrites(db),
    ...chargePointWrites(db, names, journal.foldFor),
    ...idTokenWrites(db),
    ...retentionWrites(db),
    ...secretKeyWrites(db),
    ...oidcWrites(db),
    ...webhookWrites(db),
    ...recordWrites(db),
  }
  return { ...writes, ...recordedWrites(db, writes) }
}
