/** Deliveries of a webhook: the log, once more, replay, test (HOOK-S1, HOOK-S4, HOOK-B2). */

import { z } from '@hono/zod-openapi'
import { bodyForApplication } from '../../domain/events/registry.ts'
import { isoTime } from '../../domain/iso-time.ts'
import { logIdToUuid } from '../../domain/message-log/log-id.ts'
import type { ListedDelivery } from '../../domain/ports/storage-webhooks.ts'
import { sees, sharedChargePoints } from '../access/access.ts'
import type { Principal } from '../access/principal.ts'
import type { Api } from '../api-parts.ts'
import { isNumber, pageOf } from '../list-page.ts'
import { notFound, orNotFound } from '../problem.ts'
import { windowFaults } from '../requests/validation.ts'
import { orRefused } from '../respond.ts'
import { isReadable, representDelivery } from './owner.ts'
import {
  DeliveryDetailSchema,
  DeliveryListSchema,
  DeliverySchema,
  deliveryQuery,
  ReplayedSchema,
  ReplaySchema,
} from './schemas.ts'
import { webhookResource } from './subscriptions.ts'

/** @throws Problem 404, the same for an unknown id and for an event that the grant does not share any more (OIDC-C7) */
async function visibleDelivery(
  { reads }: Pick<Api, 'reads'>,
  principal: Principal,
  subscriptionId: string,
  deliveryId: string,
): Promise<NonNullable<Awaited<ReturnType<Api['reads']['findDelivery']>>>> {
  const found = orNotFound(await reads.findDelivery(subscriptionId, deliveryId), 'delivery')
  const { accountId, chargePointId, type, body } = found.event
  const isShared = sees(principal, { accountId, id: chargePointId }) && isReadable(principal, type)
  if (found.delivery.kind !== 'test' && !isShared) throw notFound('delivery')
  if (principal.kind === 'credential') return found
  return { ...found, event: { ...found.event, body: bodyForApplication(type, body) } }
}

export function addDeliveries(api: Api): void {
  const { reads, webhookOrders, salt, now } = api
  const webhook = webhookResource(api)
  webhook.get('/deliveries', 'listDeliveries', 'List deliveries of a webhook, newest first', {
    query: deliveryQuery,
    ok: [DeliveryListSchema, 'A page of deliveries'],
    handle: (request) => {
      const { subscription, query, principal } = request
      const { id: subscriptionId } = subscription
      const chargePointIds = sharedChargePoints(principal)
      return pageOf(api, request, {
        name: `deliveries of ${subscriptionId}`,
        isPlace: isNumber,
        place: ({ position }: ListedDelivery) => [position] as const,
        rows: (limit, last) =>
          reads.listDeliveries({
            subscriptionId,
            chargePointIds,
            state: query.state,
            limit,
            belowPosition: last?.[0],
          }),
        show: (rows) => rows.map((row) => representDelivery(row, subscription, now())),
      })
    },
  })
  const params = z.object({ deliveryId: z.string() })
  webhook.get('/deliveries/{deliveryId}', 'getDelivery', 'Get a delivery with its attempts', {
    params,
    ok: [DeliveryDetailSchema, 'The delivery'],
    async handle({ principal, subscription, params }) {
      const { delivery, event, attempts } = await visibleDelivery(api, principal, subscription.id, params.deliveryId)
      return {
        ...representDelivery(delivery, subscription, now()),
        event: JSON.parse(event.body) as unknown,
        causes: event.causes.map((cause) => logIdToUuid(cause, salt)),
        attemptLog: attempts.map((attempt) => ({ ...attempt, at: isoTime(attempt.at) })),
      }
    },
  })
  webhook.post('/deliveries/{deliveryId}/redeliver', 'redeliver', 'Redeliver an event with the same id and body', {
    description:
      'At once, also while the webhook is paused (pausedUntil). A whole schedule of attempts begins; Webhook-Attempt counts on.',
    params,
    idempotent: 'optional',
    accepted: [DeliverySchema, 'The delivery, due now'],
    holds: ({ subscription }) => subscription,
    async handle({ principal, subscription, params }) {
      await visibleDelivery(api, principal, subscription.id, params.deliveryId)
      const delivery = orRefused(await webhookOrders.redeliver(subscription, params.deliveryId))
      return representDelivery(delivery, subscription, now())
    },
  })
  webhook.post('/replay', 'replayDeliveries', 'Redeliver all events of a time window', {
    description:
      'Deliveries that are over, of all states or of one; each keeps its ids and body and begins a whole schedule of attempts. They wait for the end of a pause (pausedUntil).',
    body: ReplaySchema,
    inspect: ({ body }) => ({ faults: windowFaults(body, '/to') }),
    problems: [409],
    accepted: [ReplayedSchema, 'How many are due now'],
    holds: ({ subscription }) => subscription,
    handle: ({ subscription, body }) => webhookOrders.replay(subscription, body),
  })
  webhook.post('/test', 'testWebhook', 'Send a test event to a webhook', {
    description:
      'The first type of its events, with a made-up subject (a session.updated whose data.id begins with test_) and the header Webhook-Test: true, signed and sent like every other, also while the webhook is paused (pausedUntil).',
    problems: [409, 429],
    accepted: [DeliverySchema, 'The delivery'],
    holds: ({ subscription }) => subscription,
    handle: async ({ subscription }) =>
      representDelivery(orRefused(await webhookOrders.test(subscription)), subscription, now()),
  })
}
