import {
  type BigIntStats,
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs'
import { stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import SqliteDatabase, { type Database } from 'better-sqlite3'
import type { Clock } from '../../../domain/ports/core.ts'
import type { Bounds, Cell, CopiedRow, CopySource } from '../../copy/ports.ts'
import type { BackupProgress, DatabaseWatch } from '../../database.ts'
import { documentWriters } from '../journal/document-writers.ts'
import { recoverJournal } from '../journal/recover.ts'
import { storageError } from '../storage-error.ts'
import { openSqlite, openSqliteReader } from '../writer.ts'
import { acquireServerLock, connectReader, reading } from './connection.ts'
import { requireMigrated, schemaAge } from './migrate.ts'

/** 4 MiB at a time: the event loop and other programs get their turn in between. */
const PAGES_PER_STEP = 1024

/**
 * Copies the current database into the new file `target`, checks the copy and only then gives it its name: an existing
 * `target` is a complete, sound backup. Throws when `target` exists, when there is no room for it, or when the copy is
 * not sound. @param reserveBytes stay free where both are on one disk, for the running server (SERVER-E7)
 */
export async function backupDatabase(
  path: string,
  target: string,
  report: (progress: BackupProgress) => void,
  reserveBytes = 0,
): Promise<void> {
  const file = resolve(target)
  if (existsSync(file)) throw new Error(`${target} exists already: name a new file.`)
  if (!existsSync(dirname(file))) throw new Error(`The folder ${dirname(file)} does not exist: make it first.`)
  refuseWithoutRoom(path, dirname(file), reserveBytes)
  const draft = `${file}.part`
  rmSync(draft, { force: true })
  try {
    closeSync(openSync(draft, 'wx', 0o600))
    await copy(path, draft, report)
    seal(draft)
    flush(draft)
    renameSync(draft, file)
    flush(dirname(file))
  } catch (error) {
    for (const leftover of [draft, `${draft}-wal`, `${draft}-shm`, `${draft}-journal`])
      rmSync(leftover, { force: true })
    throw error instanceof SourceFault ? storageError(error.cause, path) : storageError(error, target)
  }
}

/** What the server has not yet put from its journal into the database file is copied as well. */
function refuseWithoutRoom(path: string, folder: string, reserveBytes: number): void {
  const sizes = [path, `${path}-wal`].map((file) => statSync(file, { throwIfNoEntry: false })?.size ?? 0)
  const needed = sizes.reduce((sum, size) => sum + size, 0)
  const isSameDisk = statSync(folder).dev === statSync(path).dev
  const { bavail, bsize } = statfsSync(folder)
  const free = bavail * bsize
  if (free >= needed + (isSameDisk ? reserveBytes : 0)) return
  const kept = isSameDisk ? ` and must leave ${reserveBytes} free for the server (PILOTWIRE_DISK_RESERVE)` : ''
  throw new Error(
    `The backup needs ${needed} bytes${kept}, but ${folder} has ${free} bytes free: make room, or write it to another disk.`,
  )
}

/** The source is unreadable: the sentence names that file, not the copy. */
class SourceFault extends Error {}

/** The open read transaction holds one state: without it each commit of the server starts the copy again. */
async function copy(path: string, draft: string, report: (progress: BackupProgress) => void): Promise<void> {
  const db = openSource(path)
  try {
    await db.backup(draft, {
      progress({ totalPages, remainingPages }) {
        report({ totalPages, copiedPages: totalPages - remainingPages })
        return PAGES_PER_STEP
      },
    })
  } finally {
    db.close()
  }
}

function openSource(path: string): Database {
  try {
    const db = connectReader(path)
    try {
      db.exec('BEGIN')
      db.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get()
      return db
    } catch (error) {
      db.close()
      throw error
    }
  } catch (cause) {
    throw new SourceFault('the database cannot be read', { cause })
  }
}

/** One self-contained file without any journal, every page and index checked. */
function seal(draft: string): void {
  const db = new SqliteDatabase(draft)
  try {
    // A file of another version is placed by that version.
    if (schemaAge(db) === 'current') recoverJournal(db, documentWriters(db))
    db.pragma('journal_mode = DELETE')
    const verdict = db.pragma('integrity_check(1)', { simple: true })
    if (verdict !== 'ok') throw new Error(`The copy is damaged (${verdict}): run pilotwire doctor on the database.`)
  } finally {
    db.close()
  }
}

export function flush(path: string): void {
  const handle = openSync(path, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/** Acknowledgements of this time can be lost; two looks cost nothing. */
const INTERVAL_MS = 1000
/** A single miss may be harmless, such as a directory being remounted. */
const LOOKS_IN_VAIN = 2

/** While the database is open: its write-ahead log exists then, and stays the same file. */
export async function watchDatabaseFiles(databaseFile: string, after: Clock['after']): Promise<DatabaseWatch> {
  const files = [databaseFile, `${databaseFile}-wal`]
  const look = () => Promise.all(files.map(identityOf))
  const own = await look()
  let cancel = (): void => undefined
  let stopped = false
  const moved = new Promise<Error>((resolve) => {
    const lookLater = (inVain: number): void => {
      if (!stopped) cancel = after(INTERVAL_MS, () => void lookAgain(inVain))
    }
    const lookAgain = async (inVain: number): Promise<void> => {
      const found = await look().catch(() => own)
      const index = found.findIndex((identity, at) => own[at] !== undefined && identity !== own[at])
      if (index < 0) lookLater(0)
      else if (inVain + 1 < LOOKS_IN_VAIN) lookLater(inVain + 1)
      else resolve(new Error(sentence(files[index] ?? databaseFile, found[index] === undefined)))
    }
    lookLater(0)
  })
  return {
    moved,
    stop() {
      stopped = true
      cancel()
    },
  }
}

/** Undefined: no such file. @throws other errors, which prove nothing */
async function identityOf(file: string): Promise<string | undefined> {
  try {
    const { dev, ino }: BigIntStats = await stat(file, { bigint: true })
    return `${dev} ${ino}`
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

function sentence(file: string, isGone: boolean): string {
  const what = isGone ? 'was deleted or moved' : 'was replaced by another file'
  return `${file} ${what} while the server ran. Stop the server before a backup is put in its place.`
}

/**
 * Copies `source` beside the database, checks the copy, and renames it in one step: at every moment there is a whole
 * database of that name. The previous one is kept under `aside`. Throws, with nothing changed, while a server runs, and
 * when `source` is no sound backup that this version can open. @returns whether there was one to keep
 */
export async function restoreDatabase(
  path: string,
  source: string,
  aside: string,
  report: (progress: BackupProgress) => void,
): Promise<boolean> {
  if (resolve(source) === path) throw new Error(`${source} is the database itself: name a backup.`)
  requireBackup(source)
  const lock = acquireServerLock(path)
  const draft = `${path}.restored`
  try {
    rmSync(draft, { force: true })
    await backupDatabase(source, draft, report)
    keepOwner(draft, path)
    const before = existsSync(path)
    if (before) setAside(path, aside)
    renameSync(draft, path)
    // Of the previous database; with another one's log beside it SQLite would have to guess.
    for (const suffix of ['-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true })
    flush(dirname(path))
    return before
  } finally {
    rmSync(draft, { force: true })
    lock.release()
  }
}

function requireBackup(source: string): void {
  if (!existsSync(source)) throw new Error(`There is no file ${source}.`)
  const age = reading(source, schemaAge)
  if (age === 'empty') throw new Error(`${source} is no backup of Pilotwire.`)
  if (age === 'newer') throw new Error(`${source} was written by a newer version of Pilotwire: install that one first.`)
}

/** Under both names for a moment, so that there is no moment without a database. */
function setAside(path: string, aside: string): void {
  if (existsSync(aside)) throw new Error(`${aside} exists already: move it away first.`)
  if (!bringTogether(path)) {
    // It cannot be opened, so its log is kept separately.
    if (existsSync(`${path}-wal`)) renameSync(`${path}-wal`, `${aside}-wal`)
  }
  linkSync(path, aside)
}

/** Checkpoints the log: then one file is the whole database. */
function bringTogether(path: string): boolean {
  try {
    const db = new SqliteDatabase(path, { fileMustExist: true })
    try {
      db.pragma('wal_checkpoint(TRUNCATE)')
      return true
    } finally {
      db.close()
    }
  } catch (error) {
    // Damage is a common reason to restore.
    if (error instanceof SqliteDatabase.SqliteError) return false
    throw error
  }
}

/** Files created by root belong to the server's user. */
function keepOwner(draft: string, path: string): void {
  if (process.getuid?.() !== 0) return
  const { uid, gid } = statSync(existsSync(path) ? path : dirname(path))
  chownSync(draft, uid, gid)
}

/** Holds the server's lock until released; upgrades an older file, flushes the journal. @throws naming the server */
export function sqliteCopySource(path: string): CopySource {
  if (!existsSync(path)) throw new Error(`There is no database at ${path}: name the file that the server used.`)
  const lock = acquireServerLock(path)
  try {
    openSqlite(path).close()
    const db = opened(path)
    return {
      ...sourceOf(db),
      shown: path,
      openReads: async () => {
        const { close, ...reads } = openSqliteReader(path)
        return { reads, close }
      },
      release: () => {
        db.close()
        lock.release()
      },
    }
  } catch (error) {
    lock.release()
    throw error
  }
}

function opened(path: string): Database {
  try {
    const db = connectReader(path)
    requireMigrated(db)
    if (db.prepare('SELECT 1 FROM journal').get()) {
      throw new Error(`${path} could not put all messages in place: free some space on its disk and copy again.`)
    }
    // A snapshot, independent of other tools.
    db.exec('BEGIN')
    return db
  } catch (error) {
    throw storageError(error, path)
  }
}

function sourceOf(db: Database): Omit<CopySource, 'shown' | 'openReads' | 'release'> {
  return {
    extentOf: (table) => {
      const extent = db.prepare<[], { rows: number; last: number }>(
        `SELECT count(*) AS rows, coalesce(max(rowid), 0) AS last FROM ${quoted(table)}`,
      )
      return extent.get() ?? { rows: 0, last: 0 }
    },
    rowsAfter: (table, columns, place) =>
      db
        .prepare<[number], Cell[]>(
          `SELECT ${['rowid', ...columns.map(quoted)].join(', ')} FROM ${quoted(table)} WHERE rowid > ? ORDER BY rowid`,
        )
        .raw()
        .iterate(place) as IterableIterator<unknown> as IterableIterator<CopiedRow>,
    bounds: (table, column) => {
      const bounds = db.prepare<[], Bounds>(
        `SELECT min(${quoted(column)}) AS least, max(${quoted(column)}) AS greatest FROM ${quoted(table)}`,
      )
      return bounds.get() ?? { least: null, greatest: null }
    },
    lastNumber: (table) =>
      db.prepare<[string], number>('SELECT seq FROM sqlite_sequence WHERE name = ?').pluck().get(table) ?? 0,
    sampleOfSessions: (count) =>
      db
        .prepare<[number, number], string>(
          `SELECT id FROM sessions WHERE rowid IN (SELECT max(rowid) FROM sessions
             GROUP BY rowid / max(1, (SELECT max(rowid) FROM sessions) / ?) ) ORDER BY rowid DESC LIMIT ?`,
        )
        .pluck()
        .all(count, count),
  }
}

function quoted(name: string): string {
  return `"${name}"`
}
