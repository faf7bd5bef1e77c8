import { eq } from 'drizzle-orm'
import { uuidFloor } from '../../../domain/message-log/log-id.ts'
import type { EventRecord, WebhookReads } from '../../../domain/ports/storage-webhooks.ts'
import { settlements } from '../../schema/webhooks.ts'
import { all, type Dialect, first, list, type Operations, type Value, value, type Work } from '../work.ts'
import {
  DELIVERY_COLUMNS,
  type DeliveryRow,
  EVENT_COLUMNS,
  type EventRow,
  findSubscription,
  readAttempt,
  readDelivery,
  readEvent,
  readListedDelivery,
  readSubscription,
  SUBSCRIPTION_COLUMNS,
} from './subscriptions.ts'

const SUBSCRIPTIONS = `SELECT ${SUBSCRIPTION_COLUMNS} FROM webhook_subscriptions
  WHERE account_id = ? AND grant_id IS NOT DISTINCT FROM ? AND partner_id IS NULL ORDER BY created_at, id`
const OF_GRANTS = `SELECT ${SUBSCRIPTION_COLUMNS} FROM webhook_subscriptions
  WHERE account_id = ? AND grant_id IS NOT NULL AND status <> 'revoked' AND id > ? ORDER BY id LIMIT ?`

export const subscriptionReads = {
  /** None of a partner's: they are shown with it. */
  *findSubscription(id) {
    const found = yield* findSubscription(id)
    return found?.partnerId === undefined ? found : undefined
  },
  *listSubscriptions({ accountId, grantId = null }) {
    return (yield* all<object>(SUBSCRIPTIONS, [accountId, grantId])).map(readSubscription)
  },
  *listGrantSubscriptions({ accountId, afterId = '', limit }) {
    return (yield* all<object>(OF_GRANTS, [accountId, afterId, limit])).map(readSubscription)
  },
} satisfies Partial<Operations<WebhookReads>>

const FIND = `SELECT ${DELIVERY_COLUMNS} FROM webhook_deliveries WHERE subscription_id = ? AND id = ?`
const EVENT = `SELECT ${EVENT_COLUMNS} FROM events WHERE id = ?`
const TEST = 'SELECT time, body FROM webhook_test_events WHERE id = ?'
const ATTEMPTS = 'SELECT number, at, document FROM webhook_attempts WHERE delivery_id = ? ORDER BY at, number'

export function deliveryReads({ among }: Dialect) {
  const list = (ofState: string, ofThose: string): string => `SELECT ${DELIVERY_COLUMNS} FROM webhook_deliveries
    WHERE subscription_id = @subscriptionId AND position < @belowPosition ${ofState} ${ofThose}
    ORDER BY position DESC LIMIT @limit`
  const ofThose = `AND (kind = 'test' OR EXISTS (SELECT 1 FROM events
    WHERE events.id = event_id AND ${among('charge_point_id', '@chargePointIds')}))`
  return {
    *listDeliveries({ subscriptionId, state, chargePointIds, belowPosition = Number.MAX_SAFE_INTEGER, limit }) {
      const page = list(state === undefined ? '' : 'AND state = @state', chargePointIds ? ofThose : '')
      const values = {
        subscriptionId,
        belowPosition,
        limit,
        state: state ?? null,
        chargePointIds: chargePointIds ?? [],
      }
      return (yield* all<DeliveryRow>(page, values)).map(readListedDelivery)
    },
    *findDelivery(subscriptionId, id) {
      const found = yield* first<DeliveryRow>(FIND, [subscriptionId, id])
      const caused = found && (yield* eventOf(found))
      if (!found || !caused) return undefined
      const attempts = yield* all<Parameters<typeof readAttempt>[0]>(ATTEMPTS, [id])
      return { delivery: readDelivery(found), event: caused, attempts: attempts.map(readAttempt) }
    },
    *deliveryStatistics(now) {
      const { oldestDueAt = null, ...counts } = (yield* first<Waiting>(WAITING, { now })) ?? { due: 0, waiting: 0 }
      return {
        ...counts,
        oldestDueAt: oldestDueAt ?? undefined,
        inFlight: (yield* value<number>(IN_FLIGHT)) ?? 0,
        held: (yield* value<number>(HELD)) ?? 0,
      }
    },
  } satisfies Partial<Operations<WebhookReads>>
}

function* eventOf({ eventId: id, type, subject }: DeliveryRow): Work<EventRecord | undefined> {
  const found = yield* first<EventRow>(EVENT, [id])
  if (found) return readEvent(found)
  const test = yield* first<Pick<EventRecord, 'time' | 'body'>>(TEST, [id])
  return test && { id, accountId: '', type, subject, chargePointId: '', kind: 'transition', causes: [], ...test }
}

interface Waiting {
  readonly due: number
  readonly waiting: number
  readonly oldestDueAt?: number | null | undefined
}

const WAITING = `SELECT count(*) FILTER (WHERE d.due_at <= @now) AS "due",
    count(*) FILTER (WHERE d.due_at > @now) AS "waiting", min(d.due_at) FILTER (WHERE d.due_at <= @now) AS "oldestDueAt"
  FROM webhook_subscriptions AS s JOIN webhook_deliveries AS d ON d.subscription_id = s.id AND d.state = 'pending'
  WHERE s.status = 'active'`
const IN_FLIGHT = `SELECT count(*) FROM webhook_deliveries WHERE state = 'in_flight'`
const HELD = `SELECT count(*) FROM webhook_subscriptions AS s
  JOIN webhook_deliveries AS d ON d.subscription_id = s.id AND d.state = 'held' WHERE s.status = 'disabled'`

/** @param narrowed further conditions, by name */
export function feedSql({ feed }: Dialect, narrowed: readonly string[]): string {
  return `SELECT ${EVENT_COLUMNS} FROM events
    WHERE account_id = @accountId AND id >= @oldest AND ${[feed.settled, ...narrowed].join(' AND ')}
    ORDER BY ${feed.place} LIMIT @limit`
}

export const behindEvent = ({ feed }: Dialect): string =>
  `(${feed.place}) > (SELECT ${feed.place} FROM events WHERE id = @afterId)`

/** The last condition of each is verbatim in its index: only then SQLite uses it (HOOK-E3). */
export const USUAL = `type = 'session.updated'`
export const RARE = `type = @type AND type <> 'session.updated'`

const KNOWN = 'SELECT 1 FROM events WHERE id = ? AND account_id = ?'

export function eventReads(dialect: Dialect) {
  const { among, feed } = dialect
  const ofSession = `SELECT ${EVENT_COLUMNS} FROM events
    WHERE session_id = ? AND type = 'session.updated' ORDER BY ${feed.place}`
  return {
    *listEvents({ accountId, chargePointIds, type, afterId, from = 0, limit }) {
      if (afterId !== undefined && (yield* value(KNOWN, [afterId, accountId])) === undefined) return 'unknown'
      const narrowed: string[] = []
      const values: Record<string, Value> = { accountId, oldest: uuidFloor(from), limit }
      const when = (name: string, asked: Value | undefined, condition: string): void => {
        if (asked === undefined) return
        narrowed.push(condition)
        values[name] = asked
      }
      when('afterId', afterId, behindEvent(dialect))
      if (type === 'session.updated') narrowed.push(USUAL)
      else when('type', type, RARE)
      when('chargePointIds', chargePointIds, among('charge_point_id', '@chargePointIds'))
      return (yield* all<EventRow>(feedSql(dialect, narrowed), values)).map(readEvent)
    },
    *listSessionEvents(sessionId) {
      return (yield* all<EventRow>(ofSession, [sessionId])).map(readEvent)
    },
    listSettlements: (sessionId) => list(settlements, eq(settlements.sessionId, sessionId), settlements.number),
  } satisfies Partial<Operations<WebhookReads>>
}
