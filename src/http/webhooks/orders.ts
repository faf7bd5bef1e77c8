/**
 * What may be ordered for a webhook: once more, replay, test, enable, disable (HOOK-S1, HOOK-S4, HOOK-R5). The API and
 * the dashboard ask here.
 */
import { newUuid } from '../../commands/uuid.ts'
import { envelopeText } from '../../events/envelope.ts'
import type { Writes } from '../../ports/storage.ts'
import type { Delivery, DeliveryState, SessionEvent, Subscription } from '../../ports/storage-webhooks.ts'
import type { Deliveries } from '../../webhooks/deliverer.ts'
import { notFound, Problem } from '../problem.ts'
import { requireWindow } from '../requests/validation.ts'
import { minuteBudget } from './minute-budget.ts'
import { ACTIVE_PER_OWNER, tooManyWebhooks } from './owner.ts'

/** HOOK-S4. */
const TESTS_PER_MINUTE = 10

/** Every order throws a Problem that says why it cannot be followed. */
export interface WebhookOrders {
  redeliver(subscription: Subscription, deliveryId: string): Promise<Delivery>
  /** @returns how many deliveries are due now */
  replay(
    subscription: Subscription,
    window: { readonly from: number; readonly to: number; readonly state?: DeliveryState | undefined },
  ): Promise<number>
  test(subscription: Subscription): Promise<Delivery>
  enable(subscription: Subscription, resume: 'held' | 'skip'): Promise<Subscription>
  /** Events are held from now on. What is disabled already stays so, for its first reason. */
  disable(subscription: Subscription, by: 'owner' | 'operator'): Promise<Subscription>
}

export interface WebhookOrderParts {
  readonly writes: Writes
  readonly now: () => number
  readonly random: (bytes: number) => Buffer
  readonly deliveries?: Pick<Deliveries, 'wake'> | undefined
}

/** One for the whole server: it also counts the tests. */
export function createWebhookOrders({ writes, now, random, deliveries }: WebhookOrderParts): WebhookOrders {
  const spendTest = minuteBudget(
    now,
    TESTS_PER_MINUTE,
    `A webhook takes ${TESTS_PER_MINUTE} tests a minute; wait a little.`,
  )
  return {
    async redeliver(subscription, deliveryId) {
      requireActive(subscription)
      const delivery = await writes.redeliver(subscription.id, deliveryId, now())
      if (!delivery) throw notFound('delivery')
      if (delivery === 'busy') throw new Problem(409, 'delivery_in_flight', 'The delivery is being sent just now.')
      deliveries?.wake()
      return delivery
    },
    async replay(subscription, { from, to, state }) {
      requireActive(subscription)
      requireWindow({ from, to }, '/to')
      const window = { subscriptionId: subscription.id, from, to, now: now() }
      const replayed = await writes.replayDeliveries({ ...window, ...(state && { state }) })
      deliveries?.wake()
      return replayed
    },
    async test(subscription) {
      requireActive(subscription)
      spendTest(subscription.id)
      const event = testEvent(subscription, now(), random)
      const delivery = await writes.createTestDelivery(subscription.id, event, now())
      if (!delivery) throw notFound('webhook')
      deliveries?.wake()
      return delivery
    },
    async enable({ id, status }, resume) {
      if (status === 'revoked') throw new Problem(409, 'webhook_revoked', 'The grant behind this webhook has ended.')
      const enabled = await writes.enableSubscription(id, resume, now(), ACTIVE_PER_OWNER)
      if (enabled === 'too_many') throw tooManyWebhooks()
      if (!enabled) throw notFound('webhook')
      deliveries?.wake()
      return enabled
    },
    async disable(subscription, by) {
      requireActive(subscription)
      const disabled = await writes.disableSubscription(subscription.id, by, now())
      if (!disabled) throw notFound('webhook')
      return disabled
    },
  }
}

function requireActive({ status, disabledReason }: Subscription): void {
  if (status === 'active') return
  const why = disabledReason === undefined ? '' : ` (${disabledReason})`
  throw new Problem(409, `webhook_${status}`, `The webhook is ${status}${why}; enable it first.`)
}

function testEvent(
  { accountId, chargePointIds }: Subscription,
  now: number,
  random: (bytes: number) => Buffer,
): SessionEvent {
  const id = newUuid(now, random)
  const chargePointId = chargePointIds?.[0] ?? 'TEST'
  const sessionId = `test_${random(8).toString('hex')}`
  const body = envelopeText(id, now, {
    id: sessionId,
    accountId,
    chargePointId,
    state: 'charging',
    energyMilliWh: 1_234_000,
    startedAt: now,
    createdAt: now,
    version: 1,
    flags: [],
  })
  return { id, accountId, sessionId, chargePointId, kind: 'transition', time: now, body, causes: [] }
}
