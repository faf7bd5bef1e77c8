/** Limits counted in the memory of one process; a restart forgets them (domain/ports/limits.ts). */

import type { Level, LimitPurpose, Limits, OccupiedSlot } from '../domain/ports/limits.ts'
import { keepNewest } from './keep-newest.ts'
import { refill } from './token-bucket.ts'

/** Far above an installation's needs; beyond it the longest unused, usually full again, are forgotten. */
const MAX_BUCKETS: Readonly<Record<LimitPurpose, number>> = {
  account: 10_000,
  address: 10_000,
  attempts: 50_000,
  calls: 10_000,
}

/** Floating-point tolerance after exactly the seconds of Retry-After. */
const ROUNDING = 1e-6

export function limitsInMemory(now: () => number): Limits {
  const all: Readonly<Record<LimitPurpose, Map<string, Level>>> = {
    account: new Map(),
    address: new Map(),
    attempts: new Map(),
    calls: new Map(),
  }
  const places = new Map<string, Set<OccupiedSlot>>()
  return {
    occupy: async (what, most, reported) => {
      const taken = places.get(what) ?? new Set()
      if (taken.size >= most) return [...taken]
      const place = { since: now(), reported }
      places.set(what, taken.add(place))
      return {
        tell: (text) => {
          place.reported = text
        },
        free: () => {
          taken.delete(place)
          if (taken.size === 0 && places.get(what) === taken) places.delete(what)
        },
      }
    },
    take: async (purpose, requested) => {
      const buckets = all[purpose]
      const before = requested.map(({ key, most, perMs }) => refill(buckets.get(key), most, now(), perMs))
      const taken = requested.every(({ tokens }, index) => (before[index]?.level ?? 0) + ROUNDING >= tokens)
      const levels = requested.map(({ key, most, tokens }, index): Level => {
        const { level, at } = before[index] ?? { level: most, at: now() }
        const after = { level: taken ? Math.min(most, level - tokens) : level, at }
        // Kept even when nothing was taken: after the clock was set back, time counts from here.
        keepNewest(buckets, key, after, MAX_BUCKETS[purpose])
        return after
      })
      return { taken, levels }
    },
  }
}
