/**
 * Rate limits (API-E2): token buckets per account, shared by its credentials; an application has a further, smaller
 * one, so that it cannot starve the rest of the account. Searches have limits of their own, everything else shares
 * `api`; who shows no valid credential is counted by address.
 */

import { addressBlock } from '../../address-block.ts'
import { keepNewest } from '../../keep-newest.ts'
import { type Bucket, refill, secondsUntil } from '../../token-bucket.ts'
import type { Principal } from '../access/principal.ts'
import { Problem } from '../problem.ts'

export type Limited = 'v1' | 'v2' | 'api'

export interface RateLimits {
  /**
   * Takes `cost` tokens from every bucket of the caller, or none.
   * @param paid what this very request took before its whole cost was known; given back when it is refused now, or who
   *   comes back after Retry-After would be short of it again
   * @returns the `RateLimit-Policy` and `RateLimit` headers; none when the limit is off
   * @throws Problem 429 `rate_limited` with the same headers and `Retry-After`
   */
  spend(limited: Limited, principal: Principal, cost: number, paid?: number): Readonly<Record<string, string>>
  /** After which `spend` would take so much; 0 when it would now. */
  secondsUntil(limited: Limited, principal: Principal, cost: number): number
  /** Counts a request of somebody who showed no valid credential. @throws Problem 429 `rate_limited` */
  spendAnonymous(address: string): void
}

/** The limits that the settings name. */
export function ratesOf({ rateV1, rateV2, rateApi }: Record<'rateV1' | 'rateV2' | 'rateApi', number>) {
  return { v1: rateV1, v2: rateV2, api: rateApi }
}

/** One application's share of its user's account. */
const CLIENT_SHARE = 0.8
/** What refilling in fractions may be short of, when exactly the seconds of Retry-After have passed. */
const ROUNDING = 1e-6
/** Far above the accounts of one installation; beyond it idle buckets are dropped. */
const MOST_BUCKETS = 10_000

export function createRateLimits(
  perMinute: { readonly v1: number; readonly v2: number; readonly api?: number },
  now: () => number,
): RateLimits {
  // Apart, so that a flood from many addresses does not make the accounts' buckets forgotten, and so full again.
  const [accounts, addresses] = [new Map<string, Bucket>(), new Map<string, Bucket>()]
  const take = (
    buckets: Map<string, Bucket>,
    policies: readonly Policy[],
    cost: number,
    paid: number,
    refusal: string,
  ): Readonly<Record<string, string>> => {
    const at = now()
    const parts = policies.map((policy) => {
      const { level } = refill(buckets.get(policy.key), policy.perMinute, at)
      return { ...policy, bucket: { level: Math.min(policy.perMinute, level + paid), at } }
    })
    // An expensive request must be possible under a small limit too: it then takes the whole bucket.
    const price = (part: { readonly perMinute: number }): number => Math.min(cost, part.perMinute)
    const refusing = parts.filter((part) => part.bucket.level + ROUNDING < price(part))
    const after = parts.map((part) => ({
      ...part,
      bucket: { level: part.bucket.level - (refusing.length > 0 ? 0 : price(part)), at },
    }))
    for (const { key, bucket } of after) keepNewest(buckets, key, bucket, MOST_BUCKETS)
    const headers = {
      'ratelimit-policy': after.map(({ name, perMinute }) => `"${name}";q=${perMinute};w=60`).join(', '),
      ratelimit: after
        .map(
          ({ name, bucket, perMinute }) =>
            `"${name}";r=${Math.floor(bucket.level)};t=${secondsUntil(bucket, perMinute, perMinute)}`,
        )
        .join(', '),
    }
    if (refusing.length === 0) return headers
    const wait = Math.max(
      ...refusing.map(({ bucket, perMinute }) => secondsUntil(bucket, Math.min(cost, perMinute), perMinute)),
    )
    throw new Problem(429, 'rate_limited', `${refusal}; wait ${wait} seconds.`, {
      headers: { ...headers, 'retry-after': String(Math.max(1, wait)) },
    })
  }
  return {
    secondsUntil(limited, principal, cost) {
      const limit = perMinute[limited] ?? 0
      if (limit === 0) return 0
      const waits = policiesOf(limited, principal, limit).map(({ key, perMinute }) =>
        secondsUntil(refill(accounts.get(key), perMinute, now()), Math.min(cost, perMinute), perMinute),
      )
      return Math.max(...waits)
    },
    spend(limited, principal, cost, paid = 0) {
      const limit = perMinute[limited] ?? 0
      if (limit === 0) return {}
      const what = limited === 'api' ? 'requests' : 'searches'
      const refusal = `The account may send ${limit} ${what} a minute`
      return take(accounts, policiesOf(limited, principal, limit), cost, paid, refusal)
    },
    spendAnonymous(address) {
      const limit = perMinute.api ?? 0
      if (limit === 0) return
      const policy = { name: 'address', key: addressBlock(address), perMinute: limit }
      take(addresses, [policy], 1, 0, `An address may send ${limit} requests a minute without a valid credential`)
    },
  }
}

interface Policy {
  readonly name: string
  readonly key: string
  readonly perMinute: number
}

function policiesOf(limited: Limited, principal: Principal, limit: number): readonly Policy[] {
  const name = limited === 'api' ? 'api' : 'search'
  const account = { name, key: JSON.stringify([limited, principal.accountId]), perMinute: limit }
  if (principal.kind === 'credential') return [account]
  const key = JSON.stringify([limited, principal.accountId, principal.clientId])
  return [account, { name: `${name}-client`, key, perMinute: Math.max(1, Math.floor(limit * CLIENT_SHARE)) }]
}
