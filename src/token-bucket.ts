/** A token bucket as a value. Pure. */

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
