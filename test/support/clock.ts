/** A clock that tests move. */
import type { Clock } from '../../src/domain/ports/core.ts'

export interface ManualClock extends Clock {
  advance(ms: number): void
  /** Sets `now` alone, as an operator sets the machine's clock: timers and `monotonic` notice nothing. */
  set(now: number): void
}

export function manualClock(start: number): ManualClock {
  /** `now` is so far ahead of `monotonic`. */
  let ahead = start
  let elapsed = 0
  let waiting: { at: number; run: () => void }[] = []
  return {
    now: () => ahead + elapsed,
    monotonic: () => elapsed,
    after(ms, run) {
      const entry = { at: elapsed + ms, run }
      waiting.push(entry)
      return () => {
        waiting = waiting.filter((other) => other !== entry)
      }
    },
    set(value) {
      ahead = value - elapsed
    },
    advance(ms) {
      const end = elapsed + ms
      for (;;) {
        const next = waiting.filter((entry) => entry.at <= end).sort((a, b) => a.at - b.at)[0]
        if (!next) break
        waiting = waiting.filter((entry) => entry !== next)
        elapsed = Math.max(elapsed, next.at)
        next.run()
      }
      elapsed = end
    },
  }
}
