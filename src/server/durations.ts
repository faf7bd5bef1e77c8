/** Durations counted in buckets, as Prometheus wants a histogram; plain values, because they cross between threads. */
import type { Durations } from '../domain/ports/core.ts'

/** From a fast SSD to a disk that is too slow, in seconds. */
const BOUNDS: readonly number[] = [0.0005, 0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

export function countDurations(): { readonly observe: (seconds: number) => void; readonly read: () => Durations } {
  /** One more than bounds: what is longer than all of them. */
  const counts = new Array<number>(BOUNDS.length + 1).fill(0)
  let sum = 0
  return {
    observe(seconds) {
      const at = BOUNDS.findIndex((bound) => seconds <= bound)
      const bucket = at < 0 ? BOUNDS.length : at
      counts[bucket] = (counts[bucket] ?? 0) + 1
      sum += seconds
    },
    read: () => ({ bounds: BOUNDS, counts: [...counts], sum }),
  }
}
