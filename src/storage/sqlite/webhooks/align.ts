/**
 * What waits follows its webhook. Only an active webhook's deliveries are claimed (claims.ts), so its row alone decides
 * at once, however long the backlog is; the backlog follows step by step, and after a kill with the next start.
 */
import type { Database } from 'better-sqlite3'
import type { WebhookWrites } from '../../../ports/storage-webhooks.ts'
import { IN_STEP, inSteps } from './in-steps.ts'
import { anew } from './rows.ts'

export type Align = WebhookWrites['alignDeliveries']

export function alignWrites(db: Database): { readonly alignDeliveries: Align } {
  const walk = inSteps(db)
  const change = (to: string, condition: string) =>
    db.prepare(`UPDATE webhook_deliveries SET ${to} WHERE ${IN_STEP} AND ${condition}`)
  const webhook = (status: string): string =>
    `EXISTS (SELECT 1 FROM webhook_subscriptions WHERE id = @subscriptionId AND status ${status})`
  const changes = [
    change(`state = 'held'`, `state = 'pending' AND ${webhook(`= 'disabled'`)}`),
    change(`state = 'pending', ${anew('@now')}`, `state = 'held' AND ${webhook(`= 'active'`)}`),
    change(
      `state = 'cancelled', finished_at = @now`,
      `state IN ('pending', 'held', 'in_flight') AND NOT ${webhook(`<> 'revoked'`)}`,
    ),
  ]
  /** The next webhook that deliveries were for, whether it is still there or not: one look into the index. */
  const next = db
    .prepare<[string], string | null>('SELECT min(subscription_id) FROM webhook_deliveries WHERE subscription_id > ?')
    .pluck()

  const align = (subscriptionId: string, now: number): Promise<number> =>
    walk(subscriptionId, (step) => {
      for (const each of changes) each.run({ ...step, now })
      return 0
    })
  return {
    async alignDeliveries(now, subscriptionId) {
      if (subscriptionId !== undefined) {
        await align(subscriptionId, now)
        return
      }
      for (let id = next.get(''); typeof id === 'string'; id = next.get(id)) await align(id, now)
    },
  }
}
