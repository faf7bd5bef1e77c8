/** After the clock was set back: waiting deliveries keep their distance from now, not their time (HOOK-F7). */
import { setImmediate } from 'node:timers/promises'
import { putBack, type RateSpent } from '../../../domain/deliveries/lanes.ts'
import type { WebhookWrites } from '../../../domain/ports/storage-webhooks.ts'
import { all, change, column, type Dialect, first, type Tours, type Work } from '../work.ts'

/** A few milliseconds of work, as in subscriptions.ts. */
const ROWS_PER_STEP = 500
const DAY_MS = 24 * 3600_000
/** Rows of older versions lack the planned delay: assumes the schedule's longest with jitter (HOOK-R4). */
const MAX_DELAY_MS = 1.2 * DAY_MS

/** HOOK-F2: between older events and those recorded before the clock change was noticed. */
const UNNOTICED_MS = 2000

type PullInContext = {
  readonly dueAt: number
  readonly position: number
}

type Order = Parameters<WebhookWrites['pullInDeliveries']>[0]

const BEHIND = `subscription_id = @id AND state = 'pending' AND (due_at, position) > (@dueAt, @position)`
const END_OF_STEP = `SELECT due_at AS "dueAt", position AS "position" FROM webhook_deliveries
  WHERE ${BEHIND} ORDER BY due_at, position LIMIT 1 OFFSET ${ROWS_PER_STEP - 1}`
const PLANNED = `coalesce(delay_ms, CASE attempts WHEN 0 THEN 0 ELSE ${MAX_DELAY_MS} END)`

const LAST: PullInContext = { dueAt: Number.MAX_SAFE_INTEGER, position: Number.MAX_SAFE_INTEGER }

export function pullInTours(dialect: Dialect): Tours<Pick<WebhookWrites, 'pullInDeliveries'>> {
  const { greatest, least } = dialect
  // Rows only move forward in the order of the walk: none is visited twice.
  const pullIn = `UPDATE webhook_deliveries
    SET due_at = ${least(greatest('@noticedAt', 'due_at - @backMs'), `@now + ${PLANNED}`)}
    WHERE ${BEHIND} AND (due_at, position) <= (@toDueAt, @toPosition) AND due_at > @now + @ahead * ${PLANNED}`
  const webhooks = webhookPullIn(dialect)

  function* step(id: string, order: Order, after: PullInContext): Work<PullInContext | undefined> {
    const to = yield* first<PullInContext>(END_OF_STEP, { id, ...after })
    const { dueAt: toDueAt, position: toPosition } = to ?? LAST
    const noticedAt = order.now - UNNOTICED_MS
    // Unless the clock is known to have been set back, rows on schedule stay.
    const ahead = order.backMs > 0 ? 0 : 1
    yield* change(pullIn, { ...order, id, ...after, toDueAt, toPosition, noticedAt, ahead })
    return to
  }

  return {
    async pullInDeliveries(run, order) {
      for (const id of await run(() => webhooks(order))) {
        let after: PullInContext | undefined = { dueAt: order.now, position: Number.MAX_SAFE_INTEGER }
        while (after) {
          const place: PullInContext = after
          after = await run(() => step(id, order, place))
          await setImmediate()
        }
      }
    },
  }
}

const SET_RATE = 'UPDATE webhook_subscriptions SET rate_spent = ? WHERE id = ?'

/** Webhooks and deliveries in flight are few: changed at once. @returns all their ids */
function webhookPullIn({ greatest, least }: Dialect): (order: Order) => Work<readonly string[]> {
  const ends = least(greatest('@now', 'paused_until - @backMs'), `@now + coalesce(paused_for_ms, ${DAY_MS})`)
  const pauses = `UPDATE webhook_subscriptions SET paused_until = ${ends} WHERE paused_until > @now`
  const failing = `UPDATE webhook_subscriptions SET failing_since = ${least('@now', 'failing_since - @backMs')}
    WHERE failing_since IS NOT NULL`
  return function* (order) {
    yield* change(pauses, order)
    yield* change(failing, order)
    const ids = yield* column<string>('SELECT id FROM webhook_subscriptions')
    if (order.backMs === 0) return ids
    const leases = `UPDATE webhook_deliveries SET lease_until = lease_until - ? WHERE state = 'in_flight'`
    yield* change(leases, [order.backMs])
    const rates = yield* all<{ readonly id: string; readonly spent: string }>(
      'SELECT id, rate_spent AS spent FROM webhook_subscriptions WHERE rate_spent IS NOT NULL',
    )
    for (const { id, spent } of rates) {
      const put = putBack(JSON.parse(spent) as RateSpent, order.backMs, order.now)
      yield* change(SET_RATE, [JSON.stringify(put), id])
    }
    return ids
  }
}
