import { sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** Facts about this database itself, e.g. the salt of the log's public ids. */
export const meta = sqliteTable('meta', {
  name: text('name').primaryKey(),
  value: text('value').notNull(),
})
