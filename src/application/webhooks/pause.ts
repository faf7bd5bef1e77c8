/** What a receiver's Retry-After means for its webhook while it lasts (HOOK-R2, HOOK-R8). Pure. */
import type { Delivery, Subscription } from '../../domain/ports/storage-webhooks.ts'

/** When the pause ends; undefined when there is none. What is disabled is not paused: enabling ends a pause. */
export function pauseEnd({ status, pausedUntil }: Subscription, now: number): number | undefined {
  return status === 'active' && pausedUntil !== undefined && pausedUntil > now ? pausedUntil : undefined
}

/** When a pending delivery leaves at the earliest: a pause holds back all but what was ordered singly. */
export function nextAttemptAt({ dueAt, ordered }: Delivery, subscription: Subscription, now: number): number {
  return ordered ? dueAt : Math.max(dueAt, pauseEnd(subscription, now) ?? dueAt)
}
