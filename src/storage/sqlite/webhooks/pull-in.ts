/**
 * After the clock was put back: what waits keeps its distance from now, not its place on the clock's face (HOOK-F7).
 */
import { setImmediate } from 'node:timers/promises'
import type { Database } from 'better-sqlite3'
import type { WebhookWrites } from '../../../ports/storage-webhooks.ts'
import { putBack, type RateSpent } from '../../../webhooks/due/rate.ts'

/** A few milliseconds of work, as in in-steps.ts. */
const ROWS_PER_STEP = 500
const DAY_MS = 24 * 3600_000
/** Rows of older versions do not say what was planned: the longest of the schedule with its jitter (HOOK-R4). */
const LONGEST_DELAY_MS = 1.2 * DAY_MS

/** HOOK-F2: between what is older and the events that were recorded before anybody noticed the clock. */
const UNNOTICED_MS = 2000

interface Place {
  readonly dueAt: number
  readonly position: number
}

export function pullInWrites(db: Database): Pick<WebhookWrites, 'pullInDeliveries'> {
  const webhooks = db.prepare<[], string>('SELECT id FROM webhook_subscriptions').pluck()
  const behind = `subscription_id = @id AND state = 'pending' AND (due_at, position) > (@dueAt, @position)`
  const endOfStep = db.prepare<[object], Place>(`SELECT due_at AS dueAt, position FROM webhook_deliveries
    WHERE ${behind} ORDER BY due_at, position LIMIT 1 OFFSET ${ROWS_PER_STEP - 1}`)
  const planned = `coalesce(delay_ms, CASE attempts WHEN 0 THEN 0 ELSE ${LONGEST_DELAY_MS} END)`
  // Rows only move forwards in the order in which they are walked through: none is met twice.
  const pullIn = db.prepare(`UPDATE webhook_deliveries
    SET due_at = min(max(@now - ${UNNOTICED_MS}, due_at - @backMs), @now + ${planned})
    WHERE ${behind} AND (due_at, position) <= (@toDueAt, @toPosition) AND due_at > @now + @ahead * ${planned}`)
  const webhook = webhookPullIn(db)

  return {
    async pullInDeliveries(order) {
      webhook(order)
      for (const id of webhooks.all()) {
        let after: Place | undefined = { dueAt: order.now, position: Number.MAX_SAFE_INTEGER }
        while (after) {
          const to: Place | undefined = endOfStep.get({ id, ...after })
          const { dueAt: toDueAt, position: toPosition } = to ?? LAST
          // Unless it is known that the clock was put back, what keeps to its plan stays as it is.
          pullIn.run({ ...order, id, ...after, toDueAt, toPosition, ahead: order.backMs > 0 ? 0 : 1 })
          after = to
          await setImmediate()
        }
      }
    },
  }
}

const LAST: Place = { dueAt: Number.MAX_SAFE_INTEGER, position: Number.MAX_SAFE_INTEGER }

/** Webhooks are few, and so is what is in flight: at once. */
function webhookPullIn(db: Database): (order: { readonly now: number; readonly backMs: number }) => void {
  const pauses = db.prepare(`UPDATE webhook_subscriptions
    SET paused_until = min(max(@now, paused_until - @backMs), @now + coalesce(paused_for_ms, ${DAY_MS}))
    WHERE paused_until > @now`)
  const failing = db.prepare(`UPDATE webhook_subscriptions SET failing_since = min(@now, failing_since - @backMs)
    WHERE failing_since IS NOT NULL`)
  const leases = db.prepare(`UPDATE webhook_deliveries SET lease_until = lease_until - ? WHERE state = 'in_flight'`)
  const rates = db.prepare<[], { readonly id: string; readonly spent: string }>(
    'SELECT id, rate_spent AS spent FROM webhook_subscriptions WHERE rate_spent IS NOT NULL',
  )
  const setRate = db.prepare('UPDATE webhook_subscriptions SET rate_spent = ? WHERE id = ?')
  const all = db.transaction((order: { readonly now: number; readonly backMs: number }) => {
    pauses.run(order)
    failing.run(order)
    if (order.backMs === 0) return
    leases.run(order.backMs)
    for (const { id, spent } of rates.all()) {
      setRate.run(JSON.stringify(putBack(JSON.parse(spent) as RateSpent, order.backMs, order.now)), id)
    }
  })
  return (order) => {
    all.immediate(order)
  }
}
