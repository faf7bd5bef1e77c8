/** Subscriptions: create, read, change, delete, rotate the secret, enable again (HOOK-S1 to HOOK-S3, HOOK-R5). */

import { json as described, located, PAGE_DEFAULT } from '../../application/schemas/common.ts'
import { rotateSecret, subscribe, URL_TAKEN } from '../../application/webhooks/subscribing.ts'
import { eventSet, namesOf } from '../../domain/events/declaration.ts'
import { EVENTS } from '../../domain/events/registry.ts'
import type { Subscription } from '../../domain/ports/storage-webhooks.ts'
import { uriOf } from '../../webhooks/sending/address-guard.ts'
import { needsScope } from '../access/access.ts'
import type { Api } from '../api-parts.ts'
import { foreignCursor, listQuery, openCursor } from '../list-page.ts'
import { notFound, Problem, problemOfRefusal } from '../problem.ts'
import { json, noContent, orRefused } from '../respond.ts'
import { createConsent, type Verified } from './consent.ts'
import { addressFaults, ownerOf, ownSubscription, requireEventScope, requireReachable } from './owner.ts'
import { representSubscription } from './represent.ts'
import {
  ChangeWebhookSchema,
  CreateWebhookSchema,
  EnableWebhookSchema,
  RotateSecretSchema,
  WebhookListSchema,
  WebhookSchema,
  WebhookWithSecretSchema,
  webhookParams,
  webhookQuery,
} from './schemas.ts'

export const TAG = 'Webhooks'
export const PATH = '/2/webhooks'
export const ACCESS = needsScope('webhooks:manage', 'sessions:read')
const OVERLAP_SECONDS = 86_400

export function addSubscriptions(api: Api): void {
  const askConsent = createConsent(api)
  addCreate(api, askConsent)
  addReads(api)
  addChanges(api, askConsent)
  addRotation(api)
  addEnabling(api)
}

type AskConsent = ReturnType<typeof createConsent>

function addCreate(api: Api, askConsent: AskConsent): void {
  const { endpoints, writes, random, now, settings } = api
  endpoints.add({
    method: 'post',
    path: PATH,
    operationId: 'createWebhook',
    tag: TAG,
    summary: `Subscribe an address to ${namesOf(EVENTS).join(', ')}`,
    description: 'The answer carries the signing secret; it is shown this once.',
    access: ACCESS,
    body: CreateWebhookSchema,
    inspect: ({ body }) => ({ faults: addressFaults(body) }),
    idempotent: 'optional',
    problems: [429],
    responses: { 201: located(WebhookWithSecretSchema, 'The webhook with its secret') },
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
      const shown = { ...representSubscription(subscription, now()), secret }
      return json(shown, 201, { location: `${PATH}/${subscription.id}` })
    },
  })
}

function disabledByOperator(): Problem {
  const detail =
    'The operator of the charge points disabled this webhook on the dashboard, and only they can enable it, also there.'
  return new Problem(409, 'webhook_disabled', detail)
}

function addReads(api: Api): void {
  const { endpoints, reads, cursors, now } = api
  endpoints.add({
    method: 'get',
    path: PATH,
    operationId: 'listWebhooks',
    tag: TAG,
    summary: 'List webhooks, oldest first',
    access: ACCESS,
    query: webhookQuery,
    responses: { 200: described(WebhookListSchema, 'A page of webhooks') },
    async handle({ principal, query: { limit = PAGE_DEFAULT, cursor } }) {
      const bound = listQuery('webhooks', principal, { limit, ...ownerOf(principal) })
      // Time and id, as the list is sorted: the last one shown may be deleted by now.
      const [time, lastId] = cursor === undefined ? [0, ''] : openCursor(api, cursor, bound, '?cursor')
      if (typeof time !== 'number' || typeof lastId !== 'string') throw foreignCursor()
      const all = await reads.listSubscriptions(ownerOf(principal))
      const rest = all.filter(({ createdAt, id }) => createdAt > time || (createdAt === time && id > lastId))
      const rows = rest.slice(0, limit)
      const last = rest.length > limit ? rows.at(-1) : undefined
      const nextCursor = last && cursors.seal([last.createdAt, last.id], bound, now())
      return json({ data: rows.map((row) => representSubscription(row, now())), meta: { nextCursor } })
    },
  })
  endpoints.add({
    method: 'get',
    path: `${PATH}/{webhookId}`,
    operationId: 'getWebhook',
    tag: TAG,
    summary: 'Get a webhook',
    access: ACCESS,
    params: webhookParams,
    responses: { 200: described(WebhookSchema, 'The webhook') },
    handle: async ({ principal, params }) =>
      json(representSubscription(await ownSubscription(api, principal, params.webhookId), now())),
  })
}

function addChanges(api: Api, askConsent: AskConsent): void {
  const { endpoints, writes, deliveries, now } = api
  endpoints.add({
    method: 'patch',
    path: `${PATH}/{webhookId}`,
    operationId: 'changeWebhook',
    tag: TAG,
    summary: 'Change a webhook',
    description:
      'A new URL applies from the next attempt; where consent is verified, its receiver is asked first. null removes an optional attribute.',
    access: ACCESS,
    params: webhookParams,
    body: ChangeWebhookSchema,
    inspect: ({ body }) => ({ faults: addressFaults(body) }),
    problems: [409, 422, 429],
    responses: { 200: described(WebhookSchema, 'The webhook') },
    async handle({ principal, params, body: { filter, events, ...change } }) {
      requireEventScope(principal, events)
      const subscription = await ownSubscription(api, principal, params.webhookId)
      if (change.url !== undefined) await requireReachable(api, change.url)
      const selected = { ...change, ...(change.url !== undefined && { url: uriOf(change.url) }) }
      const changed = await writes.updateSubscription(subscription.id, {
        ...selected,
        ...(events && { events: eventSet(EVENTS, events) }),
        ...(await verification(subscription, selected, (url) => askConsent(ownerOf(principal), url))),
        ...(filter !== undefined && { chargePointIds: filter?.evseControllerIds ?? null }),
      })
      if (changed === 'exists') throw problemOfRefusal(URL_TAKEN)
      if (!changed) throw notFound('webhook')
      deliveries?.wake()
      return json(representSubscription(changed, now()))
    },
  })
  endpoints.add({
    method: 'delete',
    path: `${PATH}/{webhookId}`,
    operationId: 'deleteWebhook',
    tag: TAG,
    summary: 'Delete a webhook',
    description: 'What was not delivered yet is cancelled.',
    access: ACCESS,
    params: webhookParams,
    responses: { 204: { description: 'Deleted' } },
    async handle({ principal, params }) {
      const { id } = await ownSubscription(api, principal, params.webhookId)
      if (!(await writes.deleteSubscription(id, now()))) throw notFound('webhook')
      return noContent()
    },
  })
}

/**
 * What a change makes of the consent: asked for anew where its URL changes, or where it was not wanted before
 * (HOOK-S6).
 */
async function verification(
  { url, verify }: Subscription,
  change: { readonly url?: string | undefined; readonly verify?: 'cloudevents' | null | undefined },
  ask: (url: string) => Promise<Verified>,
): Promise<Verified | { readonly verify: null; readonly ratePerMinute: null } | undefined> {
  if (change.verify === null) return { verify: null, ratePerMinute: null }
  const wanted = change.verify ?? verify
  const asked = change.verify !== undefined || (change.url !== undefined && change.url !== url)
  return wanted && asked ? ask(change.url ?? url) : undefined
}

function addRotation(api: Api): void {
  const { endpoints, writes, random, now, settings } = api
  endpoints.add({
    method: 'post',
    path: `${PATH}/{webhookId}/rotate-secret`,
    operationId: 'rotateWebhookSecret',
    tag: TAG,
    summary: 'Rotate the signing secret of a webhook',
    description:
      'Until the overlap ends deliveries are signed with both: Webhook-Signature then has two values, newest first. A further rotation drops the oldest.',
    access: ACCESS,
    params: webhookParams,
    body: RotateSecretSchema,
    bodyOptional: true,
    responses: { 200: described(WebhookWithSecretSchema, 'The webhook with its new secret') },
    async handle({ principal, params, body }) {
      const before = await ownSubscription(api, principal, params.webhookId)
      const overlapMs = (body?.overlapSeconds ?? OVERLAP_SECONDS) * 1000
      const parts = { writes, now, random, secretKey: settings.secretKey }
      const { subscription, secret } = orRefused(await rotateSecret(parts, before, overlapMs))
      return json({ ...representSubscription(subscription, now()), secret })
    },
  })
}

function addEnabling(api: Api): void {
  api.endpoints.add({
    method: 'post',
    path: `${PATH}/{webhookId}/enable`,
    operationId: 'enableWebhook',
    tag: TAG,
    summary: 'Enable a disabled webhook',
    access: ACCESS,
    params: webhookParams,
    body: EnableWebhookSchema,
    problems: [409],
    responses: { 200: described(WebhookSchema, 'The webhook') },
    async handle({ principal, params, body }) {
      const subscription = await ownSubscription(api, principal, params.webhookId)
      if (subscription.disabledReason === 'operator') throw disabledByOperator()
      const enabled = orRefused(await api.webhookOrders.enable(subscription, body.resume))
      return json(representSubscription(enabled, api.now()))
    },
  })
}
