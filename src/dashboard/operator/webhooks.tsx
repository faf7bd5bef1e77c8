/** The account's webhooks: whether they work, what was delivered, and the orders that the API takes as well. */
import { invalidRequest } from '../../http/problem.ts'
import { subscriptionOf } from '../../http/webhooks/owner.ts'
import { DELIVERY_STATES } from '../../http/webhooks/schemas.ts'
import type { PageHandler } from '../../oidc/browser/app.ts'
import type { OidcContext } from '../../oidc/provider.ts'
import type { Reads } from '../../storage/store.ts'
import type { Subscription } from '../../storage/webhook-store.ts'
import { DeliveryPage } from './delivery-page.tsx'
import type { OperatorParts } from './parts.ts'
import { successRate } from './success-rate.ts'
import { ordering, showing, type Visit } from './visit.tsx'
import { type ShownWebhook, WebhookPage, WebhooksPage } from './webhooks-page.tsx'

const PAGE_LENGTH = 50
/** The success rate is that of the newest ones. */
const RECENT = 100
const MINUTES = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/

export const showWebhooks: PageHandler = showing('administrator', async ({ provider, frame, accountId }) => {
  const subscriptions = await provider.reads.listSubscriptions({ accountId })
  const webhooks = await Promise.all(subscriptions.map((subscription) => shown(provider.reads, subscription)))
  return <WebhooksPage frame={frame} webhooks={webhooks} />
})

export const showWebhook: PageHandler = showing('administrator', async (visit) => {
  const { provider, context, frame, csrf } = visit
  const subscription = await own(visit)
  const { state: wanted, below, replayed } = context.req.query()
  const state = DELIVERY_STATES.find((one) => one === wanted)
  const found = await provider.reads.listDeliveries({
    subscriptionId: subscription.id,
    ...(state && { state }),
    ...(isCount(below) && { belowPosition: Number(below) }),
    limit: PAGE_LENGTH + 1,
  })
  const deliveries = found.slice(0, PAGE_LENGTH)
  const last = found.length > PAGE_LENGTH ? deliveries.at(-1) : undefined
  return (
    <WebhookPage
      frame={frame}
      webhook={await shown(provider.reads, subscription)}
      csrf={csrf(actionOf(context))}
      deliveries={deliveries}
      {...(state && { state })}
      {...(last && { below: last.position })}
      {...(isCount(replayed) && { replayed: Number(replayed) })}
    />
  )
})

export const showDelivery: PageHandler = showing('administrator', async (visit) => {
  const { provider, context, frame, csrf } = visit
  const subscription = await own(visit)
  const found = await provider.reads.findDelivery(subscription.id, deliveryIdOf(context))
  if (!found) return undefined
  const { delivery, event, attempts } = found
  return (
    <DeliveryPage
      frame={frame}
      subscription={subscription}
      delivery={delivery}
      body={event.body}
      attempts={attempts}
      csrf={csrf(actionOf(context))}
    />
  )
})

export function sendTest({ webhookOrders }: OperatorParts): PageHandler {
  return ordering('administrator', actionOf, async (visit) => {
    const subscription = await own(visit)
    const { id } = await webhookOrders.test(subscription)
    return `${pathOf(subscription)}/deliveries/${encodeURIComponent(id)}`
  })
}

export function enable({ webhookOrders }: OperatorParts): PageHandler {
  return ordering('administrator', actionOf, async (visit, form) => {
    const subscription = await own(visit)
    const resume = form.get('resume')
    if (resume !== 'held' && resume !== 'skip') {
      throw invalidRequest([{ pointer: '/resume', code: 'invalid_value', message: 'must be held or skip' }])
    }
    await webhookOrders.enable(subscription, resume)
    return pathOf(subscription)
  })
}

export function replay({ webhookOrders }: OperatorParts): PageHandler {
  return ordering('administrator', actionOf, async (visit, form) => {
    const subscription = await own(visit)
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
    const subscription = await own(visit)
    const { id } = await webhookOrders.redeliver(subscription, deliveryIdOf(visit.context))
    return `${pathOf(subscription)}/deliveries/${encodeURIComponent(id)}`
  })
}

/** @throws Problem 404 */
function own({ provider, context, accountId }: Visit): Promise<Subscription> {
  return subscriptionOf(provider, { accountId }, webhookIdOf(context))
}

async function shown(reads: Reads, subscription: Subscription): Promise<ShownWebhook> {
  const recent = await reads.listDeliveries({ subscriptionId: subscription.id, limit: RECENT })
  return { subscription, rate: successRate(recent) }
}

/** A form's token is good for one webhook. */
function actionOf(context: OidcContext): string {
  return `webhook ${webhookIdOf(context)}`
}

function pathOf({ id }: Subscription): string {
  return `/webhooks/${encodeURIComponent(id)}`
}

function webhookIdOf({ req }: OidcContext): string {
  return req.param('webhookId') ?? ''
}

function deliveryIdOf({ req }: OidcContext): string {
  return req.param('deliveryId') ?? ''
}

function isCount(text: string | undefined): text is string {
  return text !== undefined && /^\d{1,15}$/.test(text)
}
