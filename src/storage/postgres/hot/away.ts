/** Repeats work until the database is back, or `close` is called here. Only for idempotent work. */
import type { Log } from '../../../domain/ports/core.ts'
import { asError } from '../../storage-error.ts'
import { ConnectionLost, isAway, isConflict } from '../connection/address.ts'

export type Pause = (ms: number) => Promise<void>

/** @throws the database's answer, or the last failure once `close` was called */
export type Patience = <T>(work: () => Promise<T>) => Promise<T>

export interface Waiting {
  readonly patiently: Patience
  close(): void
}

/** At first often, since a restarted server is back within a second; then once a second. */
const FIRST_PAUSE_MS = 20
const MAX_PAUSE_MS = 1_000

export function createWaiting(pause: Pause, log: Pick<Log, 'info' | 'warn'> | undefined, shown: string): Waiting {
  let isClosed = false
  let isAwayNow = false
  return {
    patiently: async (work) => {
      for (let ms = FIRST_PAUSE_MS; ; ms = Math.min(MAX_PAUSE_MS, ms * 2)) {
        try {
          const value = await work()
          if (isAwayNow) log?.info({}, `${shown} is back`)
          isAwayNow = false
          return value
        } catch (error) {
          const comesBack = error instanceof ConnectionLost || isAway(error) || isConflict(error)
          if (!comesBack || isClosed) throw error
          if (!isAwayNow && !isConflict(error)) {
            isAwayNow = true
            log?.warn({ error: asError(error).message }, `${shown} is unreachable; messages wait until it is back`)
          }
          await pause(ms)
        }
      }
    },
    close: () => {
      isClosed = true
    },
  }
}
