/** Subscriptions: create, read, change, delete, rotate the secret, enable again (HOOK-S1 to HOOK-S3, HOOK-R5). */

import { z } from '@hono/zod-openapi'
import { pageQuery } from '../../application/schemas/common.ts'
import {
  changeSubscription,
  deleteSubscription,
  minuteBudget,
  rotateSecret,
  subscribe,
} from '../../application/webhooks/subscribing.ts'
import { namesOf } from '../../domain/event-declaration.ts'
import { bodyForApplication, EVENTS } from '../../domain/events/registry.ts'
import { isoTime } from '../../domain/iso-time.ts'
import { logIdToUuid } from '../../domain/message-log/log-id.ts'
import type { ListedDelivery, Subscription, SubscriptionOwner } from '../../domain/ports/storage-webhooks.ts'
import { consentOf, consentRequest } from '../../webhooks/consent.ts'
import { uriOf } from '../../webhooks/sending/address-guard.ts'
import { systemResolve } from '../../webhooks/sending/resolve.ts'
import { createSender, type PostResult, SENDER_TIMEOUTS } from '../../webhooks/sending/sender.ts'
import { ownerOf, type Principal, sees, sharedChargePoints } from '../access/access.ts'
import type { Api } from '../api-parts.ts'
import { windowFaults } from '../requests/validation.ts'
import { type CursorKey, isNumber, pageOf, resource } from '../resource.ts'
import { notFound, orNotFound, orRefused, Problem, problemOfRefusal } from '../respond.ts'
import {
  addressFaults,
  isReadable,
  ownSubscription,
  representDelivery,
  representSubscription,
  requireEventScope,
  requireReachable,
} from './owner.ts'
import {
  ChangeWebhookSchema,
  CreateWebhookSchema,
  DeliveryDetailSchema,
  DeliveryListSchema,
  DeliverySchema,
  deliveryQuery,
  EnableWebhookSchema,
  ReplayedSchema,
  ReplaySchema,
  RotateSecretSchema,
  WebhookListSchema,
  WebhookSchema,
  WebhookWithSecretSchema,
  webhookParams,
} from './schemas.ts'

const COMMON = {
  tag: 'Webhooks',
  path: '/2/webhooks',
} as const
const OVERLAP_SECONDS = 86_400

export function webhookResource(api: Pick<Api, 'endpoints' | 'reads'>) {
  return resource(api, {
    ...COMMON,
    path: `${COMMON.path}/{webhookId}`,
    params: webhookParams,
    find: async ({ principal, params }) => ({
      subscription: await ownSubscription(api, principal, params.webhookId),
    }),
  })
}

export function addSubscriptions(api: Api): void {
  const askConsent = createConsent(api)
  addAll(api, askConsent)
  addOne(api, askConsent)
}

type AskConsent = ReturnType<typeof createConsent>

function addAll(api: Api, askConsent: AskConsent): void {
  const { reads, writes, random, now, settings } = api
  const webhooks = resource(api, COMMON)
  webhooks.post('', 'createWebhook', `Subscribe an address to ${namesOf(EVENTS).join(', ')}`, {
    description: 'The answer carries the signing secret; it is shown this once.',
    body: CreateWebhookSchema,
    inspect: ({ body }) => ({ faults: addressFaults(body) }),
    idempotent: 'optional',
    problems: [429],
    created: [WebhookWithSecretSchema, 'The webhook with its secret'],
    async handle({ principal, body }) {
      requireEventScope(principal, body.events)
      await requireReachable(api, body.url)
      const verified = body.verify && (await askConsent(ownerOf(principal), body.url))
      const { url, description, events, updates, signatureScheme, filter } = body
      const order = { url, description, events, updates, signatureScheme, chargePointIds: filter?.evseControllerIds }
      const parts = { writes, now, random, secretKey: settings.secretKey }
      const { subscription, secret } = orRefused(
        await subscribe(parts, ownerOf(principal), { ...order, consent: verified }),
      )
      return { ...representSubscription(subscription, now()), secret }
    },
  })
  webhooks.get('', 'listWebhooks', 'List webhooks, oldest first', {
    query: pageQuery,
    ok: [WebhookListSchema, 'A page of webhooks'],
    handle: (request) => {
      const owner = ownerOf(request.principal)
      return pageOf(api, request, {
        name: 'webhooks',
        bound: owner,
        isPlace: isTimeAndId,
        // As the list is sorted: the last one shown may be deleted by now.
        place: ({ createdAt, id }: Subscription) => [createdAt, id],
        async rows(limit, last) {
          const [time, lastId] = last ?? [0, '']
          const all = await reads.listSubscriptions(owner)
          const rest = all.filter(({ createdAt, id }) => createdAt > time || (createdAt === time && id > lastId))
          return rest.slice(0, limit)
        },
        show: (rows) => rows.map((row) => representSubscription(row, now())),
      })
    },
  })
}

function isTimeAndId(position: CursorKey): position is [number, string] {
  const [time, id] = position
  return typeof time === 'number' && typeof id === 'string'
}

function addOne(api: Api, askConsent: AskConsent): void {
  const { writes, now, random, settings } = api
  const webhook = webhookResource(api)
  webhook.get('', 'getWebhook', 'Get a webhook', {
    ok: [WebhookSchema, 'The webhook'],
    handle: async ({ subscription }) => representSubscription(subscription, now()),
  })
  webhook.patch('', 'changeWebhook', 'Change a webhook', {
    description:
      'A new URL applies from the next attempt; where consent is verified, its receiver is asked first. null removes an optional attribute.',
    body: ChangeWebhookSchema,
    inspect: ({ body }) => ({ faults: addressFaults(body) }),
    problems: [409, 422, 429],
    ok: [WebhookSchema, 'The webhook'],
    holds: ({ subscription }) => subscription,
    async handle({ principal, subscription, body: { filter, events, ...change } }) {
      requireEventScope(principal, events)
      if (change.url !== undefined) await requireReachable(api, change.url)
      const changed = await changeSubscription(api, subscription, {
        ...change,
        events,
        ...(await verification(subscription, change, (url) => askConsent(ownerOf(principal), url))),
        chargePointIds: filter === undefined ? undefined : (filter?.evseControllerIds ?? null),
      })
      return representSubscription(orRefused(changed), now())
    },
  })
  webhook.delete('', 'deleteWebhook', 'Delete a webhook', {
    description: 'What was not delivered yet is cancelled.',
    done: 'Deleted',
    holds: ({ subscription }) => subscription,
    async handle({ subscription }) {
      const refusal = await deleteSubscription(api, subscription)
      if (refusal) throw problemOfRefusal(refusal)
    },
  })
  webhook.post('/rotate-secret', 'rotateWebhookSecret', 'Rotate the signing secret of a webhook', {
    description:
      'Until the overlap ends deliveries are signed with both: Webhook-Signature then has two values, newest first. A further rotation drops the oldest.',
    body: RotateSecretSchema,
    bodyOptional: true,
    ok: [WebhookWithSecretSchema, 'The webhook with its new secret'],
    holds: ({ subscription }) => subscription,
    async handle({ subscription: before, body }) {
      const overlapMs = (body?.overlapSeconds ?? OVERLAP_SECONDS) * 1000
      const parts = { writes, now, random, secretKey: settings.secretKey }
      const { subscription, secret } = orRefused(await rotateSecret(parts, before, overlapMs))
      return { ...representSubscription(subscription, now()), secret }
    },
  })
  webhook.post('/enable', 'enableWebhook', 'Enable a disabled webhook', {
    body: EnableWebhookSchema,
    problems: [409],
    ok: [WebhookSchema, 'The webhook'],
    holds: ({ subscription }) => subscription,
    async handle({ subscription, body }) {
      if (subscription.disabledReason === 'operator') throw disabledByOperator()
      const enabled = orRefused(await api.webhookOrders.enable(subscription, body.resume))
      return representSubscription(enabled, api.now())
    },
  })
}

/** The consent after a change: asked for anew with another URL, or where it was not asked before (HOOK-S6). */
async function verification(
  { url, verify }: Subscription,
  change: { readonly url?: string | undefined; readonly verify?: 'cloudevents' | null | undefined },
  ask: (url: string) => Promise<Verified>,
): Promise<Verified | { readonly verify: null; readonly ratePerMinute: null } | undefined> {
  if (change.verify === null) return { verify: null, ratePerMinute: null }
  const requested = change.verify ?? verify
  const asked = change.verify !== undefined || (change.url !== undefined && uriOf(change.url) !== url)
  return requested && asked ? ask(uriOf(change.url ?? url)) : undefined
}

function disabledByOperator(): Problem {
  const detail =
    'The operator of the charge points disabled this webhook on the dashboard, and only they can enable it, also there.'
  return new Problem(409, 'webhook_disabled', detail)
}

// Asking a receiver whether it wants our deliveries, where its subscription says so (HOOK-S6).

/** Per owner, like the tests of a webhook (HOOK-S4): it is a request to an address that did not agree to any yet. */
const QUESTIONS_PER_MINUTE = 10

interface Verified {
  readonly verify: 'cloudevents'
  readonly ratePerMinute: number | null
}

/** The returned function throws Problem 422 `consent_missing` or 429 `rate_limited`. */
function createConsent({
  limits,
  monotonic,
  after,
  resolve = systemResolve,
  settings,
}: Api): (owner: SubscriptionOwner, url: string) => Promise<Verified> {
  const origin = new URL(settings.baseUrl).hostname
  const spend = minuteBudget(
    limits,
    'consent',
    QUESTIONS_PER_MINUTE,
    'Too many receivers were asked for consent; wait a little.',
  )
  return async ({ accountId, grantId }, url) => {
    const refusal = await spend(grantId ?? accountId)
    if (refusal) throw problemOfRefusal(refusal)
    const allowPrivate = settings.webhookAllowPrivate ?? []
    const sender = createSender({ ...SENDER_TIMEOUTS, allowPrivate }, { monotonic, after }, resolve)
    try {
      const answered = await sender.send(consentRequest(url, origin, ''), new AbortController().signal)
      const consent = consentOf(origin, answered)
      if (!consent.given) throw missing(origin, consent.missing, answered)
      return { verify: 'cloudevents', ratePerMinute: consent.ratePerMinute ?? null }
    } finally {
      await sender.close()
    }
  }
}

function missing(origin: string, what: 'origin' | 'rate', { status, error }: PostResult): Problem {
  const answer = status === undefined ? `gave no answer (${error ?? 'unknown'})` : `answered ${status} without it`
  const detail =
    what === 'origin'
      ? `The receiver must answer OPTIONS with WebHook-Allowed-Origin: ${origin} (or *); it ${answer}.`
      : 'The receiver’s WebHook-Allowed-Rate must be a whole number of requests per minute, at least 1, or *.'
  return new Problem(422, 'consent_missing', detail, {
    errors: [{ pointer: '/url', code: 'consent_missing', message: 'leads to a receiver that did not consent' }],
  })
}

// Deliveries of a webhook: the log, once more, replay, test (HOOK-S1, HOOK-S4, HOOK-B2).

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
