/**
 * When committed data is placed where readers look: a moment later, together with later commits, or at once for a
 * read. Placing more together costs less each, but delays the last.
 */
import type { Log } from '../domain/ports/core.ts'
import type { CoreStore } from '../domain/ports/storage.ts'
import type { WritingSide } from './database.ts'

/** At 2,000 messages a second 500 of them: one part or two. */
const LATER_MS = 250
/** Above this, throughput counts: gathered for a second, changes share their pages with more neighbors. */
const MANY = 2_000
const GATHERED_MS = 1_000
const RETRY_MS = 5_000
/** Turns between two parts of a flush without a waiting reader: each call is delayed by one part at most. */
const PATIENT_TURNS = 8

interface PlacedInTime {
  /** For the core: its commits are placed. */
  readonly core: CoreStore
  /** For readers: everything committed by now, or only for this charge point. */
  readonly putInPlace: (chargePointId?: string) => Promise<void>
  /** Number of waiting change sets, and of the database's refusals since the start. */
  readonly behind: () => { readonly waitingChanges: number; readonly failedFlushes: number }
}

/** `publish` reports what waits before it is answered; `nextTurn` lets a group commit meanwhile (STORE-J3). */
export function placeInTime(
  { core, placing }: Pick<WritingSide, 'core' | 'placing'>,
  after: (ms: number, run: () => void) => unknown,
  log: Pick<Log, 'error'>,
  publish: (waiting: number) => void,
  nextTurn: () => Promise<void>,
): PlacedInTime {
  let planned = false
  let failedFlushes = 0
  let readers = 0

  const between = async (): Promise<void> => {
    await nextTurn()
    for (let turn = 1; turn < PATIENT_TURNS && readers === 0; turn++) await nextTurn()
  }
  const put = async (chargePointId?: string): Promise<void> => {
    try {
      await (chargePointId === undefined ? placing.all(between) : placing.ofChargePoint(chargePointId, between))
    } catch (error) {
      failedFlushes++
      throw error
    } finally {
      publish(placing.waiting())
    }
  }
  const putInPlace = async (chargePointId?: string): Promise<void> => {
    readers++
    try {
      await put(chargePointId)
    } finally {
      readers--
    }
  }
  const putNow = (): void => {
    planned = false
    put().catch((error: Error) => {
      log.error({ error: error.message }, 'committed changes could not be written to their tables; retrying')
      plan(RETRY_MS)
    })
  }
  const plan = (ms: number): void => {
    if (planned) return
    planned = true
    after(ms, () => {
      if (placing.waiting() < MANY) putNow()
      else after(GATHERED_MS - LATER_MS, putNow)
    })
  }

  return {
    putInPlace,
    behind: () => ({ waitingChanges: placing.waiting(), failedFlushes }),
    core: {
      ...core,
      async commit(group) {
        const results = await core.commit(group)
        const waiting = placing.waiting()
        publish(waiting)
        if (waiting > 0) plan(LATER_MS)
        return results
      },
    },
  }
}
