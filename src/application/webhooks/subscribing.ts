/** Webhooks made, changed, their secrets rotated, their addresses checked (HOOK-S1 to HOOK-S3, HOOK-X1). */
import { eventSet } from '../../domain/event-declaration.ts'
import { EVENTS } from '../../domain/events/registry.ts'
import type { Refusal } from '../../domain/ports/refusal.ts'
import type { Writes } from '../../domain/ports/storage.ts'
import type { Subscription, SubscriptionChange, SubscriptionOwner } from '../../domain/ports/storage-webhooks.ts'
import { refuse, refuseFault } from '../../domain/refuse.ts'
import { sealedBox } from '../../secrets/sealed-box.ts'
import { literalAddress, mayReach, type UrlFault, uriOf, urlFault } from '../../webhooks/sending/address-guard.ts'
import { systemResolve } from '../../webhooks/sending/resolve.ts'
import type { Resolve } from '../../webhooks/sending/sender.ts'
import { createStandardSecret, createWebhookSecret } from '../../webhooks/sending/signature.ts'
import type { UseCaseContext } from '../context.ts'
import { ACTIVE_PER_OWNER, NO_WEBHOOK, TOO_MANY_WEBHOOKS } from './of-owner.ts'

type SubscribingContext = Pick<UseCaseContext, 'writes' | 'now' | 'random' | 'secretKey'>

interface ReachContext {
  readonly allowPrivate?: readonly string[] | undefined
  readonly resolve?: Resolve | undefined
}

interface SubscriptionOrder {
  readonly url: string
  readonly description?: string | undefined
  readonly events?: readonly string[] | undefined
  readonly updates?: Subscription['updates'] | undefined
  readonly signatureScheme?: Subscription['signatureScheme'] | undefined
  readonly chargePointIds?: readonly string[] | undefined
  /** What the receiver consented to, where it was asked (HOOK-S6). */
  readonly consent?: { readonly verify: 'cloudevents'; readonly ratePerMinute: number | null } | undefined
}

interface WithSecret {
  readonly subscription: Subscription
  readonly secret: string
}

const URL_TAKEN: Refusal = refuse(409, 'webhook_exists', 'There is a webhook with this URL already; change that one.')

export async function subscribe(
  { writes, now, random, secretKey }: SubscribingContext,
  owner: SubscriptionOwner,
  { url, description, events, updates = 'all', signatureScheme, chargePointIds, consent }: SubscriptionOrder,
): Promise<WithSecret | Refusal> {
  const id = `wh_${random(16).toString('hex')}`
  const secret = newSecret(random, signatureScheme)
  const subscription: Subscription = {
    id,
    ...owner,
    url: uriOf(url),
    description,
    events: eventSet(EVENTS, events),
    updates,
    signatureScheme,
    verify: consent?.verify,
    ...(consent && consent.ratePerMinute !== null && { ratePerMinute: consent.ratePerMinute }),
    chargePointIds,
    status: 'active',
    secrets: [{ sealed: sealedBox(secretKey, 'webhookSecrets', random).seal(secret, id) }],
    consecutiveFailures: 0,
    attemptsSinceSuccess: 0,
    createdAt: now(),
  }
  const created = await writes.createSubscription(subscription, ACTIVE_PER_OWNER)
  if (created === 'exists') return URL_TAKEN
  return created === 'too_many' ? TOO_MANY_WEBHOOKS : { subscription, secret }
}

/** Null removes. A new address was found reachable, and its receiver asked where the webhook wants that (HOOK-S6). */
interface ChangeOrder extends Omit<SubscriptionChange, 'events' | 'rotation'> {
  readonly events?: readonly string[] | undefined
}

/** A new address applies from the next attempt. */
export async function changeSubscription(
  {
    writes,
    deliveries,
  }: {
    readonly writes: Pick<Writes, 'updateSubscription'>
    readonly deliveries?: { wake(): void } | undefined
  },
  { id }: Subscription,
  { url, events, ...change }: ChangeOrder,
): Promise<Subscription | Refusal> {
  const changed = await writes.updateSubscription(id, {
    ...change,
    url: url === undefined ? undefined : uriOf(url),
    events: events && eventSet(EVENTS, events),
  })
  if (changed === 'exists') return URL_TAKEN
  if (!changed) return NO_WEBHOOK
  deliveries?.wake()
  return changed
}

export async function deleteSubscription(
  { writes, now }: { readonly writes: Pick<Writes, 'deleteSubscription'>; readonly now: () => number },
  { id }: Subscription,
): Promise<Refusal | undefined> {
  return (await writes.deleteSubscription(id, now())) ? undefined : NO_WEBHOOK
}

/** Until the overlap ends deliveries are signed with the secret before as well. */
export async function rotateSecret(
  { writes, now, random, secretKey }: SubscribingContext,
  { id, signatureScheme }: Subscription,
  overlapMs: number,
): Promise<WithSecret | Refusal> {
  const secret = newSecret(random, signatureScheme)
  const rotation = { sealed: sealedBox(secretKey, 'webhookSecrets', random).seal(secret, id), at: now(), overlapMs }
  const subscription = await writes.updateSubscription(id, { rotation })
  return !subscription || subscription === 'exists' ? NO_WEBHOOK : { subscription, secret }
}

function newSecret(random: SubscribingContext['random'], scheme: Subscription['signatureScheme']): string {
  return scheme === 'standard-webhooks' ? createStandardSecret(random) : createWebhookSecret(random)
}

export const URL_FAULTS: Readonly<Record<UrlFault, string>> = {
  not_a_url: 'must be an absolute URL such as https://example.com/hook',
  scheme: 'must begin with https://',
  user_info: 'must not carry a user name or password; check the signature instead',
  fragment: 'must not have a fragment (#…)',
}

/** HOOK-X1: judged as every delivery will be judged again. Undefined: it may be reached. */
export async function refuseUnreachable(
  { allowPrivate = [], resolve = systemResolve }: ReachContext,
  text: string,
): Promise<Refusal | undefined> {
  const fault = urlFault(text)
  if (fault) return refused(URL_FAULTS[fault])
  const url = new URL(text)
  const literal = literalAddress(url)
  const addresses = literal === undefined ? await resolve(url.hostname).catch(() => undefined) : [literal]
  if (!addresses) return refused('names a host that cannot be resolved')
  if (mayReach(url, addresses, allowPrivate)) return undefined
  return refused(
    'must be https and lead to public addresses only; PILOTWIRE_WEBHOOK_ALLOW_PRIVATE names others that may be reached',
  )
}

function refused(message: string): Refusal {
  return refuseFault('/url', 'url_not_allowed', message)
}
