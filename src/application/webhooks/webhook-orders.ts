/** Orders for a webhook: retry, replay, test, enable, disable (HOOK-S1, HOOK-S4, HOOK-R5); for API and console. */

import { declarationOf } from '../../domain/event-declaration.ts'
import { envelopeText } from '../../domain/events/emission.ts'
import { EVENTS } from '../../domain/events/registry.ts'
import { newUuid } from '../../domain/message-log/log-id.ts'
import { WINDOW_HINT } from '../../domain/message-log/search.ts'
import type { Limits } from '../../domain/ports/limits.ts'
import type { Refusal } from '../../domain/ports/refusal.ts'
import type { Delivery, DeliveryState, EventRecord, Subscription } from '../../domain/ports/storage-webhooks.ts'
import { noSuch, refuse, refuseFault } from '../../domain/refuse.ts'
import type { UseCaseContext } from '../context.ts'
import { minuteBudget } from './minute-budget.ts'
import { ACTIVE_PER_OWNER, NO_WEBHOOK, TOO_MANY_WEBHOOKS } from './of-owner.ts'

/** HOOK-S4. */
const TESTS_PER_MINUTE = 10

export interface Replayed {
  readonly replayed: number
}

/** An order that cannot be followed changes nothing. */
export interface WebhookOrders {
  redeliver(subscription: Subscription, deliveryId: string): Promise<Delivery | Refusal>
  replay(
    subscription: Subscription,
    window: { readonly from: number; readonly to: number; readonly state?: DeliveryState | undefined },
  ): Promise<Replayed | Refusal>
  test(subscription: Subscription): Promise<Delivery | Refusal>
  enable(subscription: Subscription, resume: 'held' | 'skip'): Promise<Subscription | Refusal>
  /** Events are held from now on. What is disabled already stays so, for its first reason. */
  disable(subscription: Subscription, by: 'owner' | 'operator'): Promise<Subscription | Refusal>
}

export interface WebhookOrderContext extends Pick<UseCaseContext, 'writes' | 'now' | 'random'> {
  readonly limits: Limits
  readonly deliveries?: { wake(): void } | undefined
}

export function createWebhookOrders({ writes, now, random, limits, deliveries }: WebhookOrderContext): WebhookOrders {
  const spendTest = minuteBudget(
    limits,
    'webhook test',
    TESTS_PER_MINUTE,
    `A webhook takes ${TESTS_PER_MINUTE} tests a minute; wait a little.`,
  )
  return {
    async redeliver(subscription, deliveryId) {
      const refusal = refuseUnlessActive(subscription)
      if (refusal) return refusal
      const delivery = await writes.redeliver(subscription.id, deliveryId, now())
      if (!delivery) return noSuch('delivery')
      if (delivery === 'busy') return refuse(409, 'delivery_in_flight', 'The delivery is being sent just now.')
      deliveries?.wake()
      return delivery
    },
    async replay(subscription, { from, to, state }) {
      const refusal = refuseUnlessActive(subscription)
      if (refusal) return refusal
      if (from >= to) return refuseFault('/to', 'invalid_window', WINDOW_HINT)
      const window = { subscriptionId: subscription.id, from, to, now: now() }
      const replayed = await writes.replayDeliveries({ ...window, state })
      deliveries?.wake()
      return { replayed }
    },
    async test(subscription) {
      const refusal = refuseUnlessActive(subscription) ?? (await spendTest(subscription.id))
      if (refusal) return refusal
      const event = testEvent(subscription, now(), random)
      const delivery = await writes.createTestDelivery(subscription.id, event, now())
      if (!delivery) return NO_WEBHOOK
      deliveries?.wake()
      return delivery
    },
    async enable({ id, status }, resume) {
      if (status === 'revoked') return refuse(409, 'webhook_revoked', 'The grant behind this webhook has ended.')
      const enabled = await writes.enableSubscription(id, resume, now(), ACTIVE_PER_OWNER)
      if (enabled === 'too_many') return TOO_MANY_WEBHOOKS
      if (!enabled) return NO_WEBHOOK
      deliveries?.wake()
      return enabled
    },
    async disable(subscription, by) {
      const refusal = refuseUnlessActive(subscription)
      if (refusal) return refusal
      return (await writes.disableSubscription(subscription.id, by, now())) ?? NO_WEBHOOK
    },
  }
}

function refuseUnlessActive({ status, disabledReason }: Subscription): Refusal | undefined {
  if (status === 'active') return undefined
  const why = disabledReason === undefined ? '' : ` (${disabledReason})`
  return refuse(409, `webhook_${status}`, `The webhook is ${status}${why}; enable it first.`)
}

function testEvent(
  { accountId, chargePointIds, events: [type = ''] }: Subscription,
  now: number,
  random: (bytes: number) => Buffer,
): EventRecord {
  const id = newUuid(now, random)
  const chargePointId = chargePointIds?.[0] ?? 'TEST'
  const madeUp = { id: `test_${random(8).toString('hex')}`, accountId, chargePointId, now }
  const event = declarationOf(EVENTS, type).madeUp(madeUp)
  const body = envelopeText(id, now, event)
  const { type: name, subject } = event
  return { id, accountId, type: name, subject, chargePointId, kind: 'transition', time: now, body, causes: [] }
}
