/** Shared limits. Unlogged (by the migration): after a database crash all buckets are full and all places free. */
import { doublePrecision, pgTable, primaryKey } from 'drizzle-orm/pg-core'
import { integerColumn, plainText } from './derive.ts'

export const rateBuckets = pgTable('rate_buckets', {
  /** A digest: the limited party stays private, and may be of any length. */
  key: plainText('key').primaryKey(),
  level: doublePrecision('level').notNull(),
  /** By the database's clock, as all times here. */
  at: integerColumn('at').notNull(),
  /** From then on equal to a new one, and removable. */
  fullAt: integerColumn('full_at').notNull(),
})

export const limitPlaces = pgTable(
  'limit_places',
  {
    what: plainText('what').notNull(),
    number: integerColumn('number').notNull(),
    holder: plainText('holder').notNull(),
    since: integerColumn('since').notNull(),
    reported: plainText('told').notNull(),
    /** Renewed by the holder: a dead node's place becomes free. */
    leaseUntil: integerColumn('lease_until').notNull(),
  },
  (table) => [primaryKey({ name: 'limit_places_key', columns: [table.what, table.number] })],
)
