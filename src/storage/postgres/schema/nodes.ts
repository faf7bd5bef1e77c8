import { index, pgTable, primaryKey } from 'drizzle-orm/pg-core'
import { integerColumn, plainText } from './derive.ts'

export const nodes = pgTable('nodes', {
  slot: integerColumn('slot').primaryKey(),
  /** Rises whenever another process takes the slot: the former owner's messages are refused. */
  incarnation: integerColumn('incarnation').notNull(),
  /** Number of the last stored group, to look up a commit whose answer was lost. */
  lastGroup: integerColumn('last_group').notNull(),
  /** JSON: that group's refused sets, and those with deliveries; absent: none was refused. */
  lastResults: plainText('last_results'),
  lastId: integerColumn('last_id').notNull(),
  /** By the database's clock. */
  seenAt: integerColumn('seen_at').notNull(),
  since: integerColumn('since').notNull(),
  name: plainText('name').notNull(),
  version: plainText('version').notNull(),
  state: plainText('state').$type<'live' | 'draining' | 'fenced'>().notNull(),
  connections: integerColumn('connections').notNull().default(0),
  /** Rises whenever others took charge points of it, so that it looks which. */
  lost: integerColumn('lost').notNull().default(0),
})

export const chargePointOwners = pgTable(
  'charge_point_owners',
  {
    chargePoint: plainText('charge_point').notNull(),
    slot: integerColumn('slot').notNull(),
    incarnation: integerColumn('incarnation').notNull(),
    epoch: integerColumn('epoch').notNull(),
    connected: integerColumn('connected'),
    offlineSince: integerColumn('offline_since'),
    /** Milliseconds that its clock is ahead of the database's, as its owner has seen it. */
    clockSkewMs: integerColumn('clock_skew_ms'),
    replacedAt: integerColumn('replaced_at'),
    dueAt: integerColumn('due_at'),
  },
  (table) => [
    primaryKey({ name: 'charge_point_owners_key', columns: [table.chargePoint] }),
    index('charge_point_owners_slot').on(table.slot),
  ],
)

/** Each writer counts its own changes of registrations, so that no two of them wait for one row. */
export const registrationChanges = pgTable('registration_changes', {
  writer: plainText('writer').primaryKey(),
  changes: integerColumn('changes').notNull(),
  at: integerColumn('at').notNull(),
})
