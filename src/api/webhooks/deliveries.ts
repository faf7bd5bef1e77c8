/** Deliveries of a webhook: the log, once more, replay, test (HOOK-S1, HOOK-S4, HOOK-B2). */

import { json as described, PAGE_DEFAULT } from '../../application/schemas/common.ts'
import { logIdToUuid } from '../../domain/message-log/log-id.ts'
import { isoTime } from '../../domain/message-log/shown-command.ts'
import { sees, sharedChargePoints } from '../access/access.ts'
import type { Principal } from '../access/principal.ts'
import type { Api } from '../api-parts.ts'
import { listQuery, openCursor } from '../list-page.ts'
import { notFound } from '../problem.ts'
import { windowFaults } from '../requests/validation.ts'
import { json, orRefused } from '../respond.ts'
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

export function addDeliveries(api: Api): void {
  addList(api)
  addDetail(api)
  addRedelivery(api)
  addReplay(api)
  addTest(api)
}

type FoundDelivery = NonNullable<Awaited<ReturnType<Api['reads']['findDelivery']>>>

/** @throws Problem 404, the same for an unknown id and for an event that the grant does not share any more (OIDC-C7) */
async function visibleDelivery(
  { reads }: Pick<Api, 'reads'>,
  principal: Principal,
  subscriptionId: string,
  deliveryId: string,
): Promise<FoundDelivery> {
  const found = await reads.findDelivery(subscriptionId, deliveryId)
  if (!found) throw notFound('delivery')
  const { accountId, chargePointId } = found.event
  if (found.delivery.kind !== 'test' && !sees(principal, { accountId, id: chargePointId })) throw notFound('delivery')
  return found
}

function addList(api: Api): void {
  const { endpoints, reads, cursors, now } = api
  endpoints.add({
    method: 'get',
    path: `${PATH}/{webhookId}/deliveries`,
    operationId: 'listDeliveries',
    tag: TAG,
    summary: 'List deliveries of a webhook, newest first',
    access: ACCESS,
    params: webhookParams,
    query: deliveryQuery,
    responses: { 200: described(DeliveryListSchema, 'A page of deliveries') },
    async handle({ principal, params, query }) {
      const subscription = await ownSubscription(api, principal, params.webhookId)
      const { id } = subscription
      const { state, limit = PAGE_DEFAULT, cursor } = query
      const bound = listQuery(`deliveries of ${id}`, principal, query)
      const below = cursor === undefined ? undefined : openCursor(api, cursor, bound, '?cursor')[0]
      const chargePointIds = sharedChargePoints(principal)
      const found = await reads.listDeliveries({
        subscriptionId: id,
        ...(chargePointIds && { chargePointIds }),
        ...(state && { state }),
        ...(typeof below === 'number' && { belowPosition: below }),
        limit: limit + 1,
      })
      const rows = found.slice(0, limit)
      const last = found.length > limit ? rows.at(-1) : undefined
      const nextCursor = last && cursors.seal([last.position], bound, now())
      return json({ data: rows.map((row) => representDelivery(row, subscription, now())), meta: { nextCursor } })
    },
  })
}

function addDetail(api: Api): void {
  const { endpoints, salt, now } = api
  endpoints.add({
    method: 'get',
    path: `${PATH}/{webhookId}/deliveries/{deliveryId}`,
    operationId: 'getDelivery',
    tag: TAG,
    summary: 'Get a delivery with its attempts',
    access: ACCESS,
    params: deliveryParams,
    responses: { 200: described(DeliveryDetailSchema, 'The delivery') },
    async handle({ principal, params }) {
      const subscription = await ownSubscription(api, principal, params.webhookId)
      const { delivery, event, attempts } = await visibleDelivery(api, principal, subscription.id, params.deliveryId)
      return json({
        ...representDelivery(delivery, subscription, now()),
        event: JSON.parse(event.body) as unknown,
        causes: event.causes.map((cause) => logIdToUuid(cause, salt)),
        attemptLog: attempts.map((attempt) => ({ ...attempt, at: isoTime(attempt.at) })),
      })
    },
  })
}

function addRedelivery(api: Api): void {
  api.endpoints.add({
    method: 'post',
    path: `${PATH}/{webhookId}/deliveries/{deliveryId}/redeliver`,
    operationId: 'redeliver',
    tag: TAG,
    summary: 'Redeliver an event with the same id and body',
    description:
      'At once, also while the webhook is paused (pausedUntil). A whole schedule of attempts begins; Webhook-Attempt counts on.',
    access: ACCESS,
    params: deliveryParams,
    idempotent: 'optional',
    responses: { 202: described(DeliverySchema, 'The delivery, due now') },
    async handle({ principal, params }) {
      const subscription = await ownSubscription(api, principal, params.webhookId)
      await visibleDelivery(api, principal, subscription.id, params.deliveryId)
      const delivery = orRefused(await api.webhookOrders.redeliver(subscription, params.deliveryId))
      return json(representDelivery(delivery, subscription, api.now()), 202)
    },
  })
}

function addReplay(api: Api): void {
  api.endpoints.add({
    method: 'post',
    path: `${PATH}/{webhookId}/replay`,
    operationId: 'replayDeliveries',
    tag: TAG,
    summary: 'Redeliver all events of a time window',
    description:
      'Deliveries that are over, of all states or of one; each keeps its ids and body and begins a whole schedule of attempts. They wait for the end of a pause (pausedUntil).',
    access: ACCESS,
    params: webhookParams,
    body: ReplaySchema,
    inspect: ({ body }) => ({ faults: windowFaults(body, '/to') }),
    problems: [409],
    responses: { 202: described(ReplayedSchema, 'How many are due now') },
    async handle({ principal, params, body }) {
      const subscription = await ownSubscription(api, principal, params.webhookId)
      return json(orRefused(await api.webhookOrders.replay(subscription, body)), 202)
    },
  })
}

function addTest(api: Api): void {
  api.endpoints.add({
    method: 'post',
    path: `${PATH}/{webhookId}/test`,
    operationId: 'testWebhook',
    tag: TAG,
    summary: 'Send a test event to a webhook',
    description:
      'The first type of its events, with a made-up subject (a session.updated whose data.id begins with test_) and the header Webhook-Test: true, signed and sent like every other, also while the webhook is paused (pausedUntil).',
    access: ACCESS,
    params: webhookParams,
    problems: [409, 429],
    responses: { 202: described(DeliverySchema, 'The delivery') },
    async handle({ principal, params }) {
      const subscription = await ownSubscription(api, principal, params.webhookId)
      const delivery = orRefused(await api.webhookOrders.test(subscription))
      return json(representDelivery(delivery, subscription, api.now()), 202)
    },
  })
}
