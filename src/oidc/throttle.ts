/** Token buckets in memory: how often somebody may fail before waiting (OIDC-L4, OIDC-G6, OIDC-T12). */

export { addressBlock } from '../http/requests/address-block.ts'

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
  const buckets = new Map<string, { readonly level: number; readonly at: number }>()
  const levelOf = (key: string): number => {
    const bucket = buckets.get(key)
    if (!bucket) return most
    // A clock that was put back: the time until now is not known, and waiting until it has caught up may take hours.
    if (bucket.at > now()) put(key, bucket.level)
    const elapsedMs = Math.max(0, now() - bucket.at)
    return Math.min(most, bucket.level + (elapsedMs * most) / perMs)
  }
  const put = (key: string, level: number): void => {
    buckets.delete(key)
    buckets.set(key, { level, at: now() })
    const [oldest] = buckets.keys()
    if (buckets.size > MOST_KEYS && oldest !== undefined) buckets.delete(oldest)
  }
  return {
    take(key) {
      if (most === 0) return undefined
      const level = levelOf(key)
      if (level < 1) return Math.max(1, Math.ceil(((1 - level) * perMs) / most / 1000))
      put(key, level - 1)
      return undefined
    },
    giveBack(key) {
      if (most > 0) put(key, Math.min(most, levelOf(key) + 1))
    },
  }
}
