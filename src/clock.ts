/** Time, from outside: only `app.ts` and the threads' entries make a system clock; tests move a manual one. */
export interface Clock {
  /** Milliseconds since the epoch; whoever sets the machine's clock moves it, forwards or back. */
  now(): number
  /** Milliseconds since some moment of this process; only goes on, whatever the machine's clock does. */
  monotonic(): number
  /** Runs once after `ms`; the returned function cancels. */
  after(ms: number, run: () => void): () => void
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms)
    return () => clearTimeout(timer)
  },
}

export interface ManualClock extends Clock {
  /** Moves time forward and runs what became due, in order of its time. */
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
