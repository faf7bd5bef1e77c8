/** Whose a subscription is, and where it may point (HOOK-S3, HOOK-X1). */

import type { Fault } from '../../commands/fault.ts'
import { subscriptionOf } from '../../orders/webhooks/of-owner.ts'
import type { Subscription, SubscriptionOwner } from '../../ports/storage-webhooks.ts'
import { literalAddress, mayReach, type UrlFault, urlFault } from '../../webhooks/sending/address-guard.ts'
import { systemResolve } from '../../webhooks/sending/resolve.ts'
import type { Principal } from '../access/principal.ts'
import type { Api } from '../parts.ts'
import { invalidRequest } from '../problem.ts'
import { orRefused } from '../respond.ts'

export function ownerOf(principal: Principal): SubscriptionOwner {
  const { accountId } = principal
  return principal.kind === 'token' ? { accountId, grantId: principal.grantId } : { accountId }
}

/** @throws Problem 404, the same for an unknown id and for one of another owner */
export async function ownSubscription(
  api: Pick<Api, 'reads'>,
  principal: Principal,
  id: string,
): Promise<Subscription> {
  return orRefused(await subscriptionOf(api, ownerOf(principal), id))
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
