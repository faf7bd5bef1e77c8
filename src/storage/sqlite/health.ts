/** What `doctor` wants to know about a database file; looks, but changes nothing. */
import { connectReader } from './connection.ts'
import { requireMigrated } from './migrate.ts'
import { storageError } from './storage-error.ts'

export interface DatabaseHealth {
  /** `ok`, or the first faults that SQLite names. */
  readonly integrity: string
  readonly journalMode: string
  readonly bytes: number
}

/** Throws a sentence when the file cannot be opened or is no Pilotwire database. */
export function checkDatabase(path: string): DatabaseHealth {
  try {
    const db = connectReader(path)
    try {
      requireMigrated(db)
      const number = (pragma: string): number => Number(db.pragma(pragma, { simple: true }))
      return {
        integrity: String(db.pragma('quick_check(3)', { simple: true })),
        journalMode: String(db.pragma('journal_mode', { simple: true })),
        bytes: number('page_count') * number('page_size'),
      }
    } finally {
      db.close()
    }
  } catch (error) {
    throw storageError(error, path)
  }
}
