/** An event and all it causes, in the savepoint of the message that caused it (HOOK-F3). */

import { ACTING, rolesThatLetAct } from '../../../domain/accounts/roles.ts'
import { envelopeAround } from '../../../domain/events/emission.ts'
import { TYPES_READ_BY } from '../../../domain/events/registry.ts'
import { uuidTime } from '../../../domain/message-log/log-id.ts'
import type { NewEvent, SettlementEntry } from '../../../domain/ports/storage-webhooks.ts'
import { settlements } from '../../schema/webhooks.ts'
import { change, type Dialect, insert, type Work } from '../work.ts'

// Values by position: binding by name looks up each of them.
const PUT = `INSERT INTO events (id, account_id, session_id, charge_point_id, kind, time, body, causes, type)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`
// HOOK-M4: unsent figures give way to the newer ones.
const SUPERSEDE = `UPDATE webhook_deliveries SET state = 'superseded', finished_at = ?
  WHERE state = 'pending' AND kind = 'figures' AND session_id = ? AND attempts = 0
    AND type = ? AND coalesce_key IS NOT DISTINCT FROM ?`

/** How an `event` is delivered to a subscription `s` that has chosen it and may see it. */
export function eventWords(dialect: Dialect) {
  const { contains, holds, newDeliveryId } = dialect
  return {
    columns: `id, subscription_id, event_id, session_id, kind, state, attempts, due_at, created_at, type, order_key,
      coalesce_key`,
    // A disabled endpoint's events are kept for it (HOOK-R5).
    values: `${newDeliveryId}, s.id, event.id, event.session_id, event.kind,
      CASE s.status WHEN 'active' THEN 'pending' ELSE 'held' END, 0, event.now, event.now,
      event.type, event.order_key, event.coalesce_key`,
    chosen: `${contains('s.events', `'"' || event.type || '"'`)}
      AND (s.updates = 'all' OR event.kind <> 'figures')
      AND (s.charge_point_ids IS NULL OR ${holds('s.charge_point_ids', 'event.charge_point_id')})
      AND ${sharedWith(dialect, 's', 'event.charge_point_id', 'event.type')}`,
  }
}

export function eventStatements(dialect: Dialect) {
  const { among } = dialect
  const { columns, values, chosen } = eventWords(dialect)
  const insertInto = `INSERT INTO webhook_deliveries (${columns})
    WITH event (id, session_id, charge_point_id, account_id, kind, now, type, order_key, coalesce_key)
      AS (VALUES (?, ?, ?, ?, ?, CAST(? AS bigint), ?, ?, ?))
    SELECT ${values} FROM event CROSS JOIN webhook_subscriptions AS s
    WHERE s.account_id = event.account_id AND s.status <> 'revoked'`
  return {
    put: PUT,
    /** HOOK-F9: an event placed by another process stays. */
    place: `${PUT} ON CONFLICT (id) DO NOTHING`,
    supersede: SUPERSEDE,
    deliver: `${insertInto} AND ${chosen}`,
    // Named recipients get it once, whether they chose such events or not; a grant's webhook cannot be named.
    deliverTo: `${insertInto} AND s.grant_id IS NULL AND NOT (${chosen}) AND ${among('s.id', '?')}`,
  }
}

/** @param body the data alone where no webhook receives it (HOOK-F9) */
export function eventRow(event: NewEvent, body: string) {
  const { id, accountId, type, subject, chargePointId, kind, time, causes } = event
  return [id, accountId, subject, chargePointId, kind, time, body, JSON.stringify(causes), type] as const
}

export type StoredEvent = ReturnType<typeof eventRow>

export function supersededBy(event: NewEvent) {
  const { subject, type, coalesceKey } = event
  return coalesceKey === undefined ? undefined : ([recordedAt(event), subject, type, replacesOf(event)] as const)
}

export function deliveryOf(event: NewEvent) {
  const { id, subject, chargePointId, accountId, kind, type } = event
  const orderKey = event.orderKey === subject ? null : event.orderKey
  const now = recordedAt(event)
  return [id, subject, chargePointId, accountId, kind, now, type, orderKey, replacesOf(event)] as const
}

/** The id's millisecond; `time` may be ahead, as it rises whatever the clock does (HOOK-W6). */
function recordedAt({ id, time }: NewEvent): number {
  return uuidTime(id) ?? time
}

function replacesOf({ coalesceKey, subject }: NewEvent): string | null {
  return coalesceKey === undefined || coalesceKey === subject ? null : coalesceKey
}

/** The work returns whether the event has a delivery. */
export function eventWork(dialect: Dialect): (event: NewEvent) => Work<boolean> {
  const { put, supersede, deliver, deliverTo } = eventStatements(dialect)
  return function* (event) {
    yield* change(put, eventRow(event, envelopeAround(event)))
    const superseded = supersededBy(event)
    if (superseded) yield* change(supersede, superseded)
    const values = deliveryOf(event)
    const reported = yield* change(deliver, values)
    if (event.alsoTo === undefined) return reported > 0
    return reported + (yield* change(deliverTo, [...values, event.alsoTo])) > 0
  }
}

export const writeSettlement = (entry: SettlementEntry): Work<void> => insert(settlements, entry)

// Whether a subscription may still see a charge point: in SQL, for event and send time (HOOK-S3).

/**
 * True for an account's subscription; for a grant's while the grant lives, covers the scopes and shares the charge
 * point (HOOK-E4). What was shared of a removed charge point until then is still sent.
 * @param subscription alias of the table @param time SQL, where a shared event is sent later
 */
export const sharedWith = (
  { holds }: Dialect,
  subscription: string,
  chargePointId: string,
  type: string,
  time?: string,
): string => `(${subscription}.grant_id IS NULL
  OR EXISTS (SELECT 1 FROM grants AS g
    JOIN users AS u ON u.id = g.user_id JOIN oauth_clients AS c ON c.id = g.client_id
    WHERE g.id = ${subscription}.grant_id AND g.revoked_at IS NULL AND u.disabled_at IS NULL AND c.disabled_at IS NULL
      AND ${holds('g.scopes', `'sessions:read'`)} AND ${holds('g.scopes', `'webhooks:manage'`)}
      AND ${readable(holds, type)}
      AND (g.charge_points = '"all"' OR ${holds('g.charge_points', chargePointId)}
        ${time === undefined ? '' : `OR (g.updated_at <= ${time} AND NOT ${OF_ACCOUNT(chargePointId)})`})))`

/** An undeclared type is read with the scope of its subject. */
function readable(holds: Dialect['holds'], type: string): string {
  const others = [...TYPES_READ_BY].filter(([by]) => by !== 'sessions:read' && by !== 'chargers:read')
  const special = others.map(([by, types]) => {
    const names = types.map((one) => `'${one.type}'`).join(', ')
    const allowed = by === 'account' ? '1 = 0' : `${holds('g.scopes', `'${by}'`)}${ACTING.includes(by) ? LETS_ACT : ''}`
    return `WHEN ${type} IN (${names}) THEN ${allowed}`
  })
  return `CASE ${special.join(' ')} WHEN substr(${type}, 1, 8) = 'session.' THEN 1 = 1
    ELSE ${holds('g.scopes', `'chargers:read'`)} END`
}

/** ADMIN-A3, as `scopesFor` has it. */
const LETS_ACT = ` AND (${[true, false]
  .map((isSelfRegistered) => {
    const roles = rolesThatLetAct({ isSelfRegistered }).map((role) => `'${role}'`)
    return `(u.role IN (${roles.join(', ')}) AND (c.origin = 'dynamic') = (1 = ${isSelfRegistered ? 1 : 0}))`
  })
  .join(' OR ')})`

const OF_ACCOUNT = (chargePointId: string): string =>
  `EXISTS (SELECT 1 FROM charge_points AS p WHERE p.id = ${chargePointId} AND p.account_id = g.account_id)`

/** Verbatim in every query about the end of a grant. */
export const GRANT_ENDED = `grant_id IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM grants WHERE grants.id = grant_id AND grants.revoked_at IS NULL)`
