/** Chooses the engine by the database's address: the only file that imports one. */
import { databasePath, isPostgres } from '../config/database-path.ts'
import type { Database, FileDatabase } from './database.ts'
import { postgresDatabase } from './postgres/database.ts'
import { sqliteDatabase } from './sqlite/database.ts'

/**
 * Opens nothing yet. Throws a sentence that says what to write for an address that no engine serves.
 *
 * @example databaseAt('file:data/pilotwire.db').openStore()
 */
export function databaseAt(url: string): Database {
  return isPostgres(url) ? postgresDatabase(url) : databaseFile(databasePath(url))
}

export function databaseFile(path: string): FileDatabase {
  return sqliteDatabase(path)
}
