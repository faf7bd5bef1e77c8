/** Transactions (the protocol's facts), sessions (what the API shows), their events and the number sequences. */
import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, type SQLiteColumn, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { SessionState } from '../../domain/ports/sessions.ts'
import type { EventRecord } from '../../domain/ports/storage-webhooks.ts'
import { caselessText } from './accounts.ts'

export const transactions = sqliteTable(
  'transactions',
  {
    chargePointId: text('charge_point_id').notNull(),
    transactionId: text('transaction_id').notNull(),
    startKey: text('start_key'),
    sessionId: text('session_id').notNull(),
    open: integer('open', { mode: 'boolean' }).notNull(),
    /** The rest of the record as JSON (transaction-row.ts); the columns beside it are for look-ups. */
    document: text('document').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.chargePointId, table.transactionId] }),
    index('transactions_start_key').on(table.chargePointId, table.startKey).where(sql`start_key IS NOT NULL`),
    index('transactions_open').on(table.chargePointId).where(sql`open = 1`),
    // SESSION-A16 (core-store.ts OUTLET, STARTED_AT). A running one has no entry, which costs its writes nothing.
    index('transactions_outlet')
      .on(
        table.chargePointId,
        sql`CASE WHEN document ->> '$.evseId' IS NULL THEN document ->> '$.connectorId' ELSE document ->> '$.evseId' END`,
        sql`document ->> '$.startedAt.occurredAt'`,
      )
      .where(sql`open = 0`),
  ],
)

/** SESSION-S5, SESSION-S9: an ended remote start that no transaction named yet (core-store.ts OVERDUE_START). */
const overdueStart = sql`state = 'failed' AND json_extract(facts, '$.endReason') IN ('expired', 'cancelled') AND json_extract(facts, '$.remoteStart.matched') IS NULL`

const totalledOf = (table: Readonly<Record<(typeof TOTALLED)[number], SQLiteColumn>>): readonly SQLiteColumn[] =>
  TOTALLED.map((name) => table[name])
const TOTALLED = [
  'chargePointId',
  'state',
  'energyMilliWh',
  'costMicros',
  'currency',
  'startedAt',
  'stoppedAt',
] as const

export const sessions = sqliteTable(
  'sessions',
  {
    id: text('id').primaryKey(),
    accountId: text('account_id').notNull(),
    chargePointId: text('charge_point_id').notNull(),
    state: text('state').$type<SessionState>().notNull(),
    energyMilliWh: integer('energy_milli_wh').notNull(),
    externalReference: text('external_reference'),
    costMicros: integer('cost_micros'),
    currency: text('currency'),
    settlementCount: integer('settlement_count'),
    startedAt: integer('started_at'),
    stoppedAt: integer('stopped_at'),
    createdAt: integer('created_at').notNull(),
    version: integer('version').notNull(),
    /** TOKEN-Z1 */
    idToken: caselessText('id_token'),
    /** Everything else of the record, as JSON: rules may add facts without a migration. */
    facts: text('facts').notNull(),
    /** Station time up to which the energy was counted into `energy_slots`; absent: nothing was. */
    energyAt: integer('energy_at'),
    /** The power of its newest samples. */
    powerMilliW: integer('power_milli_w'),
  },
  (table) => [
    // API-G2: each list is a part of one of these from its end, whatever its filter (cold/sessions.ts).
    index('sessions_account_created').on(table.accountId, table.createdAt, table.id, table.chargePointId),
    index('sessions_charge_point_created').on(table.chargePointId, table.createdAt, table.id),
    index('sessions_state').on(table.accountId, table.state, table.createdAt, table.id),
    index('sessions_reference')
      .on(table.accountId, table.externalReference, table.createdAt, table.id)
      .where(sql`external_reference IS NOT NULL`),
    index('sessions_id_token')
      .on(table.accountId, table.idToken, table.createdAt, table.id)
      .where(sql`id_token IS NOT NULL`),
    // CONSOLE-C4: all that totals need. A running session has no entry, which costs its writes nothing.
    index('sessions_ended')
      .on(table.accountId, table.createdAt, table.id, ...totalledOf(table))
      .where(sql`state IN ('completed', 'failed')`),
    // By the start of the charge. drizzle-kit splits an expression at its commas, so it has none.
    index('sessions_begun')
      .on(
        table.accountId,
        sql`(CASE WHEN started_at IS NULL THEN created_at ELSE started_at END)`,
        table.id,
        ...totalledOf(table),
        table.createdAt,
      )
      .where(sql`state IN ('completed', 'failed')`),
    index('sessions_open').on(table.chargePointId).where(sql`state NOT IN ('completed', 'failed')`),
    index('sessions_overdue_start_number')
      .on(table.chargePointId, sql`facts ->> '$.remoteStart.remoteStartId'`)
      .where(overdueStart),
    index('sessions_overdue_start_token')
      .on(table.chargePointId, sql`facts ->> '$.remoteStart.virtualIdToken' COLLATE NOCASE`)
      .where(overdueStart),
    // HOOK-M3, COST-L4: an ended session that the clock still works on (core-store.ts CLOCK_WAITS).
    index('sessions_clock_waits')
      .on(table.chargePointId)
      .where(
        sql`state IN ('completed', 'failed') AND coalesce(json_extract(facts, '$.figuresDueAt'), json_extract(facts, '$.settlementDueAt')) IS NOT NULL`,
      ),
  ],
)

export const events = sqliteTable(
  'events',
  {
    id: text('id').primaryKey(),
    accountId: text('account_id').notNull(),
    /** Named when sessions were the only subjects of events. */
    subject: text('session_id').notNull(),
    chargePointId: text('charge_point_id').notNull(),
    kind: text('kind').$type<EventRecord['kind']>().notNull(),
    time: integer('time').notNull(),
    body: text('body').notNull(),
    causes: text('causes').notNull(),
    type: text('type').notNull().default('session.updated'),
  },
  (table) => [
    // SQLite appends the rowid: an account's events in the order of their commits (HOOK-S7). Every event is in one of
    // the two feeds' indexes: the feed of a rare type would walk through all others (HOOK-E3).
    index('events_account').on(table.accountId).where(sql`type = 'session.updated'`),
    index('events_rare_type').on(table.accountId, table.type).where(sql`type <> 'session.updated'`),
    // Other types are never queried by subject; each commit would touch a page of the index per charge point.
    index('events_session').on(table.subject).where(sql`type = 'session.updated'`),
  ],
)

/** An account's energy by quarter of an hour, station time; the slots add up to the sessions'. */
export const energySlots = sqliteTable(
  'energy_slots',
  {
    accountId: text('account_id').notNull(),
    /** Quarters of an hour since the epoch. */
    slot: integer('slot').notNull(),
    milliWh: integer('milli_wh').notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.slot] })],
)

export const numberSequences = sqliteTable('number_sequences', {
  name: text('name').primaryKey(),
  next: integer('next').notNull(),
})
