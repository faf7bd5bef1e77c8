/**
 * When what was committed is put where readers look: a moment later, together with what came meanwhile, and at once
 * when somebody is about to read. More together costs less each, and the last of them is later in its place.
 */

import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { CoreStore } from '../../ports/storage.ts'

/** At 2,000 messages a second 500 of them: one part or two. */
const LATER_MS = 250
/** When more came than that, throughput counts: gathered for a second, they share their pages with more neighbours. */
const MANY = 2_000
const GATHERED_MS = 1_000
/** After a failure: the database may need a hand. */
const RETRY_MS = 5_000

export interface Folding {
  readonly store: CoreStore
  readonly fold: () => Promise<void>
  /** How often the database refused, since the start. */
  readonly failed: () => number
}

/**
 * `publish` tells readers in other threads how many change sets wait, before anything of them is answered. `between` lets
 * the groups that came meanwhile be committed (STORE-J3).
 */
export function createFolding(
  store: CoreStore,
  after: Clock['after'],
  log: Log,
  publish: (waiting: number) => void,
  between: () => Promise<void>,
): Folding {
  let planned = false
  let failed = 0

  const fold = async (): Promise<void> => {
    try {
      await store.fold(between)
    } catch (error) {
      failed++
      throw error
    } finally {
      publish(store.waiting())
    }
  }
  const foldNow = (): void => {
    planned = false
    fold().catch((error: Error) => {
      log.error({ error: error.message }, 'what was committed could not be put in place; it will be tried again')
      plan(RETRY_MS)
    })
  }
  const plan = (ms: number): void => {
    if (planned) return
    planned = true
    after(ms, () => {
      if (store.waiting() < MANY) foldNow()
      else after(GATHERED_MS - LATER_MS, foldNow)
    })
  }

  return {
    fold,
    failed: () => failed,
    store: {
      ...store,
      async commit(group) {
        const results = await store.commit(group)
        const waiting = store.waiting()
        publish(waiting)
        if (waiting > 0) plan(LATER_MS)
        return results
      },
    },
  }
}
