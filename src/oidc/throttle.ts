/** How many failures are allowed before waiting (OIDC-L4, OIDC-G6, OIDC-T12). */
import type { Limits } from '../domain/ports/limits.ts'
import { secondsUntil } from '../limits/token-bucket.ts'

export interface Throttle {
  /** Counts one attempt. Undefined: go on; otherwise seconds to wait. */
  take(key: string): Promise<number | undefined>
  /** Gives the attempt back, because it did not fail after all. */
  giveBack(key: string): Promise<void>
}

/** @param most attempts at once, 0 = no limit, each `what` apart @param perMs time in which a bucket refills */
export function createThrottle(limits: Limits, what: string, most: number, perMs: number): Throttle {
  const change = (key: string, tokens: number) =>
    limits.take('attempts', [{ key: `${what} ${key}`, most, perMs, tokens }])
  return {
    async take(key) {
      if (most === 0) return undefined
      const { taken, levels } = await change(key, 1)
      const [after] = levels
      return taken || !after ? undefined : Math.max(1, secondsUntil(after, 1, most, perMs))
    },
    async giveBack(key) {
      if (most > 0) await change(key, -1)
    },
  }
}
