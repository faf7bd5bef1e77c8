/** A token bucket as a value that refills evenly. Pure. A full one may be forgotten, as new ones are full. */

/** Level in tokens at time `at` (ms since the epoch). */
interface Bucket {
  readonly level: number
  readonly at: number
}

const MINUTE_MS = 60_000

/** A clock that was set back changes nothing. @param perMs time in which a whole bucket refills */
export function refill(bucket: Bucket | undefined, most: number, now: number, perMs = MINUTE_MS): Bucket {
  if (!bucket) return { level: most, at: now }
  const elapsedMs = Math.max(0, now - bucket.at)
  return { level: Math.min(most, bucket.level + (elapsedMs * most) / perMs), at: now }
}

/** Seconds, rounded up, until the bucket holds the requested tokens. */
export function secondsUntil(bucket: Bucket, requested: number, most: number, perMs = MINUTE_MS): number {
  return Math.max(0, Math.ceil(((requested - bucket.level) * (perMs / 1000)) / most))
}
