/** Chooses the engine by the database's address: the only file that imports one. */
import { databasePath, isPostgres } from '../config/database-path.ts'
import type { CopySource, CopyTarget } from './copy/ports.ts'
import type { Database, FileDatabase } from './database.ts'
import { postgresAddress } from './postgres/connection/address.ts'
import { postgresDatabase } from './postgres/database.ts'
import { sqliteDatabase } from './sqlite/database.ts'
import { sqliteCopySource } from './sqlite/files/backup.ts'

/**
 * Opens nothing yet. @throws Error a sentence on what to write, for an address that no engine serves
 * @example databaseAt('file:data/pilotwire.db').openStore()
 */
export function databaseAt(url: string): Database {
  return isPostgres(url) ? postgresDatabase(url) : databaseFile(databasePath(url))
}

export function databaseFile(path: string): FileDatabase {
  return sqliteDatabase(path)
}

/** A file to copy from: no server may use it until it is released. */
export function copySource(url: string): CopySource {
  return sqliteCopySource(databasePath(url))
}

export async function copyTarget(url: string, now: number): Promise<CopyTarget> {
  const { postgresCopyTarget } = await import('./postgres/engine.ts')
  return postgresCopyTarget(postgresAddress(url), now)
}
