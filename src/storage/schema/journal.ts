import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** What groups committed and the tables do not hold yet (../journal.ts): one row per group, in the order of commits. */
export const journal = sqliteTable('journal', {
  id: integer('id').primaryKey(),
  /** Rows of the log from this id on are not in `commands_search` yet; NULL when the group logged nothing. */
  firstCommand: integer('first_command'),
  /** JSON: what each message changed (`JournalEntry`). */
  documents: text('documents').notNull(),
  /** Which process wrote it, a random number: nobody else takes it away but who puts it in place. */
  writer: integer('writer'),
})
