/** How often somebody may fail before waiting: token buckets in memory (OIDC-L4, OIDC-G6, OIDC-T12). */
import { keepNewest } from '../keep-newest.ts'
import { type Bucket, refill, secondsUntil } from '../token-bucket.ts'

export interface Throttle {
  /** Counts one attempt. Undefined: go on; otherwise seconds to wait. */
  take(key: string): number | undefined
  /** Gives the attempt back, because it did not fail after all. */
  giveBack(key: string): void
}

/** Far more than one installation has users; beyond it the longest unused are forgotten. */
const MOST_KEYS = 50_000

/** @param most attempts at once; 0 = no limit @param perMs time in which a whole bucket refills */
export function createThrottle(most: number, perMs: number, now: () => number): Throttle {
  const buckets = new Map<string, Bucket>()
  /** Stored even when nothing is taken: after a clock was put back, time counts from the next attempt on. */
  const change = (key: string, level: (before: number) => number): Bucket => {
    const before = refill(buckets.get(key), most, now(), perMs)
    keepNewest(buckets, key, { level: level(before.level), at: before.at }, MOST_KEYS)
    return before
  }
  return {
    take(key) {
      if (most === 0) return undefined
      const before = change(key, (level) => (level < 1 ? level : level - 1))
      return before.level < 1 ? Math.max(1, secondsUntil(before, 1, most, perMs)) : undefined
    },
    giveBack(key) {
      if (most > 0) change(key, (level) => Math.min(most, level + 1))
    },
  }
}
