import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, statfsSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import SqliteDatabase, { type Database } from 'better-sqlite3'
import type { BackupProgress } from '../../database.ts'
import { documentWriters } from '../journal/document-writers.ts'
import { recoverJournal } from '../journal/recover.ts'
import { storageError } from '../storage-error.ts'
import { connectReader } from './connection.ts'
import { schemaAge } from './migrate.ts'

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
