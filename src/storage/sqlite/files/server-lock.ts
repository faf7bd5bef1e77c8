/** One server per file: an exclusive transaction on a file beside it, freed by the OS however the process ends. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import type { ServerLock } from '../../database.ts'
import { storageError } from '../storage-error.ts'
import { createPrivateFile, createPrivateFolder } from './private-files.ts'

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
