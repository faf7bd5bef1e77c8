import type { Clock } from '../domain/ports/clock.ts'

/** Notices that the machine's clock was put back, so that what waits by it can be pulled in (HOOK-F7). */

/** Less may lie between the two readings on a busy machine; a clock that is slewed gets there in minutes. */
const NOTICED_MS = 100

/**
 * The returned function says by how many milliseconds the clock was put back since it said so last; 0: not at all. A
 * clock that is put forward only makes things come early, and so does the sleep of a machine, which looks the same.
 */
export function watchClock({ now, monotonic }: Pick<Clock, 'now' | 'monotonic'>): () => number {
  let ahead = now() - monotonic()
  return () => {
    const before = ahead
    const current = now() - monotonic()
    if (before - current > 0 && before - current < NOTICED_MS) return 0
    ahead = current
    return Math.max(0, Math.ceil(before - current))
  }
}
