/** Whose a subscription is, and where it may point (HOOK-S2, HOOK-S3, HOOK-X1). */

import type { Fault } from '../../commands/fault.ts'
import type { Subscription, SubscriptionOwner } from '../../ports/storage-webhooks.ts'
import { literalAddress, mayReach, type UrlFault, urlFault } from '../../webhooks/sending/address-guard.ts'
import { systemResolve } from '../../webhooks/sending/resolve.ts'
import type { Principal } from '../access/principal.ts'
import type { Api } from '../parts.ts'
import { invalidRequest, notFound, Problem } from '../problem.ts'

/** HOOK-S2, whether made or enabled again. */
export const ACTIVE_PER_OWNER = 16

export function tooManyWebhooks(): Problem {
  const detail = `There are ${ACTIVE_PER_OWNER} active webhooks already; delete one first, or use a filter.`
  return new Problem(409, 'too_many_webhooks', detail)
}

export function ownerOf(principal: Principal): SubscriptionOwner {
  const { accountId } = principal
  return principal.kind === 'token' ? { accountId, grantId: principal.grantId } : { accountId }
}

/** @throws Problem 404, the same for an unknown id and for one of another owner */
export function ownSubscription(api: Pick<Api, 'reads'>, principal: Principal, id: string): Promise<Subscription> {
  return subscriptionOf(api, ownerOf(principal), id)
}

/** @throws Problem 404, as `ownSubscription` */
export async function subscriptionOf(
  { reads }: Pick<Api, 'reads'>,
  { accountId, grantId }: SubscriptionOwner,
  id: string,
): Promise<Subscription> {
  const subscription = await reads.findSubscription(id)
  if (subscription?.accountId !== accountId || subscription.grantId !== grantId) throw notFound('webhook')
  return subscription
}

const FAULTS: Readonly<Record<UrlFault, string>> = {
  not_a_url: 'must be an absolute URL such as https://example.com/hook',
  scheme: 'must begin with https://',
  user_info: 'must not carry a user name or password; check the signature instead',
  fragment: 'must not have a fragment (#…)',
}

/** What the address itself shows, before its name is resolved. */
export function addressFaults({ url }: { readonly url?: unknown }): readonly Fault[] {
  const fault = typeof url === 'string' ? urlFault(url) : undefined
  return fault ? [{ pointer: '/url', code: 'url_not_allowed', message: FAULTS[fault] }] : []
}

/** HOOK-X1: judged as every delivery will be judged again. @throws Problem 400 `url_not_allowed` */
export async function requireReachable(api: Api, text: string): Promise<void> {
  const fault = urlFault(text)
  if (fault) throw refused(FAULTS[fault])
  const url = new URL(text)
  const literal = literalAddress(url)
  const addresses = literal === undefined ? await addressesOf(api, url.hostname) : [literal]
  if (!mayReach(url, addresses, api.settings.webhookAllowPrivate ?? [])) {
    throw refused(
      'must be https and lead to public addresses only; PILOTWIRE_WEBHOOK_ALLOW_PRIVATE names others that may be reached',
    )
  }
}

async function addressesOf({ resolve = systemResolve }: Api, hostname: string): Promise<readonly string[]> {
  try {
    return await resolve(hostname)
  } catch {
    throw refused('names a host that cannot be resolved')
  }
}

function refused(message: string): Error {
  return invalidRequest([{ pointer: '/url', code: 'url_not_allowed', message }])
}
