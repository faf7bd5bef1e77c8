/** Subscriptions and deliveries as the API shows them. */
import { isoTime } from '../../commands/row.ts'
import type { Delivery, Subscription } from '../../storage/webhook-store.ts'
import { EVENT_TYPE } from '../../webhooks/envelope.ts'

export function representSubscription(subscription: Subscription): object {
  const { id, url, status, disabledReason, disabledAt, description, updates, chargePointIds } = subscription
  const { signatureScheme, verify, ratePerMinute, lastSuccessAt, lastError, consecutiveFailures, createdAt } =
    subscription
  return {
    id,
    url,
    status,
    ...(disabledReason !== undefined && { disabledReason }),
    ...(disabledAt !== undefined && { disabledAt: isoTime(disabledAt) }),
    ...(description !== undefined && { description }),
    events: [EVENT_TYPE],
    updates,
    ...(signatureScheme && { signatureScheme }),
    ...(verify && { verify }),
    ...(ratePerMinute !== undefined && { allowedRatePerMinute: ratePerMinute }),
    ...(chargePointIds && { filter: { evseControllerIds: chargePointIds } }),
    ...(lastSuccessAt !== undefined && { lastSuccessAt: isoTime(lastSuccessAt) }),
    ...(lastError !== undefined && { lastError }),
    ...(consecutiveFailures > 0 && { consecutiveFailures }),
    createdAt: isoTime(createdAt),
  }
}

export function representDelivery(delivery: Delivery): object {
  const { id, eventId, sessionId, kind, state, attempts, dueAt, createdAt, finishedAt } = delivery
  return {
    id,
    eventId,
    sessionId,
    kind,
    state,
    attempts,
    ...(state === 'pending' && { nextAttemptAt: isoTime(dueAt) }),
    createdAt: isoTime(createdAt),
    ...(finishedAt !== undefined && { finishedAt: isoTime(finishedAt) }),
  }
}
