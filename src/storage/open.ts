/** Chooses the engine by the database's address: the only file that imports one. */
import { databasePath } from '../config/database-path.ts'
import type { Database } from './database.ts'
import { sqliteDatabase } from './sqlite/database.ts'

/**
 * Opens nothing yet. Throws a sentence that says what to write for an address that no engine serves.
 *
 * @example databaseAt('file:data/pilotwire.db').openStore()
 */
export function databaseAt(url: string): Database {
  return sqliteDatabase(databasePath(url))
}
