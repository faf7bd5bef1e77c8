/** Charge points: what the account decides (registration) and what the station reports (status, connectors). */

import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import * as kept from '../../domain/accounts/records.ts'
import type { ChargePointStatus } from '../../domain/ports/sessions.ts'
import { accountId } from './accounts.ts'
import { tableColumns } from './field-columns.ts'

export const chargePoints = sqliteTable(
  'charge_points',
  {
    ...tableColumns(kept.chargePoints),
    id: text('id').primaryKey(),
    accountId: accountId(),
  },
  (table) => [
    index('charge_points_account').on(table.accountId, table.id),
    // Two identities that differ only in case are a typing error: labels could not distinguish them.
    uniqueIndex('charge_points_id_nocase').on(sql`id COLLATE NOCASE`),
  ],
)

/** No foreign key: a frame that arrives while its charge point is being deleted must not fail (law 7). */
export const chargePointStatuses = sqliteTable('charge_point_statuses', {
  chargePointId: text('charge_point_id').primaryKey(),
  document: text('document', { mode: 'json' }).$type<ChargePointStatus>().notNull(),
})

export const connectors = sqliteTable(
  'connectors',
  {
    chargePointId: text('charge_point_id').notNull(),
    /** `connectorKey` (domain/sessions/records.ts): an absent EVSE cannot be part of a key as NULL. */
    connectorKey: text('connector_key').notNull(),
    evseId: integer('evse_id'),
    connectorId: integer('connector_id').notNull(),
    status: text('status').notNull(),
    errorCode: text('error_code'),
    updatedAt: integer('updated_at').notNull(),
    vendorErrorCode: text('vendor_error_code'),
    info: text('info'),
    /** When the present status and error began; absent: with `updated_at`. */
    since: integer('since'),
  },
  (table) => [primaryKey({ columns: [table.chargePointId, table.connectorKey] })],
)
