import { subjectMember } from '../../application/schemas/webhooks.ts'
import { nextAttemptAt, pauseEnd } from '../../application/webhooks/pause.ts'
import { EVENTS } from '../../domain/events/registry.ts'
import { isoTime } from '../../domain/iso-time.ts'
import type { Delivery, Subscription } from '../../domain/ports/storage-webhooks.ts'

export function representSubscription(subscription: Subscription, now: number): object {
  const { id, url, status, disabledReason, disabledAt, description, updates, chargePointIds } = subscription
  const { signatureScheme, verify, ratePerMinute, lastSuccessAt, lastError, consecutiveFailures, createdAt } =
    subscription
  const pausedUntil = pauseEnd(subscription, now)
  return {
    id,
    url,
    status,
    disabledReason,
    disabledAt: isoTime(disabledAt),
    pausedUntil: isoTime(pausedUntil),
    description,
    events: subscription.events,
    updates,
    signatureScheme,
    verify,
    allowedRatePerMinute: ratePerMinute,
    ...(chargePointIds && { filter: { evseControllerIds: chargePointIds } }),
    lastSuccessAt: isoTime(lastSuccessAt),
    lastError,
    ...(consecutiveFailures > 0 && { consecutiveFailures }),
    createdAt: isoTime(createdAt),
  }
}

export function representDelivery(delivery: Delivery, subscription: Subscription, now: number): object {
  const { id, eventId, type, subject, kind, state, attempts, createdAt, finishedAt } = delivery
  return {
    id,
    eventId,
    ...subjectMember(EVENTS, type, subject),
    kind,
    state,
    attempts,
    ...(state === 'pending' && { nextAttemptAt: isoTime(nextAttemptAt(delivery, subscription, now)) }),
    createdAt: isoTime(createdAt),
    finishedAt: isoTime(finishedAt),
  }
}
