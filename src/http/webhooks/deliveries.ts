/** Deliveries of a webhook: the log, once more, replay, test (S1, S4, B2). */

import { logIdToUuid } from '../../commands/log-id.ts'
import { isoTime } from '../../commands/row.ts'
import { newUuid } from '../../commands/uuid.ts'
import type { SessionEvent } from '../../storage/store.ts'
import type { Subscription } from '../../storage/webhook-store.ts'
import { envelopeText } from '../../webhooks/envelope.ts'
import { listQuery, openCursor } from '../pages.ts'
import type { Api } from '../parts.ts'
import { invalidRequest, notFound, Problem } from '../problem.ts'
import { type Bucket, refill, secondsUntil } from '../rate-limit.ts'
import { json } from '../respond.ts'
import { json as described, PAGE_DEFAULT } from '../schemas/common.ts'
import { ownSubscription } from './owner.ts'
import { representDelivery } from './represent.ts'
import {
  DeliveryDetailSchema,
  DeliveryListSchema,
  DeliverySchema,
  deliveryParams,
  deliveryQuery,
  ReplayedSchema,
  ReplaySchema,
  webhookParams,
} from './schemas.ts'
import { ACCESS, PATH, TAG } from './subscriptions.ts'

/** S4. */
const TESTS_PER_MINUTE = 10

export function addDeliveries(api: Api): void {
  addList(api)
  addDetail(api)
  addRedelivery(api)
  addReplay(api)
  addTest(api)
}

function addList(api: Api): void {
  const { endpoints, reads, cursors, now } = api
  endpoints.add({
    method: 'get',
    path: `${PATH}/{webhookId}/deliveries`,
    operationId: 'listDeliveries',
    tag: TAG,
    summary: 'Deliveries of a webhook, newest first',
    access: ACCESS,
    params: webhookParams,
    query: deliveryQuery,
    responses: { 200: described(DeliveryListSchema, 'A page of deliveries') },
    async handle({ principal, params, query }) {
      const { id } = await ownSubscription(api, principal, params.webhookId)
      const { state, limit = PAGE_DEFAULT, cursor } = query
      const bound = listQuery(`deliveries of ${id}`, principal, query)
      const below = cursor === undefined ? undefined : openCursor(api, cursor, bound, '?cursor')[0]
      const found = await reads.listDeliveries({
        subscriptionId: id,
        ...(state && { state }),
        ...(typeof below === 'number' && { belowPosition: below }),
        limit: limit + 1,
      })
      const rows = found.slice(0, limit)
      const last = found.length > limit ? rows.at(-1) : undefined
      const nextCursor = last && cursors.seal([last.position], bound, now())
      return json({ data: rows.map(representDelivery), meta: { nextCursor } })
    },
  })
}

function addDetail(api: Api): void {
  const { endpoints, reads, salt } = api
  endpoints.add({
    method: 'get',
    path: `${PATH}/{webhookId}/deliveries/{deliveryId}`,
    operationId: 'getDelivery',
    tag: TAG,
    summary: 'One delivery with its attempts',
    access: ACCESS,
    params: deliveryParams,
    responses: { 200: described(DeliveryDetailSchema, 'The delivery') },
    async handle({ principal, params }) {
      const { id } = await ownSubscription(api, principal, params.webhookId)
      const found = await reads.findDelivery(id, params.deliveryId)
      if (!found) throw notFound('delivery')
      const { delivery, event, attempts } = found
      return json({
        ...representDelivery(delivery),
        event: JSON.parse(event.body) as unknown,
        causes: event.causes.map((cause) => logIdToUuid(cause, salt)),
        attemptLog: attempts.map((attempt) => ({ ...attempt, at: isoTime(attempt.at) })),
      })
    },
  })
}

function addRedelivery(api: Api): void {
  const { endpoints, writes, now, deliveries } = api
  endpoints.add({
    method: 'post',
    path: `${PATH}/{webhookId}/deliveries/{deliveryId}/redeliver`,
    operationId: 'redeliver',
    tag: TAG,
    summary: 'Deliver once more, with the same ids and body',
    access: ACCESS,
    params: deliveryParams,
    idempotent: 'optional',
    responses: { 202: described(DeliverySchema, 'The delivery, due now') },
    async handle({ principal, params }) {
      const subscription = await ownSubscription(api, principal, params.webhookId)
      requireActive(subscription)
      const delivery = await writes.redeliver(subscription.id, params.deliveryId, now())
      if (!delivery) throw notFound('delivery')
      if (delivery === 'busy') throw new Problem(409, 'delivery_in_flight', 'The delivery is being sent just now.')
      deliveries?.wake()
      return json(representDelivery(delivery), 202)
    },
  })
}

function addReplay(api: Api): void {
  const { endpoints, writes, now, deliveries } = api
  endpoints.add({
    method: 'post',
    path: `${PATH}/{webhookId}/replay`,
    operationId: 'replayDeliveries',
    tag: TAG,
    summary: 'Deliver everything of a time window once more',
    description: 'Deliveries that are over, of all states or of one; each keeps its ids and body.',
    access: ACCESS,
    params: webhookParams,
    body: ReplaySchema,
    responses: { 202: described(ReplayedSchema, 'How many are due now') },
    async handle({ principal, params, body: { from, to, state } }) {
      const subscription = await ownSubscription(api, principal, params.webhookId)
      requireActive(subscription)
      if (from >= to) {
        throw invalidRequest([{ pointer: '/to', code: 'invalid_window', message: 'must be later than from' }])
      }
      const window = { subscriptionId: subscription.id, from, to, now: now() }
      const replayed = await writes.replayDeliveries({ ...window, ...(state && { state }) })
      deliveries?.wake()
      return json({ replayed }, 202)
    },
  })
}

function addTest(api: Api): void {
  const { endpoints, writes, now, random, deliveries } = api
  const buckets = new Map<string, Bucket>()
  const spend = (id: string): void => {
    const bucket = refill(buckets.get(id), TESTS_PER_MINUTE, now())
    if (bucket.level < 1) {
      throw new Problem(429, 'rate_limited', `A webhook takes ${TESTS_PER_MINUTE} tests a minute; wait a little.`, {
        headers: { 'retry-after': String(secondsUntil(bucket, 1, TESTS_PER_MINUTE)) },
      })
    }
    buckets.set(id, { ...bucket, level: bucket.level - 1 })
  }
  endpoints.add({
    method: 'post',
    path: `${PATH}/{webhookId}/test`,
    operationId: 'testWebhook',
    tag: TAG,
    summary: 'Send a synthetic event',
    description:
      'A session.updated whose data.id begins with test_, with the header Webhook-Test: true, signed and sent like every other.',
    access: ACCESS,
    params: webhookParams,
    responses: { 202: described(DeliverySchema, 'The delivery') },
    async handle({ principal, params }) {
      const subscription = await ownSubscription(api, principal, params.webhookId)
      requireActive(subscription)
      spend(subscription.id)
      const event = testEvent(subscription, now(), random)
      const delivery = await writes.createTestDelivery(subscription.id, event, now())
      if (!delivery) throw notFound('webhook')
      deliveries?.wake()
      return json(representDelivery(delivery), 202)
    },
  })
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
