/**
 * A database file that is deleted, moved or replaced under a running server loses acknowledged data: watched by name.
 */

import { type BigIntStats, chownSync, existsSync, linkSync, renameSync, rmSync, statSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import type { Clock } from '../../../domain/ports/clock.ts'
import type { BackupProgress, DatabaseWatch } from '../../database.ts'
import { backupDatabase, flush } from './backup.ts'
import { reading } from './connection.ts'
import { schemaAge } from './migrate.ts'
import { acquireServerLock } from './server-lock.ts'

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
