import { NO_WEBHOOK, subscriptionOf } from '../../application/webhooks/of-owner.ts'
import type { Refusal } from '../../domain/ports/refusal.ts'
import type { Subscription } from '../../domain/ports/storage-webhooks.ts'
import type { PageContext } from '../../web/site.ts'
import type { Visit } from '../visit.tsx'

/** The account's own: it may be given every order. Refuses with 404. */
export function ownWebhook({ site, context, accountId }: Visit): Promise<Subscription | Refusal> {
  return subscriptionOf(site, { accountId }, webhookIdOf(context))
}

/** Also one that a grant of the account owns: to be looked at and disabled. Refuses with 404. */
export async function webhookOfAccount({ site, context, accountId }: Visit): Promise<Subscription | Refusal> {
  const subscription = await site.reads.findSubscription(webhookIdOf(context))
  if (subscription?.accountId !== accountId) return NO_WEBHOOK
  return subscription
}

export function actionOf(context: PageContext): string {
  return `webhook ${webhookIdOf(context)}`
}

export function deliveryIdOf({ req }: PageContext): string {
  return req.param('deliveryId') ?? ''
}

function webhookIdOf({ req }: PageContext): string {
  return req.param('webhookId') ?? ''
}
