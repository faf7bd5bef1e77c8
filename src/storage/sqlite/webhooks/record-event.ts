/** An event and all it causes, in the savepoint of the message that caused it (HOOK-F3). */
import type { Database } from 'better-sqlite3'
import { uuidTime } from '../../../commands/uuid.ts'
import type { NewEvent, SettlementEntry } from '../../../ports/storage-webhooks.ts'
import { sharedWith } from './shared-with.ts'

/** Delivery ids are unguessable and made where the rows are: one statement serves all subscriptions. */
export const NEW_DELIVERY_ID = `'dlv_' || lower(hex(randomblob(16)))`

/** The function says whether anybody is to hear of the event. */
export function eventWriter(db: Database): (event: NewEvent) => boolean {
  // Values by position: binding by name looks up each of them.
  const put =
    db.prepare(`INSERT INTO events (id, account_id, session_id, charge_point_id, kind, time, body, causes, type)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`)
  // HOOK-M4: nobody has seen these figures, and the new event carries newer ones.
  const supersede = db.prepare(`UPDATE webhook_deliveries SET state = 'superseded', finished_at = ?
    WHERE state = 'pending' AND kind = 'figures' AND session_id = ? AND attempts = 0
      AND type = ? AND coalesce_key IS ?`)
  // A disabled endpoint's events are kept for it (HOOK-R5).
  const insertInto = `INSERT INTO webhook_deliveries
      (id, subscription_id, event_id, session_id, kind, state, attempts, due_at, created_at,
        type, order_key, coalesce_key)
    WITH event (id, session_id, charge_point_id, account_id, kind, now, type, order_key, coalesce_key)
      AS (VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?))
    SELECT ${NEW_DELIVERY_ID}, s.id, event.id, event.session_id, event.kind,
      CASE s.status WHEN 'active' THEN 'pending' ELSE 'held' END, 0, event.now, event.now,
      event.type, event.order_key, event.coalesce_key
    FROM event CROSS JOIN webhook_subscriptions AS s
    WHERE s.account_id = event.account_id AND s.status <> 'revoked'`
  const chosen = `instr(s.events, '"' || event.type || '"')
      AND (s.updates = 'all' OR event.kind <> 'figures')
      AND (s.charge_point_ids IS NULL
        OR EXISTS (SELECT 1 FROM json_each(s.charge_point_ids) WHERE value = event.charge_point_id))
      AND ${sharedWith('s', 'event.charge_point_id', 'event.type')}`
  const deliver = db.prepare(`${insertInto} AND ${chosen}`)
  // Whom somebody named is sent it once, whether it chose such events or not; a grant's webhook cannot be named.
  const deliverTo = db.prepare(`${insertInto} AND s.grant_id IS NULL AND NOT (${chosen})
      AND s.id IN (SELECT value FROM json_each(?))`)
  return (event) => {
    // The id's millisecond is when it was recorded; `time` may lie ahead, as it rises whatever the clock does
    // (HOOK-W6).
    const { id, accountId, type, subject, chargePointId, kind, time, body, causes, coalesceKey } = event
    const now = uuidTime(id) ?? time
    put.run(id, accountId, subject, chargePointId, kind, time, body, JSON.stringify(causes), type)
    const orderKey = event.orderKey === subject ? null : event.orderKey
    const replaces = coalesceKey === undefined || coalesceKey === subject ? null : coalesceKey
    if (coalesceKey !== undefined) supersede.run(now, subject, type, replaces)
    const { changes } = deliver.run(id, subject, chargePointId, accountId, kind, now, type, orderKey, replaces)
    if (event.alsoTo === undefined) return changes > 0
    const named = JSON.stringify(event.alsoTo)
    const more = deliverTo.run(id, subject, chargePointId, accountId, kind, now, type, orderKey, replaces, named)
    return changes + more.changes > 0
  }
}

export function settlementWriter(db: Database): (entry: SettlementEntry) => void {
  const put = db.prepare(`INSERT INTO settlements
      (session_id, number, cost_micros, currency, energy_milli_wh, at, by, reason)
    VALUES (@sessionId, @number, @costMicros, @currency, @energyMilliWh, @at, @by, @reason)`)
  return ({ costMicros = null, currency = null, reason = null, ...entry }) =>
    put.run({ ...entry, costMicros, currency, reason })
}
