import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** Committed changes that the tables do not hold yet (../journal.ts): one row per group, in commit order. */
export const journal = sqliteTable('journal', {
  id: integer('id').primaryKey(),
  /** Rows of the log from this id on are not in `commands_search` yet; NULL when the group logged nothing. */
  firstCommand: integer('first_command'),
  /** JSON: what each message changed (`JournalEntry`). */
  documents: text('documents').notNull(),
  /** The process that wrote it, a random number: only the process that places it may remove it. */
  writer: integer('writer'),
})
