import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { stat, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { isoTime } from '../../domain/iso-time.ts'
import type { StorageFigures } from '../../domain/ports/nodes.ts'
import type { DatabaseHealth, FileDatabase, FileReadingSide, FileStore } from '../database.ts'
import { backupDatabase, restoreDatabase, watchDatabaseFiles } from './files/backup.ts'
import { acquireServerLock, connectWriter, reading } from './files/connection.ts'
import { requireMigrated, schemaAge } from './files/migrate.ts'
import { keepPrivate } from './files/private-files.ts'
import { readerThread, upToDate } from './reader-client.ts'
import { openSqlite, openSqliteReader } from './writer.ts'

export function sqliteDatabase(path: string): FileDatabase {
  return {
    shown: path,
    exists: () => existsSync(path),
    openWriter: (options) => openSqlite(path, undefined, options?.synced),
    openStore: () => openStore(path),
    openReader: (what) => openReader(path, what),
    startReader: (putInPlace) => readerThread(path, putInPlace),
    openLimits: ({ alone }) => ({ limits: alone, close: async () => undefined }),
    lock: () => acquireServerLock(path),
    keepPrivate: () => keepPrivate(path),
    watch: (after) => watchDatabaseFiles(path, after),
    upgradeAlone: () => upgradeAlone(path),
    backup: (target, onProgress, reserveBytes) => backupDatabase(path, target, onProgress, reserveBytes),
    noteBackup: (at) => noteBackup(path, at),
    restore: (source, aside, onProgress) => restoreDatabase(path, source, aside, onProgress),
    figures: () => databaseFigures(path),
    nodes: async () => undefined,
    check: () => checkDatabase(path),
  }
}

function openStore(path: string): FileStore {
  const { core, writes, placing, salt, close } = openSqlite(path)
  try {
    const reader = openSqliteReader(path)
    return {
      core,
      writes,
      placing,
      salt,
      reads: upToDate(reader, (id) => (id === undefined ? placing.all() : placing.ofChargePoint(id))),
      close: () => {
        reader.close()
        close()
      },
    }
  } catch (error) {
    close()
    throw error
  }
}

function openReader(path: string, what: 'all' | 'in place'): FileReadingSide {
  const reader = openSqliteReader(path)
  if (what === 'all' && reader.behind()) putInPlace(path)
  return reader
}

/** Without write access, readers see what is already placed. */
function putInPlace(path: string): void {
  try {
    openSqlite(path).close()
  } catch {
    return
  }
}

/** Migrates only an older file, under the server's lock. @throws a sentence that names the running server */
function upgradeAlone(path: string): void {
  if (!existsSync(path) || reading(path, schemaAge) !== 'older') return
  const lock = acquireServerLock(path)
  try {
    openSqlite(path).close()
  } finally {
    lock.release()
  }
}

/** Throws a sentence when the file cannot be opened or is no Pilotwire database. */
function checkDatabase(path: string): DatabaseHealth {
  return reading(path, (db) => {
    const older = schemaAge(db) === 'older'
    if (!older) requireMigrated(db)
    const number = (pragma: string): number => Number(db.pragma(pragma, { simple: true }))
    const journalMode = String(db.pragma('journal_mode', { simple: true }))
    return {
      integrity: String(db.pragma('quick_check(3)', { simple: true })),
      journalMode,
      synchronous: journalMode === 'wal' ? synchronousOfWriter(path) : undefined,
      bytes: number('page_count') * number('page_size'),
      older,
    }
  })
}

const SYNCHRONOUS = ['OFF', 'NORMAL', 'FULL', 'EXTRA']

/** The setting belongs to a connection, not to the file: only opening it as the server does shows it. */
function synchronousOfWriter(path: string): string {
  const db = connectWriter(path)
  try {
    return SYNCHRONOUS[Number(db.pragma('synchronous', { simple: true }))] ?? 'unknown'
  } finally {
    db.close()
  }
}

/** A marker beside the database for the server, which makes no backups itself. */
function markerOf(path: string): string {
  return `${path}.last-backup`
}

/** A time and its line end. A longer file is not ours: neither read nor written. */
const MARKER_BYTES = 25

function isForeign(marker: string): boolean {
  return existsSync(marker) && statSync(marker).size > MARKER_BYTES
}

export async function databaseFigures(path: string): Promise<StorageFigures> {
  const [databaseBytes, logBytes, disk] = await Promise.all([
    sizeOf(path),
    sizeOf(`${path}-wal`),
    statfs(dirname(path)),
  ])
  const lastBackupAt = backupTime(path)
  return {
    databaseBytes,
    logBytes,
    diskBytes: disk.blocks * disk.bsize,
    diskFreeBytes: disk.bavail * disk.bsize,
    lastBackupAt,
  }
}

/** Read access is enough for a backup; without write access beside it the age stays. */
export function noteBackup(path: string, at: number): void {
  if (isForeign(markerOf(path))) return
  try {
    writeFileSync(markerOf(path), `${isoTime(at)}\n`, { mode: 0o600 })
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? ''
    if (!['EACCES', 'EPERM', 'EROFS'].includes(code)) throw error
  }
}

function backupTime(path: string): number | undefined {
  if (!existsSync(markerOf(path)) || isForeign(markerOf(path))) return undefined
  const at = Date.parse(readFileSync(markerOf(path), 'utf8').trim())
  return Number.isNaN(at) ? undefined : at
}

/** There is no log before the first commit. */
async function sizeOf(file: string): Promise<number> {
  return (await stat(file).catch(() => undefined))?.size ?? 0
}
