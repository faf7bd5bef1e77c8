import type { Refusal } from '../../domain/ports/storage-records.ts'
import type { Delivery, Subscription } from '../../domain/ports/storage-webhooks.ts'
import { refuse, refuseFault } from '../../domain/refuse.ts'
import type { ConsolePage } from '../console-parts.ts'
import { inZone } from '../local-time.ts'
import { orderingOf, ownWebhook, pathOf, webhookOfAccount } from './webhook-facts.tsx'

const MINUTES = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/
const BELOW_CONSOLE = { root: '' }

export const sendTest: ConsolePage = orderingOf(ownWebhook, async ({ site: { webhookOrders } }, subscription) =>
  toDelivery(subscription, await webhookOrders.test(subscription)),
)

export const disable: ConsolePage = orderingOf(webhookOfAccount, async ({ site: { webhookOrders } }, subscription) =>
  toWebhook(await webhookOrders.disable(subscription, subscription.grantId === undefined ? 'owner' : 'operator')),
)

export const enable: ConsolePage = orderingOf(
  webhookOfAccount,
  async ({ site: { webhookOrders } }, subscription, form) => {
    if (!mayEnable(subscription)) {
      return refuse(409, 'webhook_disabled', 'It is the application that enables this webhook again.')
    }
    const resume = form.get('resume')
    if (resume !== 'held' && resume !== 'skip') {
      return refuseFault('/resume', 'invalid_value', 'must be held or skip')
    }
    return toWebhook(await webhookOrders.enable(subscription, resume))
  },
)

/** The operator can only take back the operator's own order, not what the application knows of its receiver. */
export function mayEnable({ grantId, status, disabledReason }: Subscription): boolean {
  return status === 'disabled' && (grantId === undefined || disabledReason === 'operator')
}

export const replay: ConsolePage = orderingOf(ownWebhook, async ({ frame, site }, subscription, form) => {
  const since = form.get('since') ?? ''
  const from = MINUTES.test(since) ? Date.parse(inZone(since, frame.timeZone)) : Number.NaN
  if (Number.isNaN(from)) return refuseFault('/since', 'invalid_value', 'must be a time such as 2026-08-01T12:00')
  // Everything recorded until now, this millisecond included.
  const order = await site.webhookOrders.replay(subscription, { from, to: site.now() + 1 })
  return 'refused' in order ? order : `${pathOf(BELOW_CONSOLE, subscription)}?replayed=${order.replayed}`
})

export const resend: ConsolePage = orderingOf(ownWebhook, async ({ context, site: { webhookOrders } }, subscription) =>
  toDelivery(subscription, await webhookOrders.redeliver(subscription, context.req.param('deliveryId') ?? '')),
)

function toDelivery(subscription: Subscription, made: Delivery | Refusal): string | Refusal {
  return 'refused' in made ? made : `${pathOf(BELOW_CONSOLE, subscription)}/deliveries/${encodeURIComponent(made.id)}`
}

function toWebhook(done: Subscription | Refusal): string | Refusal {
  return 'refused' in done ? done : pathOf(BELOW_CONSOLE, done)
}
