/** The clocks that there are: the system's, made by compositions only, and one that tests move. */
import type { Clock } from './ports/clock.ts'

/** Node runs at once what is to wait longer, some 24 days. */
const MAX_TIMER_MS = 2 ** 31 - 1

export const systemClock: Clock = {
  now: Date.now,
  monotonic: () => performance.now(),
  after(ms, run) {
    const wait = (left: number): NodeJS.Timeout =>
      left > MAX_TIMER_MS
        ? setTimeout(() => {
            timer = wait(left - MAX_TIMER_MS)
          }, MAX_TIMER_MS)
        : setTimeout(run, left)
    let timer = wait(ms)
    return () => clearTimeout(timer)
  },
}

export interface ManualClock extends Clock {
  advance(ms: number): void
  /** Sets `now` alone, as somebody sets the machine's clock: timers and `monotonic` notice nothing. */
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
