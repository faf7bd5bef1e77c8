/** Time from outside, in milliseconds: only `app.ts` and the threads' entries make a system clock. */
export interface Clock {
  /** Milliseconds since the epoch. When the machine's clock is set it jumps, forwards or back. */
  now(): number
  /** Milliseconds since some moment of this process. It never jumps, so durations are measured with it. */
  monotonic(): number
  /** Runs once after `ms` milliseconds. The returned function cancels it, and may be called at any time. */
  after(ms: number, run: () => void): () => void
}
