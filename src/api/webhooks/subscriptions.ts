/** Subscriptions: create, read, change, delete, rotate the secret, enable again (HOOK-S1 to HOOK-S3, HOOK-R5). */

import { pageQuery } from '../../application/schemas/common.ts'
import { minuteBudget } from '../../application/webhooks/minute-budget.ts'
import {
  changeSubscription,
  deleteSubscription,
  rotateSecret,
  subscribe,
} from '../../application/webhooks/subscribing.ts'
import { namesOf } from '../../domain/event-declaration.ts'
import { EVENTS } from '../../domain/events/registry.ts'
import type { Subscription, SubscriptionOwner } from '../../domain/ports/storage-webhooks.ts'
import { consentOf, consentRequest } from '../../webhooks/consent.ts'
import { uriOf } from '../../webhooks/sending/address-guard.ts'
import { systemResolve } from '../../webhooks/sending/resolve.ts'
import { createSender, type PostResult, SENDER_TIMEOUTS } from '../../webhooks/sending/sender.ts'
import { ownerOf } from '../access/principal.ts'
import type { Api } from '../api-parts.ts'
import { type CursorKey, pageOf } from '../list-page.ts'
import { Problem, problemOfRefusal } from '../problem.ts'
import { resource } from '../resource.ts'
import { orRefused } from '../respond.ts'
import { addressFaults, ownSubscription, representSubscription, requireEventScope, requireReachable } from './owner.ts'
import {
  ChangeWebhookSchema,
  CreateWebhookSchema,
  EnableWebhookSchema,
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
