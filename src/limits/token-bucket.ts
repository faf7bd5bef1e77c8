/**
 * A token bucket as a value: it holds at most so many tokens and refills evenly in a given time. Pure. Whoever limits
 * something keeps a bucket per key, and may forget a full one: a fresh one is full as well.
 */

/** Level in tokens at time `at` (ms since the epoch). */
export interface Bucket {
  readonly level: number
  readonly at: number
}

const MINUTE_MS = 60_000

/**
 * What the bucket holds now. A clock that was put back adds nothing and takes nothing: time goes on from there.
 * @param most what a full bucket holds
 * @param perMs time in which a whole bucket refills
 * @example refill(undefined, 60, now) // a fresh bucket: { level: 60, at: now }
 */
export function refill(bucket: Bucket | undefined, most: number, now: number, perMs = MINUTE_MS): Bucket {
  if (!bucket) return { level: most, at: now }
  const elapsedMs = Math.max(0, now - bucket.at)
  return { level: Math.min(most, bucket.level + (elapsedMs * most) / perMs), at: now }
}

/** Seconds, rounded up, until the bucket holds `wanted` tokens. */
export function secondsUntil(bucket: Bucket, wanted: number, most: number, perMs = MINUTE_MS): number {
  return Math.max(0, Math.ceil(((wanted - bucket.level) * (perMs / 1000)) / most))
}
