/** What administrators order for a webhook: the API's orders for their own, disabling for those of applications. */
import { invalidRequest, Problem } from '../../http/problem.ts'
import type { PageHandler } from '../../oidc/browser/app.ts'
import type { Subscription } from '../../ports/storage-webhooks.ts'
import type { OperatorParts } from '../parts.ts'
import { ordering } from '../visit.tsx'
import { actionOf, deliveryIdOf, ownWebhook, webhookOfAccount } from './webhook-visit.ts'

const MINUTES = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/

export function sendTest({ webhookOrders }: OperatorParts): PageHandler {
  return ordering('administrator', actionOf, async (visit) => {
    const subscription = await ownWebhook(visit)
    const { id } = await webhookOrders.test(subscription)
    return `${pathOf(subscription)}/deliveries/${encodeURIComponent(id)}`
  })
}

export function disable({ webhookOrders }: OperatorParts): PageHandler {
  return ordering('administrator', actionOf, async (visit) => {
    const subscription = await webhookOfAccount(visit)
    await webhookOrders.disable(subscription, subscription.grantId === undefined ? 'owner' : 'operator')
    return pathOf(subscription)
  })
}

export function enable({ webhookOrders }: OperatorParts): PageHandler {
  return ordering('administrator', actionOf, async (visit, form) => {
    const subscription = await webhookOfAccount(visit)
    if (!mayEnable(subscription)) {
      throw new Problem(409, 'webhook_disabled', 'It is the application that enables this webhook again.')
    }
    const resume = form.get('resume')
    if (resume !== 'held' && resume !== 'skip') {
      throw invalidRequest([{ pointer: '/resume', code: 'invalid_value', message: 'must be held or skip' }])
    }
    await webhookOrders.enable(subscription, resume)
    return pathOf(subscription)
  })
}

/**
 * What an application's receiver is ready for the application knows; only the operator's own word is taken back here.
 */
export function mayEnable({ grantId, status, disabledReason }: Subscription): boolean {
  return status === 'disabled' && (grantId === undefined || disabledReason === 'operator')
}

export function replay({ webhookOrders }: OperatorParts): PageHandler {
  return ordering('administrator', actionOf, async (visit, form) => {
    const subscription = await ownWebhook(visit)
    const since = form.get('since') ?? ''
    const from = MINUTES.test(since) ? Date.parse(`${since}Z`) : Number.NaN
    if (Number.isNaN(from)) {
      const message = 'must be a time such as 2026-08-01T12:00, in UTC'
      throw invalidRequest([{ pointer: '/since', code: 'invalid_value', message }])
    }
    // Whatever is recorded until now, this millisecond included.
    const replayed = await webhookOrders.replay(subscription, { from, to: visit.provider.now() + 1 })
    return `${pathOf(subscription)}?replayed=${replayed}`
  })
}

export function resend({ webhookOrders }: OperatorParts): PageHandler {
  return ordering('administrator', actionOf, async (visit) => {
    const subscription = await ownWebhook(visit)
    const { id } = await webhookOrders.redeliver(subscription, deliveryIdOf(visit.context))
    return `${pathOf(subscription)}/deliveries/${encodeURIComponent(id)}`
  })
}

function pathOf({ id }: Subscription): string {
  return `/webhooks/${encodeURIComponent(id)}`
}
