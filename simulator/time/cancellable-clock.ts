import type { Clock } from '../../src/domain/ports/clock.ts'

/** The time of a station. A simulated one waits for the promise that `run` returns; the system's does not. */
export interface StationTime extends Omit<Clock, 'after'> {
  after(ms: number, run: () => unknown): () => void
  /** A simulated one moves although what plans this is held; absent: as `after`. */
  rest?(ms: number, run: () => unknown): () => void
}

export function cancellable(clock: StationTime, timers: Set<() => void>): StationTime {
  const plannedBy =
    (plan: StationTime['after']): StationTime['after'] =>
    (ms, run) => {
      const cancel = plan(ms, () => {
        timers.delete(stop)
        return run()
      })
      const stop = () => {
        timers.delete(stop)
        cancel()
      }
      timers.add(stop)
      return stop
    }
  return {
    now: () => clock.now(),
    monotonic: () => clock.monotonic(),
    after: plannedBy((ms, run) => clock.after(ms, run)),
    rest: plannedBy((ms, run) => (clock.rest ? clock.rest(ms, run) : clock.after(ms, run))),
  }
}

/** A clock that shows a time so many seconds ahead; its waits are as long as any. */
export function aheadBy(clock: Clock, seconds = 0): Clock {
  if (seconds === 0) return clock
  return {
    now: () => clock.now() + seconds * 1000,
    monotonic: () => clock.monotonic(),
    after: (ms, run) => clock.after(ms, run),
  }
}
