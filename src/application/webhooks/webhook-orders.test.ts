import { expect, it } from 'vitest'
import { aSubscription } from '../../../test/support/storage-contract/records.ts'
import type { DeliveryState } from '../../domain/ports/storage-webhooks.ts'
import { DELIVERY_STATES } from '../../domain/states.ts'
import { limitsInMemory } from '../../limits/limits.ts'
import { createWebhookOrders, type WebhookOrderContext, type WebhookOrders } from './subscribing.ts'

const active = aSubscription({ id: 'wh_1', secrets: [{ sealed: 'x' }], createdAt: 0 })

/** Writes that find nothing, and say so as the port does. */
function ordersOver(writes: Partial<WebhookOrderContext['writes']>): { orders: WebhookOrders; woken: () => number } {
  let woken = 0
  const orders = createWebhookOrders({
    writes: writes as WebhookOrderContext['writes'],
    now: () => 1000,
    random: (bytes) => Buffer.alloc(bytes, 7),
    limits: limitsInMemory(() => 1000),
    deliveries: { wake: () => void woken++ },
  })
  return { orders, woken: () => woken }
}

it.each<[string, Partial<WebhookOrderContext['writes']>, (orders: WebhookOrders) => Promise<unknown>, number, string]>([
  ['a missing delivery', { redeliver: async () => undefined }, (o) => o.redeliver(active, 'd'), 404, 'not_found'],
  [
    'HOOK-S4: one under way',
    { redeliver: async () => 'busy' },
    (o) => o.redeliver(active, 'd'),
    409,
    'delivery_in_flight',
  ],
  ['a window that ends before it begins', {}, (o) => o.replay(active, { from: 2, to: 2 }), 400, 'invalid_window'],
  ['a test of a deleted one', { createTestDelivery: async () => undefined }, (o) => o.test(active), 404, 'not_found'],
  ['HOOK-R5: a test of a disabled one', {}, (o) => o.test({ ...active, status: 'disabled' }), 409, 'webhook_disabled'],
  ['disabling it again', {}, (o) => o.disable({ ...active, status: 'disabled' }, 'owner'), 409, 'webhook_disabled'],
  ['enabling a revoked one', {}, (o) => o.enable({ ...active, status: 'revoked' }, 'held'), 409, 'webhook_revoked'],
  [
    'HOOK-S2: enabling one too many',
    { enableSubscription: async () => 'too_many' },
    (o) => o.enable(active, 'held'),
    409,
    'too_many_webhooks',
  ],
])('an order that cannot be followed is a refusal, and wakes nobody: %s', async (_, writes, order, status, code) => {
  const { orders, woken } = ordersOver(writes)
  expect(await order(orders)).toMatchObject({ refused: true, status, code })
  expect(woken()).toBe(0)
})

it('HOOK-S4: an order for a webhook that cannot be followed is refused with a value, and wakes nobody: the eleventh test within a minute says when the next one may come', async () => {
  const { orders } = ordersOver({ createTestDelivery: async () => undefined })
  for (let n = 0; n < 10; n++) await orders.test(active)
  expect(await orders.test(active)).toMatchObject({ status: 429, code: 'rate_limited', retryAfterSeconds: 6 })
})

it('a list of deliveries can be narrowed to every state that there is', () => {
  const states: Readonly<Record<DeliveryState, true>> = {
    pending: true,
    in_flight: true,
    succeeded: true,
    failed: true,
    held: true,
    superseded: true,
    cancelled: true,
  }
  expect([...DELIVERY_STATES]).toEqual(Object.keys(states))
})
