/** What an owner has: its webhooks by id, and so many active ones (HOOK-S2). */
import type { Refusal } from '../../domain/ports/refusal.ts'
import type { Reads } from '../../domain/ports/storage.ts'
import type { Subscription, SubscriptionOwner } from '../../domain/ports/storage-webhooks.ts'
import { noSuch, refuse } from '../../domain/refuse.ts'

/** HOOK-S2, whether made or enabled again. */
export const ACTIVE_PER_OWNER = 16

export const TOO_MANY_WEBHOOKS: Refusal = refuse(
  409,
  'too_many_webhooks',
  `There are ${ACTIVE_PER_OWNER} active webhooks already; delete one first, or use a filter.`,
)

export const NO_WEBHOOK: Refusal = noSuch('webhook')

/** Refuses with 404, the same for an unknown id and for one of another owner. */
export async function subscriptionOf(
  { reads }: { readonly reads: Pick<Reads, 'findSubscription'> },
  { accountId, grantId }: SubscriptionOwner,
  id: string,
): Promise<Subscription | Refusal> {
  const subscription = await reads.findSubscription(id)
  if (subscription?.accountId !== accountId || subscription.grantId !== grantId) return NO_WEBHOOK
  return subscription
}
