/** Requests between nodes (STORE-M1). Unlogged (by the migration): after a database crash no answer will come. */
import { sql } from 'drizzle-orm'
import { index, pgTable } from 'drizzle-orm/pg-core'
import { integerColumn, plainText } from './derive.ts'

export const nodeRequests = pgTable(
  'node_requests',
  {
    id: plainText('id').primaryKey(),
    position: integerColumn('position').notNull().generatedByDefaultAsIdentity(),
    /** Receives the answer; absent: no caller waits. */
    reader: plainText('reader'),
    toSlot: integerColumn('to_slot').notNull(),
    toIncarnation: integerColumn('to_incarnation').notNull(),
    /** JSON, as the answer. */
    request: plainText('request').notNull(),
    /** By the database's clock, as `taken_at`. */
    expiresAt: integerColumn('expires_at').notNull(),
    takenAt: integerColumn('taken_at'),
    answer: plainText('answer'),
  },
  (table) => [
    index('node_requests_new').on(table.toSlot, table.toIncarnation, table.position).where(sql`taken_at IS NULL`),
    index('node_requests_answered').on(table.reader).where(sql`answer IS NOT NULL`),
  ],
)
