/** Time, from outside: only `app.ts` and the threads' entries make a system clock; tests move a manual one. */
export interface Clock {
  /** Milliseconds since the epoch; whoever sets the machine's clock moves it, forwards or back. */
  now(): number
  /** Milliseconds since some moment of this process; only goes on, whatever the machine's clock does. */
  monotonic(): number
  /** Runs once after `ms`; the returned function cancels. */
  after(ms: number, run: () => void): () => void
}
