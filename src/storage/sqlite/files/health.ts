import type { DatabaseHealth } from '../../database.ts'
import { connectWriter, reading } from './connection.ts'
import { requireMigrated, schemaAge } from './migrate.ts'

/** Throws a sentence when the file cannot be opened or is no Pilotwire database. */
export function checkDatabase(path: string): DatabaseHealth {
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
