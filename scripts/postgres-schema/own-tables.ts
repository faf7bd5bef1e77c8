import { sql } from 'drizzle-orm'
import { doublePrecision, index, pgTable, primaryKey } from 'drizzle-orm/pg-core'
import { integerColumn, plainText } from './derive.ts'

const nodes = pgTable('nodes', {
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

const chargePointOwners = pgTable(
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
const registrationChanges = pgTable('registration_changes', {
  writer: plainText('writer').primaryKey(),
  changes: integerColumn('changes').notNull(),
  at: integerColumn('at').notNull(),
})

/** Requests between nodes (STORE-M1). Unlogged (by the migration): after a database crash no answer will come. */
const nodeRequests = pgTable(
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

/** Shared limits. Unlogged (by the migration): after a database crash all buckets are full and all places free. */
const rateBuckets = pgTable('rate_buckets', {
  /** A digest: the limited party stays private, and may be of any length. */
  key: plainText('key').primaryKey(),
  level: doublePrecision('level').notNull(),
  /** By the database's clock, as all times here. */
  at: integerColumn('at').notNull(),
  /** From then on equal to a new one, and removable. */
  fullAt: integerColumn('full_at').notNull(),
})

const limitPlaces = pgTable(
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

export const OWN_TABLES = { nodes, chargePointOwners, registrationChanges, nodeRequests, rateBuckets, limitPlaces }

/** What a crash of the database may lose: requests that are under way, and counts. */
export const UNLOGGED: readonly (keyof typeof OWN_TABLES)[] = ['nodeRequests', 'rateBuckets', 'limitPlaces']
