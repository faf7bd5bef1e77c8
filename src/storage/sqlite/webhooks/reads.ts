import type { Database } from 'better-sqlite3'
import { uuidFloor } from '../../../commands/uuid.ts'
import type {
  DeliveryStatistics,
  EventQuery,
  EventRecord,
  SettlementEntry,
  WebhookReads,
} from '../../../ports/storage-webhooks.ts'
import { present } from '../rows/present.ts'
import { keptAnswerReads } from './kept-answers.ts'
import {
  DELIVERY_COLUMNS,
  type DeliveryRow,
  EVENT_COLUMNS,
  type EventRow,
  readAttempt,
  readDelivery,
  readEvent,
  readListedDelivery,
  readSubscription,
  SUBSCRIPTION_COLUMNS,
  type SubscriptionRow,
} from './rows.ts'
import { subscriptionFinder } from './subscriptions.ts'
import { tariffReads } from './tariffs.ts'

export function webhookReads(db: Database): WebhookReads {
  const findSubscription = subscriptionFinder(db)
  const subscriptions = db.prepare<[string, string | null], SubscriptionRow>(
    `SELECT ${SUBSCRIPTION_COLUMNS} FROM webhook_subscriptions
      WHERE account_id = ? AND grant_id IS ? ORDER BY created_at, id`,
  )
  const ofGrants = db.prepare<[string, string, number], SubscriptionRow>(
    `SELECT ${SUBSCRIPTION_COLUMNS} FROM webhook_subscriptions
      WHERE account_id = ? AND grant_id IS NOT NULL AND status <> 'revoked' AND id > ? ORDER BY id LIMIT ?`,
  )
  return {
    ...tariffReads(db),
    ...keptAnswerReads(db),
    ...deliveryReads(db),
    ...eventReads(db),
    findSubscription: async (id) => findSubscription(id),
    listSubscriptions: async ({ accountId, grantId = null }) =>
      subscriptions.all(accountId, grantId).map(readSubscription),
    listGrantSubscriptions: async ({ accountId, afterId = '', limit }) =>
      ofGrants.all(accountId, afterId, limit).map(readSubscription),
    deliveryStatistics: statistics(db),
  }
}

function deliveryReads(db: Database): Pick<WebhookReads, 'listDeliveries' | 'findDelivery'> {
  const list = db.prepare<[object], DeliveryRow>(`SELECT ${DELIVERY_COLUMNS} FROM webhook_deliveries
    WHERE subscription_id = @subscriptionId AND position < @belowPosition AND (@state IS NULL OR state = @state)
      AND (@chargePointIds IS NULL OR kind = 'test' OR EXISTS (SELECT 1 FROM events
        WHERE events.id = event_id AND charge_point_id IN (SELECT value FROM json_each(@chargePointIds))))
    ORDER BY position DESC LIMIT @limit`)
  const find = db.prepare<[string, string], DeliveryRow>(
    `SELECT ${DELIVERY_COLUMNS} FROM webhook_deliveries WHERE subscription_id = ? AND id = ?`,
  )
  const event = db.prepare<[string], EventRow>(`SELECT ${EVENT_COLUMNS} FROM events WHERE id = ?`)
  const test = db.prepare<[string], Pick<EventRecord, 'time' | 'body'>>(
    'SELECT time, body FROM webhook_test_events WHERE id = ?',
  )
  const attempts = db.prepare<[string], Parameters<typeof readAttempt>[0]>(
    'SELECT number, at, document FROM webhook_attempts WHERE delivery_id = ? ORDER BY at, number',
  )
  const eventOf = ({ eventId: id, type, subject }: DeliveryRow): EventRecord | undefined => {
    const row = event.get(id)
    if (row) return readEvent(row)
    const synthetic = test.get(id)
    return (
      synthetic && { id, accountId: '', type, subject, chargePointId: '', kind: 'transition', causes: [], ...synthetic }
    )
  }
  return {
    listDeliveries: async ({
      subscriptionId,
      state = null,
      chargePointIds,
      belowPosition = Number.MAX_SAFE_INTEGER,
      limit,
    }) => {
      const ids = chargePointIds ? JSON.stringify(chargePointIds) : null
      return list.all({ subscriptionId, state, chargePointIds: ids, belowPosition, limit }).map(readListedDelivery)
    },
    findDelivery: async (subscriptionId, id) => {
      const row = find.get(subscriptionId, id)
      const caused = row && eventOf(row)
      return (
        row && caused && { delivery: readDelivery(row), event: caused, attempts: attempts.all(id).map(readAttempt) }
      )
    },
  }
}

const feed = (ofType: string): string => `SELECT ${EVENT_COLUMNS} FROM events
  WHERE account_id = @accountId AND rowid > @position AND id >= @oldest AND ${ofType}
    AND (@chargePointIds IS NULL OR charge_point_id IN (SELECT value FROM json_each(@chargePointIds)))
  ORDER BY rowid LIMIT @limit`

const FEED = feed('(@type IS NULL OR type = @type)')
/** Its last condition stands word for word in its index: only then SQLite uses that (HOOK-E3). */
export const RARE_FEED = feed(`type = @type AND type <> 'session.updated'`)

function eventReads(db: Database): Pick<WebhookReads, 'listEvents' | 'listSessionEvents' | 'listSettlements'> {
  const positionOf = db
    .prepare<[string, string], number>('SELECT rowid FROM events WHERE id = ? AND account_id = ?')
    .pluck()
  const list = db.prepare<[object], EventRow>(FEED)
  const listRare = db.prepare<[object], EventRow>(RARE_FEED)
  const ofSession = db.prepare<[string], EventRow>(
    `SELECT ${EVENT_COLUMNS} FROM events WHERE session_id = ? AND type = 'session.updated' ORDER BY rowid`,
  )
  const settled = db.prepare<[string], SettlementEntry>(`SELECT session_id AS sessionId, number,
    cost_micros AS costMicros, currency, energy_milli_wh AS energyMilliWh, at, by, reason
    FROM settlements WHERE session_id = ? ORDER BY number`)
  const page = ({
    accountId,
    chargePointIds,
    type,
    afterId,
    from = 0,
    limit,
  }: EventQuery): readonly EventRecord[] | 'unknown' => {
    const position = afterId === undefined ? 0 : positionOf.get(afterId, accountId)
    if (position === undefined) return 'unknown'
    const ids = chargePointIds ? JSON.stringify(chargePointIds) : null
    const statement = type === undefined || type === 'session.updated' ? list : listRare
    return statement
      .all({ accountId, position, oldest: uuidFloor(from), chargePointIds: ids, type: type ?? null, limit })
      .map(readEvent)
  }
  return {
    listEvents: async (query) => page(query),
    listSessionEvents: async (sessionId) => ofSession.all(sessionId).map(readEvent),
    listSettlements: async (sessionId) => settled.all(sessionId).map((row) => present(row) as SettlementEntry),
  }
}

function statistics(db: Database): WebhookReads['deliveryStatistics'] {
  const waiting = db.prepare<[{ now: number }], { due: number; waiting: number; oldestDueAt: number | null }>(`
    SELECT count(*) FILTER (WHERE d.due_at <= @now) AS due, count(*) FILTER (WHERE d.due_at > @now) AS waiting,
      min(d.due_at) FILTER (WHERE d.due_at <= @now) AS oldestDueAt
    FROM webhook_subscriptions AS s JOIN webhook_deliveries AS d ON d.subscription_id = s.id AND d.state = 'pending'
    WHERE s.status = 'active'`)
  const inFlight = db.prepare<[], number>(`SELECT count(*) FROM webhook_deliveries WHERE state = 'in_flight'`).pluck()
  const held = db
    .prepare<[], number>(`SELECT count(*) FROM webhook_subscriptions AS s
      JOIN webhook_deliveries AS d ON d.subscription_id = s.id AND d.state = 'held' WHERE s.status = 'disabled'`)
    .pluck()
  return async (now): Promise<DeliveryStatistics> => {
    const { oldestDueAt, ...counts } = waiting.get({ now }) ?? { due: 0, waiting: 0, oldestDueAt: null }
    return {
      ...counts,
      ...(oldestDueAt !== null && { oldestDueAt }),
      inFlight: inFlight.get() ?? 0,
      held: held.get() ?? 0,
    }
  }
}
