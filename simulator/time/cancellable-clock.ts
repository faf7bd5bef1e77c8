import type { Clock } from '../../src/ports/clock.ts'

/** The time of a station. A simulated one waits for the promise that `run` returns; the system's does not. */
export interface StationTime extends Omit<Clock, 'after'> {
  after(ms: number, run: () => unknown): () => void
}

/** A clock whose waiting timers can be cancelled together when the station is switched off. */
export function cancellable(clock: StationTime, timers: Set<() => void>): StationTime {
  return {
    now: () => clock.now(),
    monotonic: () => clock.monotonic(),
    after(ms, run) {
      const cancel = clock.after(ms, () => {
        timers.delete(stop)
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
