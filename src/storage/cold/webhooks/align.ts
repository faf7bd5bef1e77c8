/**
 * Waiting deliveries follow their webhook step by step; claims.ts takes only active webhooks', so the row decides at
 * once.
 */
import type { WebhookWrites } from '../../../domain/ports/storage-webhooks.ts'
import { change, type Run, type Tours, value, type Work } from '../work.ts'
import { IN_STEP, inSteps } from './in-steps.ts'
import { anew } from './rows.ts'

const changeTo = (to: string, condition: string): string =>
  `UPDATE webhook_deliveries SET ${to} WHERE ${IN_STEP} AND ${condition}`
const webhook = (status: string): string =>
  `EXISTS (SELECT 1 FROM webhook_subscriptions WHERE id = @subscriptionId AND status ${status})`

const CHANGES = [
  changeTo(`state = 'held'`, `state = 'pending' AND ${webhook(`= 'disabled'`)}`),
  changeTo(`state = 'pending', ${anew('@now')}`, `state = 'held' AND ${webhook(`= 'active'`)}`),
  changeTo(
    `state = 'cancelled', finished_at = @now`,
    `state IN ('pending', 'held', 'in_flight') AND NOT ${webhook(`<> 'revoked'`)}`,
  ),
]

/** The next webhook with deliveries, deleted or not: one index probe. */
const NEXT = 'SELECT min(subscription_id) FROM webhook_deliveries WHERE subscription_id > ?'

export function align(run: Run, subscriptionId: string, now: number): Promise<string | undefined> {
  return inSteps(
    run,
    subscriptionId,
    function* (step) {
      for (const each of CHANGES) yield* change(each, { ...step, now })
      return 0
    },
    () => nextAfter(subscriptionId),
  )
}

export const alignTours: Tours<Pick<WebhookWrites, 'alignDeliveries'>> = {
  async alignDeliveries(run, now, subscriptionId) {
    if (subscriptionId !== undefined) {
      await align(run, subscriptionId, now)
      return
    }
    let id = await run(() => nextAfter(''))
    while (id !== undefined) id = await align(run, id, now)
  },
}

function* nextAfter(subscriptionId: string): Work<string | undefined> {
  return (yield* value<string | null>(NEXT, [subscriptionId])) ?? undefined
}
