/** Work that is done again and again while the server runs: one run at a time, and none after it was stopped. */
import type { Clock } from './ports/core.ts'

/** Whether it is this one, of several servers, that does what must be done once (STORE-N14). */
export type IsKeeper = () => Promise<boolean>

interface PeriodicContext {
  readonly clock: Pick<Clock, 'after'>
  /** Absent: every server does it, or there is one. */
  readonly isKeeper?: IsKeeper | undefined
  /** One run. It may say in how many milliseconds the next one is due. */
  readonly work: () => Promise<number | undefined> | Promise<void>
  readonly everyMs: number
  /** Until the first run; `everyMs` where it is absent. */
  readonly firstMs?: number
  /** The next run is due all the same. Not called for a run that the stop interrupted: its resources may be closed. */
  readonly failed: (error: Error) => void
}

export interface Periodic {
  /** For a long run, which may end in the middle then. */
  readonly isStopped: () => boolean
  readonly stop: () => Promise<void>
}

export function periodically(parts: PeriodicContext): Periodic {
  const { clock, isKeeper, work, everyMs, firstMs = everyMs, failed } = parts
  let isStopped = false
  let cancel = (): void => undefined
  let running: Promise<void> = Promise.resolve()
  const run = async (): Promise<void> => {
    let nextMs: number | undefined
    try {
      if (!isKeeper || (await isKeeper())) nextMs = (await work()) ?? undefined
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
