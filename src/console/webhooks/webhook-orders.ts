import type { Delivery, Subscription } from '../../domain/ports/storage-webhooks.ts'
import { refuse, refuseFault } from '../../domain/refuse.ts'
import type { ConsolePage, OperatorContext } from '../console-parts.ts'
import { inZone } from '../local-time.ts'
import { ordering } from '../visit.tsx'
import { actionOf, deliveryIdOf, ownWebhook, webhookOfAccount } from './webhook-visit.ts'

const MINUTES = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/

export function sendTest({ webhookOrders }: OperatorContext): ConsolePage {
  return ordering('administrator', actionOf, async (visit) => {
    const subscription = await ownWebhook(visit)
    if ('refused' in subscription) return subscription
    const delivery = await webhookOrders.test(subscription)
    return 'refused' in delivery ? delivery : deliveryPath(subscription, delivery)
  })
}

export function disable({ webhookOrders }: OperatorContext): ConsolePage {
  return ordering('administrator', actionOf, async (visit) => {
    const subscription = await webhookOfAccount(visit)
    if ('refused' in subscription) return subscription
    const by = subscription.grantId === undefined ? 'owner' : 'operator'
    const disabled = await webhookOrders.disable(subscription, by)
    return 'refused' in disabled ? disabled : pathOf(disabled)
  })
}

export function enable({ webhookOrders }: OperatorContext): ConsolePage {
  return ordering('administrator', actionOf, async (visit, form) => {
    const subscription = await webhookOfAccount(visit)
    if ('refused' in subscription) return subscription
    if (!mayEnable(subscription)) {
      return refuse(409, 'webhook_disabled', 'It is the application that enables this webhook again.')
    }
    const resume = form.get('resume')
    if (resume !== 'held' && resume !== 'skip') {
      return refuseFault('/resume', 'invalid_value', 'must be held or skip')
    }
    const enabled = await webhookOrders.enable(subscription, resume)
    return 'refused' in enabled ? enabled : pathOf(enabled)
  })
}

/** The operator can only take back the operator's own word, not what the application knows of its receiver. */
export function mayEnable({ grantId, status, disabledReason }: Subscription): boolean {
  return status === 'disabled' && (grantId === undefined || disabledReason === 'operator')
}

export function replay({ webhookOrders }: OperatorContext): ConsolePage {
  return ordering('administrator', actionOf, async (visit, form) => {
    const subscription = await ownWebhook(visit)
    if ('refused' in subscription) return subscription
    const since = form.get('since') ?? ''
    const from = MINUTES.test(since) ? Date.parse(inZone(since, visit.frame.timeZone)) : Number.NaN
    if (Number.isNaN(from)) {
      return refuseFault('/since', 'invalid_value', 'must be a time such as 2026-08-01T12:00')
    }
    // Whatever is recorded until now, this millisecond included.
    const order = await webhookOrders.replay(subscription, { from, to: visit.site.now() + 1 })
    return 'refused' in order ? order : `${pathOf(subscription)}?replayed=${order.replayed}`
  })
}

export function resend({ webhookOrders }: OperatorContext): ConsolePage {
  return ordering('administrator', actionOf, async (visit) => {
    const subscription = await ownWebhook(visit)
    if ('refused' in subscription) return subscription
    const delivery = await webhookOrders.redeliver(subscription, deliveryIdOf(visit.context))
    return 'refused' in delivery ? delivery : deliveryPath(subscription, delivery)
  })
}

function deliveryPath(subscription: Subscription, { id }: Delivery): string {
  return `${pathOf(subscription)}/deliveries/${encodeURIComponent(id)}`
}

function pathOf({ id }: Subscription): string {
  return `/webhooks/${encodeURIComponent(id)}`
}
