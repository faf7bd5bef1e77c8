/** Time, from outside: only `app.ts` and the threads' entries make a system clock; tests move a manual one. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /** Runs once after `ms`; the returned function cancels. */
  after(ms: number, run: () => void): () => void
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms)
    return () => clearTimeout(timer)
  },
}

export interface ManualClock extends Clock {
  /** Moves time forward and runs what became due, in order of its time. */
  advance(ms: number): void
  set(now: number): void
}

export function manualClock(start: number): ManualClock {
  let now = start
  let waiting: { at: number; run: () => void }[] = []
  return {
    now: () => now,
    after(ms, run) {
      const entry = { at: now + ms, run }
      waiting.push(entry)
      return () => {
        waiting = waiting.filter((other) => other !== entry)
      }
    },
    set(value) {
      now = value
    },
    advance(ms) {
      const end = now + ms
      for (;;) {
        const next = waiting.filter((entry) => entry.at <= end).sort((a, b) => a.at - b.at)[0]
        if (!next) break
        waiting = waiting.filter((entry) => entry !== next)
        now = Math.max(now, next.at)
        next.run()
      }
      now = end
    },
  }
}
