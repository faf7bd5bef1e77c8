/** Rows of the webhook tables as records. */
import type {
  Attempt,
  Delivery,
  EventRecord,
  ListedDelivery,
  Subscription,
  Tariff,
} from '../../../domain/ports/storage-webhooks.ts'
import { present } from '../../rows/present.ts'

export const SUBSCRIPTION_COLUMNS = `id, account_id AS "accountId", grant_id AS "grantId", url, description, events, updates,
  charge_point_ids AS "chargePointIds", status, disabled_reason AS "disabledReason", disabled_at AS "disabledAt", secrets,
  consecutive_failures AS "consecutiveFailures", attempts_since_success AS "attemptsSinceSuccess",
  failing_since AS "failingSince", last_success_at AS "lastSuccessAt", last_error AS "lastError",
  paused_until AS "pausedUntil", paused_for_ms AS "pausedForMs", answer_ms AS "answerMs",
  signature_scheme AS "signatureScheme", verify, rate_per_minute AS "ratePerMinute",
  created_at AS "createdAt"`

export type SubscriptionRow = Readonly<Record<string, unknown>> & {
  readonly secrets: string
  readonly events: string
  readonly chargePointIds: string | null
}

export function readSubscription(row: SubscriptionRow): Subscription {
  const { secrets, events, chargePointIds, ...rest } = row
  return {
    ...(present(rest) as Omit<Subscription, 'secrets' | 'events' | 'chargePointIds'>),
    secrets: JSON.parse(secrets) as Subscription['secrets'],
    events: JSON.parse(events) as Subscription['events'],
    ...(chargePointIds !== null && { chargePointIds: JSON.parse(chargePointIds) as readonly string[] }),
  }
}

export const DELIVERY_COLUMNS = `position, id, subscription_id AS "subscriptionId", event_id AS "eventId",
  type, session_id AS "subject", kind, state, attempts, due_at AS "dueAt", ordered, created_at AS "createdAt", finished_at AS "finishedAt"`

/** Due at that time, with a whole schedule before it (HOOK-R8). */
export const anew = (at: string): string => `due_at = ${at}, delay_ms = 0, earlier_attempts = attempts`

export type DeliveryRow = Omit<ListedDelivery, 'ordered'> & {
  readonly ordered: 0 | 1
  readonly finishedAt: number | null
}

export function readListedDelivery(row: DeliveryRow): ListedDelivery {
  const { ordered, ...rest } = row
  return { ...(present(rest) as Omit<ListedDelivery, 'ordered'>), ordered: ordered === 1 }
}

export function readDelivery(row: DeliveryRow): Delivery {
  const { position: _, ...delivery } = readListedDelivery(row)
  return delivery
}

export const EVENT_COLUMNS = `id, account_id AS "accountId", type, session_id AS "subject", charge_point_id AS "chargePointId",
  kind, time, body, causes`

export type EventRow = Omit<EventRecord, 'causes'> & { readonly causes: string }

export function readEvent({ causes, ...event }: EventRow): EventRecord {
  return { ...event, causes: JSON.parse(causes) as readonly number[] }
}

export function writeAttempt({ number: _number, at: _at, ...rest }: Attempt): string {
  return JSON.stringify(rest)
}

export function readAttempt(row: { readonly number: number; readonly at: number; readonly document: string }): Attempt {
  return { number: row.number, at: row.at, ...(JSON.parse(row.document) as Omit<Attempt, 'number' | 'at'>) }
}

export const TARIFF_COLUMNS = `id AS "tariffId", account_id AS "accountId", charge_point_id AS "chargePointId", version, currency,
  per_kwh_micros AS "perKwhMicros", per_minute_micros AS "perMinuteMicros", per_session_micros AS "perSessionMicros",
  idle_per_minute_micros AS "idlePerMinuteMicros", created_at AS "createdAt", updated_at AS "updatedAt"`

export function readTariff(row: object): Tariff {
  return present(row) as Tariff
}
