/** Orders by an owner: again, from then on, a test (HOOK-S1, HOOK-S4); and retention (HOOK-F6). */
import { uuidFloor } from '../../../domain/message-log/log-id.ts'
import type { WebhookWrites } from '../../../domain/ports/storage-webhooks.ts'
import { change, type Dialect, first, type Operations, type Tours } from '../work.ts'
import { anew, DELIVERY_COLUMNS, type DeliveryRow, IN_STEP, inSteps, readDelivery } from './subscriptions.ts'

const FINISHED = `('succeeded', 'failed', 'superseded', 'cancelled')`
const DAY_MS = 24 * 3600_000
/** HOOK-F6, HOOK-R5. */
const KEPT_MS = 30 * DAY_MS
const FAILED_KEPT_MS = 90 * DAY_MS
const HELD_KEPT_MS = 14 * DAY_MS

const FIND = `SELECT ${DELIVERY_COLUMNS} FROM webhook_deliveries WHERE id = ? AND subscription_id = ?`
const AGAIN = `UPDATE webhook_deliveries SET state = 'pending', ${anew('?')}, ordered = 1, finished_at = NULL
  WHERE id = ? AND state <> 'in_flight'`
const REPLAY = `UPDATE webhook_deliveries SET state = 'pending', ${anew('@now')}, ordered = 0, finished_at = NULL
  WHERE ${IN_STEP} AND created_at >= @from AND created_at < @to AND kind <> 'test'
    AND state IN ${FINISHED} AND (state = @state OR @state IS NULL)`
const PUT_TEST = 'INSERT INTO webhook_test_events (id, time, body) VALUES (?, ?, ?)'
const OF_EVENT = `SELECT ${DELIVERY_COLUMNS} FROM webhook_deliveries WHERE subscription_id = ? AND event_id = ?`

type OrderWrites = Pick<WebhookWrites, 'redeliver' | 'createTestDelivery' | 'deleteOldDeliveries'>

export function orderWrites({ newDeliveryId }: Dialect): Operations<OrderWrites> {
  const deliverTest = `INSERT INTO webhook_deliveries
      (id, subscription_id, event_id, type, session_id, kind, state, attempts, due_at, ordered, created_at)
    SELECT ${newDeliveryId}, id, @eventId, @type, @subject, 'test', 'pending', 0, @now, 1, @now
    FROM webhook_subscriptions WHERE id = @subscriptionId AND status = 'active'`
  return {
    *redeliver(subscriptionId, id, now) {
      if (!(yield* first(FIND, [id, subscriptionId]))) return undefined
      if ((yield* change(AGAIN, [now, id])) === 0) return 'busy'
      const found = yield* first<DeliveryRow>(FIND, [id, subscriptionId])
      return found && readDelivery(found)
    },
    *createTestDelivery(subscriptionId, { id, time, body, type, subject }, now) {
      yield* change(PUT_TEST, [id, time, body])
      yield* change(deliverTest, { subscriptionId, eventId: id, type, subject, now })
      const found = yield* first<DeliveryRow>(OF_EVENT, [subscriptionId, id])
      return found && readDelivery(found)
    },
    *deleteOldDeliveries(now, limit) {
      const before = now - KEPT_MS
      const oldest = uuidFloor(before)
      yield* change(GIVE_UP_HELD, { now, before: now - HELD_KEPT_MS, limit })
      return (
        (yield* change(OLD_DELIVERIES, { before, failedBefore: now - FAILED_KEPT_MS, limit })) +
        (yield* change(OLD_ATTEMPTS, [before, limit])) +
        (yield* change(OLD_EVENTS, [oldest, limit])) +
        (yield* change(OLD_TESTS, [oldest, limit]))
      )
    },
  }
}

export const replayTours: Tours<Pick<WebhookWrites, 'replayDeliveries'>> = {
  replayDeliveries: (run, { subscriptionId, state = null, ...order }) =>
    inSteps(
      run,
      subscriptionId,
      (step) => change(REPLAY, { ...order, ...step, state }),
      // biome-ignore lint/correctness/useYield: it asks for nothing more.
      function* (changed) {
        return changed
      },
    ),
}

// Small batches: deleting thousands of rows would delay the commits of the charge points.
const GIVE_UP_HELD = `UPDATE webhook_deliveries SET state = 'cancelled', finished_at = @now
  WHERE position IN (SELECT position FROM webhook_deliveries
    WHERE created_at < @before AND state = 'held' ORDER BY created_at LIMIT @limit)`
const OLD_DELIVERIES = `DELETE FROM webhook_deliveries WHERE position IN (
  SELECT position FROM webhook_deliveries WHERE created_at < @before
    AND (state IN ('succeeded', 'superseded', 'cancelled') OR (state = 'failed' AND created_at < @failedBefore))
  ORDER BY created_at LIMIT @limit)`
const OLD_ATTEMPTS = `DELETE FROM webhook_attempts WHERE (delivery_id, number, at) IN (
  SELECT delivery_id, number, at FROM webhook_attempts WHERE at < ? ORDER BY at LIMIT ?)`
// A UUIDv7 begins with its millisecond. An event stays as long as one of its deliveries may need its body.
const OLD_EVENTS = `DELETE FROM events WHERE id IN (SELECT id FROM events WHERE id < ?
  AND NOT EXISTS (SELECT 1 FROM webhook_deliveries WHERE event_id = events.id) ORDER BY id LIMIT ?)`
const OLD_TESTS = `DELETE FROM webhook_test_events WHERE id IN (SELECT id FROM webhook_test_events
  WHERE id < ? AND NOT EXISTS (SELECT 1 FROM webhook_deliveries WHERE event_id = webhook_test_events.id)
  ORDER BY id LIMIT ?)`
