import type { Limits } from '../../domain/ports/limits.ts'
import type { Refusal } from '../../domain/ports/refusal.ts'
import { refuse } from '../../domain/refuse.ts'
import { secondsUntil } from '../../limits/token-bucket.ts'

const MINUTE_MS = 60_000

/** Spends one, or refuses with 429 `rate_limited`. @param what is ordered; each kind is counted apart */
export function minuteBudget(
  limits: Limits,
  what: string,
  perMinute: number,
  detail: string,
): (spender: string) => Promise<Refusal | undefined> {
  return async (spender) => {
    const requested = { key: `${what} ${spender}`, most: perMinute, perMs: MINUTE_MS, tokens: 1 }
    const { taken, levels } = await limits.take('calls', [requested])
    const [after] = levels
    if (taken || !after) return undefined
    return { ...refuse(429, 'rate_limited', detail), retryAfterSeconds: secondsUntil(after, 1, perMinute) }
  }
}
