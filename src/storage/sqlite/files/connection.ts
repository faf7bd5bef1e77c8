/** Opens a database file so that "committed" means "on the disk", or not at all. */
import { closeSync, fsyncSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import SqliteDatabase, { type Database } from 'better-sqlite3'
import type { ServerLock } from '../../database.ts'
import { storageError } from '../storage-error.ts'
import { createPrivateFile, createPrivateFolder } from './private-files.ts'

/** 1000 pages: at 10,000 the checkpoint stalls acknowledgements for 60 ms instead of 15. */
const AUTOCHECKPOINT_PAGES = 1000
/** Every charge point writes to its own leaf of the search's index: 2 MB, the default, hold 500 of them. */
const CACHE_KIB = 32 * 1024
/** A command line tool may write beside a running server; the longest lock is a migration's. */
const BUSY_TIMEOUT_MS = 5000
const FULL = 2

/** Creates it (0600) with its directory when new. @throws where the file system cannot give durability (WAL, FULL) */
export function connectWriter(path: string): Database {
  refuseMemory(path)
  createFile(path)
  const db = new SqliteDatabase(path, { timeout: BUSY_TIMEOUT_MS })
  try {
    db.pragma('journal_mode = WAL')
    // After journal_mode, and read back: better-sqlite3 has NORMAL in WAL mode, which a power cut makes lose rows.
    db.pragma('synchronous = FULL')
    db.pragma(`wal_autocheckpoint = ${AUTOCHECKPOINT_PAGES}`)
    db.pragma(`cache_size = -${CACHE_KIB}`)
    db.pragma('trusted_schema = OFF')
    requireDurable(db, path)
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

export function connectReader(path: string): Database {
  refuseMemory(path)
  const db = new SqliteDatabase(path, { readonly: true, fileMustExist: true, timeout: BUSY_TIMEOUT_MS })
  db.pragma('trusted_schema = OFF')
  return db
}

/** Opens it for this piece of work alone. @throws StorageError when unreadable */
export function reading<T>(path: string, work: (db: Database) => T): T {
  try {
    const db = connectReader(path)
    try {
      return work(db)
    } finally {
      db.close()
    }
  } catch (error) {
    throw storageError(error, path)
  }
}

function requireDurable(db: Database, path: string): void {
  const journal = db.pragma('journal_mode', { simple: true })
  const synchronous = db.pragma('synchronous', { simple: true })
  if (journal !== 'wal' || synchronous !== FULL) {
    throw new Error(
      `${path}: the database runs with journal_mode=${journal}, synchronous=${synchronous} instead of wal and ${FULL}, ` +
        'so a power cut could lose answered messages. Put the file on a local file system.',
    )
  }
}

function refuseMemory(path: string): void {
  if (path === '' || path.includes(':memory:')) {
    throw new Error('A database in memory loses everything at the end: name a file, e.g. file:data/pilotwire.db.')
  }
}

function createFile(path: string): void {
  const directory = dirname(path)
  createPrivateFolder(directory)
  if (!createPrivateFile(path)) return
  // A new file survives a power cut only once its directory entry was written.
  const entry = openSync(directory, 'r')
  fsyncSync(entry)
  closeSync(entry)
}

/** @throws a sentence that names the other server's process */
export function acquireServerLock(databaseFile: string): ServerLock {
  const pidFile = `${databaseFile}.pid`
  // At a first start the lock comes before the database.
  createPrivateFolder(dirname(databaseFile))
  // SQLite gives a journal the mode of its file, and a file that it makes itself whatever the umask allows (OIDC-U10).
  createPrivateFile(`${databaseFile}.lock`)
  const lock = new SqliteDatabase(`${databaseFile}.lock`, { timeout: 0 })
  try {
    lock.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    lock.close()
    if (!(error instanceof SqliteDatabase.SqliteError) || error.code !== 'SQLITE_BUSY') {
      throw storageError(error, `${databaseFile}.lock`)
    }
    throw new Error(
      `Another Pilotwire server (process ${readPid(pidFile)}) uses ${databaseFile}: stop it, or set PILOTWIRE_DATABASE_URL to another file.`,
    )
  }
  writeFileSync(pidFile, `${process.pid}\n`, { mode: 0o600 })
  return {
    release: () => {
      rmSync(pidFile, { force: true })
      lock.close()
    },
  }
}

function readPid(pidFile: string): string {
  try {
    return readFileSync(pidFile, 'utf8').trim()
  } catch {
    return 'unknown'
  }
}
