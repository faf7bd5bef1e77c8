/** The message log. No foreign keys: it never refuses a message (law 7). Repeating names are dictionary numbers. */
import { sql } from 'drizzle-orm'
import { blob, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

export const logChargePoints = sqliteTable('log_charge_points', {
  key: integer('key').primaryKey(),
  /** NULL once another account registered the same identity: the rows stay, unreachable. */
  name: text('name').unique(),
  /** The account that deleted this charge point: no other may see its rows. */
  formerAccountId: text('former_account_id'),
})

export const logMethods = sqliteTable('log_methods', {
  key: integer('key').primaryKey(),
  name: text('name').notNull().unique(),
})

export const logProtocols = sqliteTable('log_protocols', {
  key: integer('key').primaryKey(),
  name: text('name').notNull().unique(),
})

export const commands = sqliteTable(
  'commands',
  {
    /** domain/message-log/log-id.ts: time, order and cursor at once. */
    id: integer('id').primaryKey(),
    chargePoint: integer('charge_point').notNull(),
    direction: integer('direction').notNull(),
    method: integer('method').notNull(),
    messageId: text('message_id').notNull(),
    protocol: integer('protocol').notNull(),
    connectorId: integer('connector_id'),
    evseId: integer('evse_id'),
    transactionId: text('transaction_id'),
    status: integer('status').notNull(),
    request: text('request').notNull(),
    response: text('response'),
    error: text('error'),
    answeredAt: integer('answered_at'),
    schemaErrors: text('schema_errors'),
  },
  (table) => [
    // Holds only unanswered ones: a restart finds what to drop without reading the log.
    index('commands_pending').on(table.id).where(sql`status = 0`),
  ],
)

/**
 * The search's covering index: every filter combination is one bounded scan of it. A table of its own (WITHOUT ROWID,
 * which only the migration can say), because an index follows its table at once: each message would dirty a leaf per
 * charge point, while rows that are put in place together share it (docs/decisions/0007).
 */
export const commandsSearch = sqliteTable(
  'commands_search',
  {
    chargePoint: integer('charge_point').notNull(),
    id: integer('id').notNull(),
    method: integer('method').notNull(),
    connectorId: integer('connector_id'),
    /** Integers and texts (../rows/command-row.ts); `blob` is SQLite's name for a column that converts nothing. */
    transactionId: blob('transaction_id').$type<string | number>(),
    status: integer('status').notNull(),
    /** 1 or 0; NULL in entries older than the column: their log row says it (reads/filter-sql.ts). */
    hasSchemaErrors: integer('has_schema_errors'),
  },
  (table) => [primaryKey({ columns: [table.chargePoint, table.id] })],
)
