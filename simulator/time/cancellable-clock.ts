import type { Clock } from '../../src/ports/clock.ts'

/** A clock whose waiting timers can be cancelled together when the station is switched off. */
export function cancellable(clock: Clock, timers: Set<() => void>): Clock {
  return {
    now: () => clock.now(),
    monotonic: () => clock.monotonic(),
    after(ms, run) {
      const cancel = clock.after(ms, () => {
        timers.delete(stop)
        // A simulated clock waits for what this returns.
        return run()
      })
      const stop = () => {
        timers.delete(stop)
        cancel()
      }
      timers.add(stop)
      return stop
    },
  }
}
