import { existsSync } from 'node:fs'
import type { FileDatabase, FileReadingSide, FileStore } from '../database.ts'
import { backupDatabase } from './files/backup.ts'
import { reading } from './files/connection.ts'
import { databaseFigures, noteBackup } from './files/file-figures.ts'
import { checkDatabase } from './files/health.ts'
import { schemaAge } from './files/migrate.ts'
import { watchDatabaseFiles } from './files/moved-file.ts'
import { keepPrivate } from './files/private-files.ts'
import { restoreDatabase } from './files/restore.ts'
import { acquireServerLock } from './files/server-lock.ts'
import { openSqliteReader } from './reader.ts'
import { readerThread } from './reader-client.ts'
import { upToDate } from './up-to-date.ts'
import { openSqlite } from './writer.ts'

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
