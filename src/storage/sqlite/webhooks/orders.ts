/** What an owner asks for: once more, from then on, a test (HOOK-S1, HOOK-S4); and what grows old (HOOK-F6). */
import type { Database } from 'better-sqlite3'
import { uuidFloor } from '../../../commands/uuid.ts'
import type { Delivery, WebhookWrites } from '../../../ports/storage-webhooks.ts'
import { IN_STEP, inSteps } from './in-steps.ts'
import { NEW_DELIVERY_ID } from './record-event.ts'
import { anew, DELIVERY_COLUMNS, type DeliveryRow, readDelivery } from './rows.ts'

type OrderWrites = Pick<WebhookWrites, 'redeliver' | 'replayDeliveries' | 'createTestDelivery' | 'deleteOldDeliveries'>

const FINISHED = `('succeeded', 'failed', 'superseded', 'cancelled')`
const DAY_MS = 24 * 3600_000
/** HOOK-F6, HOOK-R5. */
const KEPT_MS = 30 * DAY_MS
const FAILED_KEPT_MS = 90 * DAY_MS
const HELD_KEPT_MS = 14 * DAY_MS

export function orderWrites(db: Database): OrderWrites {
  const walk = inSteps(db)
  const find = db.prepare<[string, string], DeliveryRow>(
    `SELECT ${DELIVERY_COLUMNS} FROM webhook_deliveries WHERE id = ? AND subscription_id = ?`,
  )
  const again =
    db.prepare(`UPDATE webhook_deliveries SET state = 'pending', ${anew('?')}, ordered = 1, finished_at = NULL
    WHERE id = ? AND state <> 'in_flight'`)
  const replay =
    db.prepare(`UPDATE webhook_deliveries SET state = 'pending', ${anew('@now')}, ordered = 0, finished_at = NULL
    WHERE ${IN_STEP} AND created_at >= @from AND created_at < @to AND kind <> 'test'
      AND state IN ${FINISHED} AND (@state IS NULL OR state = @state)`)
  const putTest = db.prepare('INSERT INTO webhook_test_events (id, time, body) VALUES (?, ?, ?)')
  const deliverTest = db.prepare(`INSERT INTO webhook_deliveries
      (id, subscription_id, event_id, type, session_id, kind, state, attempts, due_at, ordered, created_at)
    SELECT ${NEW_DELIVERY_ID}, id, @eventId, @type, @subject, 'test', 'pending', 0, @now, 1, @now
    FROM webhook_subscriptions WHERE id = @subscriptionId AND status = 'active'`)
  const ofEvent = db.prepare<[string, string], DeliveryRow>(
    `SELECT ${DELIVERY_COLUMNS} FROM webhook_deliveries WHERE subscription_id = ? AND event_id = ?`,
  )

  const redeliver = db.transaction((subscriptionId: string, id: string, now: number): Delivery | 'busy' | undefined => {
    if (!find.get(id, subscriptionId)) return undefined
    if (again.run(now, id).changes === 0) return 'busy'
    const row = find.get(id, subscriptionId)
    return row && readDelivery(row)
  })
  const test: OrderWrites['createTestDelivery'] = async (subscriptionId, event, now) =>
    db.transaction(() => {
      putTest.run(event.id, event.time, event.body)
      deliverTest.run({ subscriptionId, eventId: event.id, type: event.type, subject: event.subject, now })
      const row = ofEvent.get(subscriptionId, event.id)
      return row && readDelivery(row)
    })()
  return {
    redeliver: async (subscriptionId, id, now) => redeliver.immediate(subscriptionId, id, now),
    replayDeliveries: ({ subscriptionId, state = null, ...order }) =>
      walk(subscriptionId, (step) => replay.run({ ...order, ...step, state }).changes),
    createTestDelivery: test,
    deleteOldDeliveries: cleaning(db),
  }
}

/** Small batches: a delete of thousands of rows would hold up the commits of the charge points. */
function cleaning(db: Database): OrderWrites['deleteOldDeliveries'] {
  const giveUpHeld = db.prepare(`UPDATE webhook_deliveries SET state = 'cancelled', finished_at = @now
    WHERE position IN (SELECT position FROM webhook_deliveries
      WHERE created_at < @before AND state = 'held' ORDER BY created_at LIMIT @limit)`)
  const deliveries = db.prepare(`DELETE FROM webhook_deliveries WHERE position IN (
    SELECT position FROM webhook_deliveries WHERE created_at < @before
      AND (state IN ('succeeded', 'superseded', 'cancelled') OR (state = 'failed' AND created_at < @failedBefore))
    ORDER BY created_at LIMIT @limit)`)
  const attempts = db.prepare(`DELETE FROM webhook_attempts WHERE rowid IN (
    SELECT rowid FROM webhook_attempts WHERE at < ? ORDER BY at LIMIT ?)`)
  // A UUIDv7 begins with its millisecond. An event stays as long as one of its deliveries may need its body.
  const events = db.prepare(`DELETE FROM events WHERE id IN (SELECT id FROM events WHERE id < ?
    AND NOT EXISTS (SELECT 1 FROM webhook_deliveries WHERE event_id = events.id) ORDER BY id LIMIT ?)`)
  const tests = db.prepare(`DELETE FROM webhook_test_events WHERE id IN (SELECT id FROM webhook_test_events
    WHERE id < ? AND NOT EXISTS (SELECT 1 FROM webhook_deliveries WHERE event_id = webhook_test_events.id)
    ORDER BY id LIMIT ?)`)
  return async (now, limit) => {
    const before = now - KEPT_MS
    const oldest = uuidFloor(before)
    giveUpHeld.run({ now, before: now - HELD_KEPT_MS, limit })
    return (
      deliveries.run({ before, failedBefore: now - FAILED_KEPT_MS, limit }).changes +
      attempts.run(before, limit).changes +
      events.run(oldest, limit).changes +
      tests.run(oldest, limit).changes
    )
  }
}
