/** Webhook subscriptions and deliveries, tariffs, the ledger of settlements. The events table is in sessions.ts. */
import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import type {
  Delivery,
  DeliveryState,
  DisabledReason,
  SealedSecret,
  Subscription,
} from '../../domain/ports/storage-webhooks.ts'
import { fields } from '../../domain/tariffs/fields.ts'
import { accountId } from './accounts.ts'
import { fieldColumns } from './field-columns.ts'

export const webhookSubscriptions = sqliteTable(
  'webhook_subscriptions',
  {
    id: text('id').primaryKey(),
    accountId: accountId(),
    grantId: text('grant_id'),
    /** A roaming partner's; absent: a webhook. */
    partnerId: text('partner_id'),
    url: text('url').notNull(),
    description: text('description'),
    updates: text('updates').$type<Subscription['updates']>().notNull(),
    chargePointIds: text('charge_point_ids', { mode: 'json' }).$type<readonly string[]>(),
    status: text('status').$type<Subscription['status']>().notNull(),
    disabledReason: text('disabled_reason').$type<DisabledReason>(),
    disabledAt: integer('disabled_at'),
    secrets: text('secrets', { mode: 'json' }).$type<readonly SealedSecret[]>().notNull(),
    consecutiveFailures: integer('consecutive_failures').notNull(),
    attemptsSinceSuccess: integer('attempts_since_success').notNull(),
    failingSince: integer('failing_since'),
    lastSuccessAt: integer('last_success_at'),
    lastError: text('last_error'),
    pausedUntil: integer('paused_until'),
    /** The pause's planned length: bounds it when the clock was set back (HOOK-F7). */
    pausedForMs: integer('paused_for_ms'),
    /** Recent answer times (domain/deliveries/lanes.ts); absent: no attempt yet. */
    answerMs: integer('answer_ms'),
    /** HOOK-W8; absent: our own. */
    signatureScheme: text('signature_scheme').$type<Subscription['signatureScheme']>(),
    /** HOOK-S6; absent: none. */
    verify: text('verify').$type<Subscription['verify']>(),
    ratePerMinute: integer('rate_per_minute'),
    /** Attempts of the last minute, where `rate_per_minute` limits them (domain/deliveries/lanes.ts). */
    rateSpent: text('rate_spent', { mode: 'json' }),
    createdAt: integer('created_at').notNull(),
    /** HOOK-E2: a set of names; the default is for rows of older versions. */
    events: text('events', { mode: 'json' }).$type<readonly string[]>().notNull().default(['session.updated']),
  },
  (table) => [
    uniqueIndex('webhook_subscriptions_account_url').on(table.accountId, table.url).where(sql`grant_id IS NULL`),
    uniqueIndex('webhook_subscriptions_grant_url').on(table.grantId, table.url).where(sql`grant_id IS NOT NULL`),
    index('webhook_subscriptions_account').on(table.accountId),
  ],
)

export const webhookDeliveries = sqliteTable(
  'webhook_deliveries',
  {
    /** In the order of recording. */
    position: integer('position').primaryKey({ autoIncrement: true }),
    id: text('id').notNull().unique(),
    subscriptionId: text('subscription_id').notNull(),
    eventId: text('event_id').notNull(),
    /** Named when sessions were the only subjects of events. */
    subject: text('session_id').notNull(),
    kind: text('kind').$type<Delivery['kind']>().notNull(),
    state: text('state').$type<DeliveryState>().notNull(),
    attempts: integer('attempts').notNull(),
    dueAt: integer('due_at').notNull(),
    /** Planned between the last attempt and `due_at`; 0: due at once. Absent in rows of older versions (HOOK-F7). */
    delayMs: integer('delay_ms'),
    /** Attempts before the current schedule began (HOOK-R8). */
    earlierAttempts: integer('earlier_attempts').notNull().default(0),
    /** Ordered by a waiting caller: leaves first, and through a pause (HOOK-R8). */
    ordered: integer('ordered').notNull().default(0),
    leaseUntil: integer('lease_until'),
    createdAt: integer('created_at').notNull(),
    finishedAt: integer('finished_at'),
    type: text('type').notNull().default('session.updated'),
    /** Absent: the subject (HOOK-F2). */
    orderKey: text('order_key'),
    /** Absent: the subject (HOOK-M4). */
    coalesceKey: text('coalesce_key'),
  },
  (table) => [
    index('webhook_deliveries_subscription').on(table.subscriptionId, table.position),
    index('webhook_deliveries_due').on(table.subscriptionId, table.dueAt, table.position).where(sql`state = 'pending'`),
    index('webhook_deliveries_ordered')
      .on(table.subscriptionId, table.dueAt, table.position)
      .where(sql`state = 'pending' AND ordered = 1`),
    index('webhook_deliveries_in_flight').on(table.leaseUntil).where(sql`state = 'in_flight'`),
    // HOOK-M4: an unsent figure event is found by its subject.
    index('webhook_deliveries_figures').on(table.subject).where(sql`state = 'pending' AND kind = 'figures'`),
    index('webhook_deliveries_event').on(table.eventId),
    index('webhook_deliveries_age').on(table.createdAt),
  ],
)

export const webhookAttempts = sqliteTable(
  'webhook_attempts',
  {
    deliveryId: text('delivery_id').notNull(),
    number: integer('number').notNull(),
    at: integer('at').notNull(),
    /** The rest of the record, as JSON. */
    document: text('document').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.deliveryId, table.number, table.at] }),
    index('webhook_attempts_age').on(table.at),
  ],
)

/** Test events are outside the feed and belong to one subscription (HOOK-S4). */
export const webhookTestEvents = sqliteTable('webhook_test_events', {
  id: text('id').primaryKey(),
  time: integer('time').notNull(),
  body: text('body').notNull(),
})

export const tariffs = sqliteTable(
  'tariffs',
  {
    tariffId: text('id').primaryKey(),
    accountId: accountId(),
    ...fieldColumns(fields),
  },
  (table) => [
    uniqueIndex('tariffs_account')
      .on(table.accountId)
      .where(sql`charge_point_id IS NULL AND coalesce(name, '') = '' AND elements IS NULL`),
    uniqueIndex('tariffs_charge_point')
      .on(table.accountId, table.chargePointId)
      .where(sql`charge_point_id IS NOT NULL`),
  ],
)

export const settlements = sqliteTable(
  'settlements',
  {
    sessionId: text('session_id').notNull(),
    number: integer('number').notNull(),
    costMicros: integer('cost_micros'),
    currency: text('currency'),
    energyMilliWh: integer('energy_milli_wh').notNull(),
    at: integer('at').notNull(),
    by: text('by').notNull(),
    reason: text('reason'),
  },
  (table) => [primaryKey({ columns: [table.sessionId, table.number] })],
)
