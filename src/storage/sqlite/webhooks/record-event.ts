/** An event and all it causes, in the savepoint of the message that caused it (F3). */
import type { Database } from 'better-sqlite3'
import { uuidTime } from '../../../commands/uuid.ts'
import type { SessionEvent } from '../../store.ts'
import type { SettlementEntry } from '../../webhook-store.ts'
import { sharedWith } from './shared-with.ts'

/** Delivery ids are unguessable and made where the rows are: one statement serves all subscriptions. */
export const NEW_DELIVERY_ID = `'dlv_' || lower(hex(randomblob(16)))`

export function eventWriter(db: Database): (event: SessionEvent) => void {
  const put = db.prepare(`INSERT INTO events (id, account_id, session_id, charge_point_id, kind, time, body, causes)
    VALUES (@id, @accountId, @sessionId, @chargePointId, @kind, @time, @body, @causes)`)
  // M4: nobody has seen these figures, and the new event carries newer ones.
  const supersede = db.prepare(`UPDATE webhook_deliveries SET state = 'superseded', finished_at = @now
    WHERE state = 'pending' AND kind = 'figures' AND session_id = @sessionId AND attempts = 0`)
  // A disabled endpoint's events are kept for it (R5).
  const deliver = db.prepare(`INSERT INTO webhook_deliveries
      (id, subscription_id, event_id, session_id, kind, state, attempts, due_at, created_at)
    SELECT ${NEW_DELIVERY_ID}, s.id, @id, @sessionId, @kind,
      CASE s.status WHEN 'active' THEN 'pending' ELSE 'held' END, 0, @now, @now
    FROM webhook_subscriptions AS s
    WHERE s.account_id = @accountId AND s.status <> 'revoked'
      AND (s.updates = 'all' OR @kind <> 'figures')
      AND (s.charge_point_ids IS NULL
        OR EXISTS (SELECT 1 FROM json_each(s.charge_point_ids) WHERE value = @chargePointId))
      AND ${sharedWith('s', '@chargePointId')}`)
  return (event) => {
    // The id's millisecond is when it was recorded; `time` may lie ahead, as it rises whatever the clock does (W6).
    const row = { ...event, causes: JSON.stringify(event.causes), now: uuidTime(event.id) ?? event.time }
    put.run(row)
    supersede.run({ now: row.now, sessionId: row.sessionId })
    deliver.run(row)
  }
}

export function settlementWriter(db: Database): (entry: SettlementEntry) => void {
  const put = db.prepare(`INSERT INTO settlements
      (session_id, number, cost_micros, currency, energy_milli_wh, at, by, reason)
    VALUES (@sessionId, @number, @costMicros, @currency, @energyMilliWh, @at, @by, @reason)`)
  return ({ costMicros = null, currency = null, reason = null, ...entry }) =>
    put.run({ ...entry, costMicros, currency, reason })
}
