/** The tables of a PostgreSQL database: SQLite's, with these differences. */
import { sql } from 'drizzle-orm'
import { index, type PgTable, uniqueIndex } from 'drizzle-orm/pg-core'
import { getTableConfig } from 'drizzle-orm/sqlite-core'
import { ANY_NUMBER, NOT_HERE } from '../../src/storage/postgres/copy/copied-table.ts'
import { everyTable } from '../record-tables.ts'
import { type Columns, type Differences, derive, integerColumn, plainText } from './derive.ts'

export { NOT_HERE }

const identity = () => integerColumn('position').notNull().generatedByDefaultAsIdentity()
const on = (name: string, names: readonly string[], where?: ReturnType<typeof sql>) => (table: Columns) => {
  const [first, ...rest] = names.map((one) => table[one] ?? sql.identifier(one))
  const built = index(name).on(first as never, ...(rest as never[]))
  return where ? built.where(where) : built
}
/** A name of the log may be of any length, an index entry not (law 7). */
const byDigest = (name: string) => () => uniqueIndex(name).on(sql`md5(name)`)

const OVERDUE = sql`overdue_number IS NOT NULL OR overdue_token IS NOT NULL`

export const DIFFERENCES: Readonly<Record<string, Differences>> = {
  users: { notUnique: ['email'], indexes: { users_email: () => uniqueIndex('users_email').on(sql`lower(email)`) } },
  id_tokens: {
    key: 'none',
    indexes: { id_tokens_id: () => uniqueIndex('id_tokens_id').on(sql`account_id`, sql`lower(id)`) },
  },
  charge_points: {
    indexes: { charge_points_id_nocase: () => uniqueIndex('charge_points_id_nocase').on(sql`lower(id)`) },
  },
  connectors: { anyNumber: ANY_NUMBER.connectors },
  log_charge_points: { numbered: ['key'] },
  log_methods: { numbered: ['key'], notUnique: ['name'], indexes: { log_methods_name: byDigest('log_methods_name') } },
  log_protocols: {
    numbered: ['key'],
    notUnique: ['name'],
    indexes: { log_protocols_name: byDigest('log_protocols_name') },
  },
  audit_events: { numbered: ['id'] },
  webhook_deliveries: { numbered: ['position'] },
  commands: {
    key: ['charge_point', 'id'],
    anyNumber: ANY_NUMBER.commands,
    added: {
      // rows/read-rows.ts
      transaction_number: () => integerColumn('transaction_number'),
      transaction_text: () => plainText('transaction_text'),
      /** The texts of `schema_errors` are long, and the search uses its index alone. */
      has_schema_errors: () => integerColumn('has_schema_errors').notNull(),
    },
  },
  transactions: {
    added: {
      position: identity,
      /** SESSION-A16: of closed ones, so that a running one's writes touch no index. */
      outlet: () => integerColumn('outlet'),
      occurred_at: () => integerColumn('occurred_at'),
    },
    indexes: {
      transactions_outlet: on('transactions_outlet', ['charge_point_id', 'outlet', 'occurred_at'], sql`open = 0`),
    },
  },
  sessions: {
    added: {
      /** Of an ended remote start that no transaction has named yet (SESSION-S5, SESSION-S9). */
      overdue_number: () => integerColumn('overdue_number'),
      overdue_token: () => plainText('overdue_token'),
      /** 1 where the clock still works on an ended session (HOOK-M3, COST-L4). */
      clock_waits: () => integerColumn('clock_waits'),
    },
    indexes: {
      sessions_id_token: () =>
        index('sessions_id_token')
          .on(sql`account_id`, sql`lower(id_token)`, sql`created_at`, sql`id`)
          .where(sql`id_token IS NOT NULL`),
      // No figures: an entry of any index that holds one would have to follow a running charge.
      sessions_ended: on(
        'sessions_ended',
        ['account_id', 'created_at', 'id', 'charge_point_id'],
        sql`state IN ('completed', 'failed')`,
      ),
      sessions_begun: () =>
        index('sessions_begun')
          .on(
            sql`account_id`,
            sql`(CASE WHEN started_at IS NULL THEN created_at ELSE started_at END)`,
            sql`id`,
            sql`charge_point_id`,
          )
          .where(sql`state IN ('completed', 'failed')`),
      sessions_overdue_start_number: undefined,
      sessions_overdue_start_token: undefined,
      sessions_overdue: on('sessions_overdue', ['charge_point_id'], OVERDUE),
      sessions_clock_waits: on('sessions_clock_waits', ['charge_point_id'], sql`clock_waits = 1`),
    },
  },
  events: {
    // migration 0000: rises with the transactions, so that a reader who waits for the unfinished ones misses none.
    added: {
      position: () =>
        integerColumn('position')
          .notNull()
          .default(sql`pilotwire_event_position()` as never),
    },
    indexes: {
      events_account: on('events_account', ['account_id', 'position']),
      events_rare_type: on('events_rare_type', ['account_id', 'type', 'position'], sql`type <> 'session.updated'`),
    },
  },
}

const derived = new Map<string, PgTable>()
for (const source of everyTable()) {
  const { name } = getTableConfig(source)
  if (NOT_HERE.includes(name) || derived.has(name)) continue
  derived.set(
    name,
    derive(source, DIFFERENCES[name] ?? {}, (other) => derived.get(other)),
  )
}

export const TABLES: ReadonlyMap<string, PgTable> = derived
