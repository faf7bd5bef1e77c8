/** Bringing a database of an older version up to date, from outside the server. */
import { existsSync } from 'node:fs'
import { storageError } from '../storage-error.ts'
import { openSqlite } from '../writer.ts'
import { connectReader } from './connection.ts'
import { type SchemaAge, schemaAge } from './migrate.ts'
import { acquireServerLock } from './server-lock.ts'

/**
 * Migrates an older file under the server's lock: a server of the old version that is still running would meet tables
 * it does not know. Does nothing to any other file.
 * Throws a sentence that names the running server.
 */
export function upgradeAlone(path: string): void {
  if (!existsSync(path) || ageOf(path) !== 'older') return
  const lock = acquireServerLock(path)
  try {
    openSqlite(path).close()
  } finally {
    lock.release()
  }
}

function ageOf(path: string): SchemaAge {
  try {
    const db = connectReader(path)
    try {
      return schemaAge(db)
    } finally {
      db.close()
    }
  } catch (error) {
    throw storageError(error, path)
  }
}
