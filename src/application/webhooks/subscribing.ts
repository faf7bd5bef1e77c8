/** Webhooks made, changed, their secrets rotated, their addresses checked (HOOK-S1 to HOOK-S3, HOOK-X1). */
import { declarationOf, eventSet } from '../../domain/event-declaration.ts'
import { envelopeText } from '../../domain/events/emission.ts'
import { EVENTS } from '../../domain/events/registry.ts'
import { newUuid } from '../../domain/message-log/log-id.ts'
import { WINDOW_HINT } from '../../domain/message-log/search.ts'
import type { Limits } from '../../domain/ports/limits.ts'
import type { Reads, Writes } from '../../domain/ports/storage.ts'
import type { Refusal } from '../../domain/ports/storage-records.ts'
import type {
  Delivery,
  DeliveryState,
  EventRecord,
  Subscription,
  SubscriptionChange,
  SubscriptionOwner,
} from '../../domain/ports/storage-webhooks.ts'
import { noSuch, refuse, refuseFault } from '../../domain/refuse.ts'
import { secondsUntil } from '../../limits/token-bucket.ts'
import { sealedBox } from '../../secrets/sealed-box.ts'
import { literalAddress, mayReach, type UrlFault, uriOf, urlFault } from '../../webhooks/sending/address-guard.ts'
import { systemResolve } from '../../webhooks/sending/resolve.ts'
import type { Resolve } from '../../webhooks/sending/sender.ts'
import { createStandardSecret, createWebhookSecret } from '../../webhooks/sending/signature.ts'
import type { UseCaseContext } from '../context.ts'

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

// What an owner has: its webhooks by id, and so many active ones (HOOK-S2).

/** HOOK-S2, whether made or enabled again. */
export const ACTIVE_PER_OWNER = 16

export const TOO_MANY_WEBHOOKS: Refusal = refuse(
  409,
  'too_many_webhooks',
  `There are ${ACTIVE_PER_OWNER} active webhooks already; delete one first, or use a filter.`,
)

export const NO_WEBHOOK: Refusal = noSuch('webhook')

/** Refuses with 404, the same for an unknown id and for one of another owner. */
export async function subscriptionOf(
  { reads }: { readonly reads: Pick<Reads, 'findSubscription'> },
  { accountId, grantId }: SubscriptionOwner,
  id: string,
): Promise<Subscription | Refusal> {
  const subscription = await reads.findSubscription(id)
  if (subscription?.accountId !== accountId || subscription.grantId !== grantId) return NO_WEBHOOK
  return subscription
}

// What a receiver's Retry-After means for its webhook while it lasts (HOOK-R2, HOOK-R8). Pure.

/** When the pause ends; undefined when there is none. What is disabled is not paused: enabling ends a pause. */
export function pauseEnd({ status, pausedUntil }: Subscription, now: number): number | undefined {
  return status === 'active' && pausedUntil !== undefined && pausedUntil > now ? pausedUntil : undefined
}

/** When a pending delivery leaves at the earliest: a pause holds back all but what was ordered singly. */
export function nextAttemptAt({ dueAt, ordered }: Delivery, subscription: Subscription, now: number): number {
  return ordered ? dueAt : Math.max(dueAt, pauseEnd(subscription, now) ?? dueAt)
}

// Orders for a webhook: retry, replay, test, enable, disable (HOOK-S1, HOOK-S4, HOOK-R5); for API and console.

/** HOOK-S4. */
const TESTS_PER_MINUTE = 10

export type WebhookOrders = ReturnType<typeof createWebhookOrders>

export interface WebhookOrderContext extends Pick<UseCaseContext, 'writes' | 'now' | 'random'> {
  readonly limits: Limits
  readonly deliveries?: { wake(): void } | undefined
}

/** An order that cannot be followed changes nothing. */
export function createWebhookOrders({ writes, now, random, limits, deliveries }: WebhookOrderContext) {
  const spendTest = minuteBudget(
    limits,
    'webhook test',
    TESTS_PER_MINUTE,
    `A webhook takes ${TESTS_PER_MINUTE} tests a minute; wait a little.`,
  )
  return {
    async redeliver(subscription: Subscription, deliveryId: string): Promise<Delivery | Refusal> {
      const refusal = refuseUnlessActive(subscription)
      if (refusal) return refusal
      const delivery = await writes.redeliver(subscription.id, deliveryId, now())
      if (!delivery) return noSuch('delivery')
      if (delivery === 'busy') return refuse(409, 'delivery_in_flight', 'The delivery is being sent just now.')
      deliveries?.wake()
      return delivery
    },
    async replay(
      subscription: Subscription,
      { from, to, state }: { readonly from: number; readonly to: number; readonly state?: DeliveryState | undefined },
    ): Promise<{ readonly replayed: number } | Refusal> {
      const refusal = refuseUnlessActive(subscription)
      if (refusal) return refusal
      if (from >= to) return refuseFault('/to', 'invalid_window', WINDOW_HINT)
      const window = { subscriptionId: subscription.id, from, to, now: now() }
      const replayed = await writes.replayDeliveries({ ...window, state })
      deliveries?.wake()
      return { replayed }
    },
    async test(subscription: Subscription): Promise<Delivery | Refusal> {
      const refusal = refuseUnlessActive(subscription) ?? (await spendTest(subscription.id))
      if (refusal) return refusal
      const event = testEvent(subscription, now(), random)
      const delivery = await writes.createTestDelivery(subscription.id, event, now())
      if (!delivery) return NO_WEBHOOK
      deliveries?.wake()
      return delivery
    },
    async enable({ id, status }: Subscription, resume: 'held' | 'skip'): Promise<Subscription | Refusal> {
      if (status === 'revoked') return refuse(409, 'webhook_revoked', 'The grant behind this webhook has ended.')
      const enabled = await writes.enableSubscription(id, resume, now(), ACTIVE_PER_OWNER)
      if (enabled === 'too_many') return TOO_MANY_WEBHOOKS
      if (!enabled) return NO_WEBHOOK
      deliveries?.wake()
      return enabled
    },
    /** Events are held from now on. What is disabled already stays so, for its first reason. */
    async disable(subscription: Subscription, by: 'owner' | 'operator'): Promise<Subscription | Refusal> {
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

const MINUTE_MS = 60_000

/** Spends one, or refuses with 429 `rate_limited`. @param what is ordered; each kind is counted apart */
export function minuteBudget(
  limits: Limits,
  what: string,
  perMinute: number,
  detail: string,
): (spender: string) => Promise<Refusal | undefined> {
  return async (spender) => {
    const requested = { key: `${what} ${spender}`, most: perMinute, perMs: MINUTE_MS, tokens: 1 }
    const { taken, levels } = await limits.take('calls', [requested])
    const [after] = levels
    if (taken || !after) return undefined
    return { ...refuse(429, 'rate_limited', detail), retryAfterSeconds: secondsUntil(after, 1, perMinute) }
  }
}
