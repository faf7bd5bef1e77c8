/**
 * Rate limits (E2): token buckets per account, shared by its credentials; an application has a further, smaller one, so
 * that it cannot starve the rest of the account.
 */

import type { Principal } from './principal.ts'
import { Problem } from './problem.ts'

/** A full bucket may be forgotten: a fresh one is full as well. Level in tokens at time `at` (ms). */
export interface Bucket {
  readonly level: number
  readonly at: number
}

/** What the bucket holds now: it refills evenly, `perMinute` tokens a minute, and never holds more. */
export function refill(bucket: Bucket | undefined, perMinute: number, now: number): Bucket {
  if (!bucket) return { level: perMinute, at: now }
  const elapsedMs = Math.max(0, now - bucket.at)
  return { level: Math.min(perMinute, bucket.level + (elapsedMs * perMinute) / 60_000), at: now }
}

/** Seconds, rounded up, until the bucket holds `wanted` tokens. */
export function secondsUntil(bucket: Bucket, wanted: number, perMinute: number): number {
  return Math.max(0, Math.ceil(((wanted - bucket.level) * 60) / perMinute))
}

export interface RateLimits {
  /**
   * Takes `cost` tokens from every bucket of the caller, or none.
   * @param paid what this very request took before its whole cost was known; given back when it is refused now, or who
   *   comes back after Retry-After would be short of it again
   * @returns the `RateLimit-Policy` and `RateLimit` headers; none when the limit is off
   * @throws Problem 429 `rate_limited` with the same headers and `Retry-After`
   */
  spend(version: 'v1' | 'v2', principal: Principal, cost: number, paid?: number): Readonly<Record<string, string>>
  /** After which `spend` would take so much; 0 when it would now. */
  secondsUntil(version: 'v1' | 'v2', principal: Principal, cost: number): number
}

/** One application's share of its user's account. */
const CLIENT_SHARE = 0.8
/** What refilling in fractions may be short of, when exactly the seconds of Retry-After have passed. */
const ROUNDING = 1e-6
/** Far above the accounts of one installation; beyond it idle buckets are dropped. */
const MOST_BUCKETS = 10_000

export function createRateLimits(
  perMinute: { readonly v1: number; readonly v2: number },
  now: () => number,
): RateLimits {
  const buckets = new Map<string, Bucket>()
  const keep = (key: string, bucket: Bucket): void => {
    // Re-inserting moves the key to the end: the first one is the longest unused.
    buckets.delete(key)
    buckets.set(key, bucket)
    const [oldest] = buckets.keys()
    if (buckets.size > MOST_BUCKETS && oldest !== undefined) buckets.delete(oldest)
  }
  return {
    secondsUntil(version, principal, cost) {
      const limit = perMinute[version]
      if (limit === 0) return 0
      const waits = policies(version, principal, limit).map(({ key, perMinute }) =>
        secondsUntil(refill(buckets.get(key), perMinute, now()), Math.min(cost, perMinute), perMinute),
      )
      return Math.max(...waits)
    },
    spend(version, principal, cost, paid = 0) {
      const limit = perMinute[version]
      if (limit === 0) return {}
      const at = now()
      const parts = policies(version, principal, limit).map((policy) => {
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
      for (const { key, bucket } of after) keep(key, bucket)
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
      throw new Problem(429, 'rate_limited', `The account may send ${limit} searches a minute; wait ${wait} seconds.`, {
        headers: { ...headers, 'retry-after': String(Math.max(1, wait)) },
      })
    },
  }
}

function policies(
  version: string,
  principal: Principal,
  limit: number,
): readonly { readonly name: string; readonly key: string; readonly perMinute: number }[] {
  const account = { name: 'search', key: JSON.stringify([version, principal.accountId]), perMinute: limit }
  if (principal.kind === 'credential') return [account]
  const key = JSON.stringify([version, principal.accountId, principal.clientId])
  return [account, { name: 'search-client', key, perMinute: Math.max(1, Math.floor(limit * CLIENT_SHARE)) }]
}
