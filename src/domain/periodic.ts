/** Work that is done again and again while the server runs: one run at a time, and none after it was stopped. */
import type { Clock } from './ports/clock.ts'

interface PeriodicParts {
  readonly clock: Pick<Clock, 'after'>
  /** One run. It may say in how many milliseconds the next one is due. */
  readonly work: () => Promise<number | undefined> | Promise<void>
  readonly everyMs: number
  /** Until the first run; `everyMs` where it is absent. */
  readonly firstMs?: number
  /** The next run is due all the same. Not told of a run that the stop has met: what it needed may have ended. */
  readonly failed: (error: Error) => void
}

export interface Periodic {
  /** For a long run, which may end in the middle then. */
  readonly isStopped: () => boolean
  /** Resolves when the run that is under way is over. */
  readonly stop: () => Promise<void>
}

export function periodically({ clock, work, everyMs, firstMs = everyMs, failed }: PeriodicParts): Periodic {
  let isStopped = false
  let cancel = (): void => undefined
  let running: Promise<void> = Promise.resolve()
  const run = async (): Promise<void> => {
    let nextMs: number | undefined
    try {
      nextMs = (await work()) ?? undefined
    } catch (error) {
      if (!isStopped) failed(error instanceof Error ? error : new Error(String(error)))
    }
    later(nextMs ?? everyMs)
  }
  const later = (ms: number): void => {
    if (isStopped) return
    cancel = clock.after(ms, () => {
      running = run()
    })
  }
  later(firstMs)
  return {
    isStopped: () => isStopped,
    stop() {
      isStopped = true
      cancel()
      return running
    },
  }
}
