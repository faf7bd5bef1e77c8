import type { Database } from 'better-sqlite3'
import type { Writes } from '../../store.ts'

/** Freed pages are used again by the next rows; the file never needs a VACUUM. */
export function retentionWrites(db: Database): Pick<Writes, 'deleteOldCommands'> {
  // NOT INDEXED: the ids are found in the order of the table itself, so the cost is that of the rows deleted.
  const deleteOld = db.prepare(
    'DELETE FROM commands WHERE id IN (SELECT id FROM commands NOT INDEXED WHERE id < ? ORDER BY id LIMIT ?)',
  )
  return { deleteOldCommands: async (before, limit) => deleteOld.run(before, limit).changes }
}
