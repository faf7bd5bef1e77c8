/** Changing all deliveries of a subscription: step by step, so that charge points are answered in between. */
import { setImmediate } from 'node:timers/promises'
import type { Database } from 'better-sqlite3'

/**
 * A few milliseconds of work. All at once, a month of a busy account would hold up every acknowledgement for seconds.
 */
const ROWS_PER_STEP = 500

export interface Step {
  readonly subscriptionId: string
  /** Positions of its deliveries: behind `after`, up to and with `upTo`. */
  readonly after: number
  readonly upTo: number
}

/** `WHERE` of a statement that is run with a step. */
export const IN_STEP = 'subscription_id = @subscriptionId AND position > @after AND position <= @upTo'

/**
 * The function walks from the oldest delivery to the newest, those included that come meanwhile, and says how many rows
 * were changed. Nothing else runs between its last step and what follows on it.
 */
export function inSteps(db: Database): (subscriptionId: string, change: (step: Step) => number) => Promise<number> {
  const endOfStep = db
    .prepare<[Omit<Step, 'upTo'>], number | null>(`SELECT max(position) FROM (SELECT position FROM webhook_deliveries
      WHERE subscription_id = @subscriptionId AND position > @after ORDER BY position LIMIT ${ROWS_PER_STEP})`)
    .pluck()
  return async (subscriptionId, change) => {
    let changed = 0
    let after = 0
    for (;;) {
      const upTo = endOfStep.get({ subscriptionId, after }) ?? null
      if (upTo === null) return changed
      changed += change({ subscriptionId, after, upTo })
      after = upTo
      await setImmediate()
    }
  }
}
