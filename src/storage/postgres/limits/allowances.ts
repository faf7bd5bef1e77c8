/** Tokens taken ahead (STORE-R2), and known empty buckets, so that most requests cost no round trip; for a second. */

import type { Desired, Level, Taken } from '../../../domain/ports/limits.ts'
import { keepNewest } from '../../../limits/keep-newest.ts'
import { refill } from '../../../limits/token-bucket.ts'

/** Each node's own part of a shared bucket. */
const SHARE = 1 / 40
/** Unused tokens here are missing elsewhere, and others' use is unknown here. */
const KEPT_MS = 1_000
/** As many as are counted in memory (src/limits/limits.ts). */
const MAX_KEYS = 20_000
/** As in functions/limits.ts. */
const ROUNDING = 1e-6

interface Known {
  /** The shared bucket's level, with this node's time. */
  readonly shared: Level
  /** Taken ahead; expires after `KEPT_MS`. */
  left: number
}

export class Allowances {
  readonly #known = new Map<string, Known>()

  /** The answer, if known without asking the database. */
  take(requested: readonly Desired[], now: number): Taken | undefined {
    if (requested.some(({ tokens }) => tokens <= 0)) return undefined
    const known = requested.map(({ key }) => this.#fresh(key, now))
    if (requested.every(({ tokens }, at) => (known[at]?.left ?? 0) >= tokens)) {
      requested.forEach(({ tokens }, at) => {
        const one = known[at]
        if (one) one.left -= tokens
      })
      return { taken: true, levels: requested.map((one, at) => levelOf(one, known[at], now)) }
    }
    const isRefused = requested.some((one, at) => {
      const own = known[at]
      return own !== undefined && levelOf(one, own, now).level + ROUNDING < one.tokens
    })
    return isRefused ? { taken: false, levels: requested.map((one, at) => levelOf(one, known[at], now)) } : undefined
  }

  ahead({ most, tokens }: Desired): number {
    return tokens > 0 ? Math.floor(most * SHARE) : 0
  }

  giveUp(key: string): number {
    const known = this.#known.get(key)
    this.#known.delete(key)
    return known?.left ?? 0
  }

  /** @param shared the bucket's level, without what was taken ahead */
  note(key: string, shared: number, ahead: number, now: number): void {
    keepNewest(this.#known, key, { shared: { level: shared, at: now }, left: ahead }, MAX_KEYS)
  }

  level(requested: Desired, now: number): Level {
    return levelOf(requested, this.#known.get(requested.key), now)
  }

  #fresh(key: string, now: number): Known | undefined {
    const known = this.#known.get(key)
    const age = known ? now - known.shared.at : -1
    return age >= 0 && age < KEPT_MS ? known : undefined
  }
}

function levelOf({ most, perMs }: Desired, known: Known | undefined, now: number): Level {
  const shared = refill(known?.shared, most, now, perMs)
  return { level: Math.min(most, shared.level + (known?.left ?? 0)), at: now }
}
