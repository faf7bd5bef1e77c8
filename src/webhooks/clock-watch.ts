import type { Clock } from '../domain/ports/clock.ts'

/** Notices that the machine's clock was put back, so that what waits by it can be pulled in (HOOK-F7). */

/** Less may lie between the two readings on a busy machine; a clock that is slewed gets there in minutes. */
const NOTICED_MS = 100

/** @returns by how many ms the clock was put back since the last call; 0: not, or forward, which is harmless */
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
