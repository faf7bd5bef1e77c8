import { envelopeOf } from '../../../domain/events/emission.ts'
import type {
  Attempt,
  Delivery,
  EventRecord,
  ListedDelivery,
  Subscription,
} from '../../../domain/ports/storage-webhooks.ts'
import { columnsOf, present, readRow } from '../../rows/present.ts'
import { webhookSubscriptions } from '../../schema/webhooks.ts'

export const SUBSCRIPTION_COLUMNS = columnsOf(webhookSubscriptions, undefined, ['rateSpent'])

export function readSubscription(row: object): Subscription {
  return readRow(webhookSubscriptions, row)
}

export const DELIVERY_COLUMNS = `position, id, subscription_id AS "subscriptionId", event_id AS "eventId",
  type, session_id AS "subject", kind, state, attempts, due_at AS "dueAt", ordered, created_at AS "createdAt", finished_at AS "finishedAt"`

/** Due at that time, with a whole schedule ahead (HOOK-R8). */
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
  return { ...event, body: envelopeOf(event), causes: JSON.parse(causes) as readonly number[] }
}

export function writeAttempt({ number: _number, at: _at, ...rest }: Attempt): string {
  return JSON.stringify(rest)
}

export function readAttempt(row: { readonly number: number; readonly at: number; readonly document: string }): Attempt {
  return { number: row.number, at: row.at, ...(JSON.parse(row.document) as Omit<Attempt, 'number' | 'at'>) }
}
