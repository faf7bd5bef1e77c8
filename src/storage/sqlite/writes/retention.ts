import type { Database } from 'better-sqlite3'
import type { Writes } from '../../../domain/ports/storage.ts'
import type { Journal } from '../journal/journal.ts'

/** Freed pages are used again by the next rows; the file never needs a VACUUM. */
export function retentionWrites(
  db: Database,
  journal: Pick<Journal, 'flushBefore'>,
): Pick<Writes, 'deleteOldCommands'> {
  // NOT INDEXED: the ids are found in the order of the table itself, so the cost is that of the rows deleted.
  const oldest = 'FROM commands NOT INDEXED WHERE id < ? ORDER BY id LIMIT ?'
  const fromSearch = db.prepare(
    `DELETE FROM commands_search WHERE (charge_point, id) IN (SELECT charge_point, id ${oldest})`,
  )
  const fromLog = db.prepare(`DELETE FROM commands WHERE id IN (SELECT id ${oldest})`)
  const deleteOld = db.transaction((before: number, limit: number) => {
    fromSearch.run(before, limit)
    return fromLog.run(before, limit).changes
  })
  return {
    deleteOldCommands: async (before, limit) => {
      journal.flushBefore(before)
      return deleteOld.immediate(before, limit)
    },
  }
}
