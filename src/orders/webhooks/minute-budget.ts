/** Orders that make us call somebody else's server: so many a minute for each who may give them. */
import { keepNewest } from '../../keep-newest.ts'
import type { Refusal } from '../../ports/refusal.ts'
import { type Bucket, refill, secondsUntil } from '../../token-bucket.ts'
import { refuse } from '../refusal.ts'

/** Far above the accounts and webhooks of one installation; beyond it the longest unused, usually full again, go. */
const MOST_SPENDERS = 10_000

/** The returned function spends one, or refuses with 429 `rate_limited` when none is left. */
export function minuteBudget(
  now: () => number,
  perMinute: number,
  detail: string,
): (spender: string) => Refusal | undefined {
  const buckets = new Map<string, Bucket>()
  return (spender) => {
    const bucket = refill(buckets.get(spender), perMinute, now())
    keepNewest(buckets, spender, bucket, MOST_SPENDERS)
    if (bucket.level < 1) {
      return { ...refuse(429, 'rate_limited', detail), retryAfterSeconds: secondsUntil(bucket, 1, perMinute) }
    }
    buckets.set(spender, { ...bucket, level: bucket.level - 1 })
    return undefined
  }
}
