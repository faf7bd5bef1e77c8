/** What an owner has: its webhooks by id, and so many active ones (HOOK-S2). */
import type { Refusal } from '../../domain/ports/refusal.ts'
import type { Reads } from '../../domain/ports/storage.ts'
import type { Delivery, DeliveryState, Subscription, SubscriptionOwner } from '../../domain/ports/storage-webhooks.ts'
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

// What a receiver's Retry-After means for its webhook while it lasts (HOOK-R2, HOOK-R8). Pure.

/** When the pause ends; undefined when there is none. What is disabled is not paused: enabling ends a pause. */
export function pauseEnd({ status, pausedUntil }: Subscription, now: number): number | undefined {
  return status === 'active' && pausedUntil !== undefined && pausedUntil > now ? pausedUntil : undefined
}

/** When a pending delivery leaves at the earliest: a pause holds back all but what was ordered singly. */
export function nextAttemptAt({ dueAt, ordered }: Delivery, subscription: Subscription, now: number): number {
  return ordered ? dueAt : Math.max(dueAt, pauseEnd(subscription, now) ?? dueAt)
}

export const DELIVERY_STATES = [
  'pending',
  'in_flight',
  'succeeded',
  'failed',
  'held',
  'superseded',
  'cancelled',
] as const satisfies readonly DeliveryState[]
