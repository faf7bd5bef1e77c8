/** Changes all deliveries of a subscription in steps, so that charge points are answered in between. */
import { setImmediate } from 'node:timers/promises'
import { type Run, value, type Work } from '../work.ts'

/** A few milliseconds of work. All at once, a month of a busy account would delay acknowledgements for seconds. */
const ROWS_PER_STEP = 500

export type Step = {
  readonly subscriptionId: string
  readonly after: number
  readonly upTo: number
}

export const IN_STEP = 'subscription_id = @subscriptionId AND position > @after AND position <= @upTo'

const END_OF_STEP = `SELECT max(position) FROM (SELECT position FROM webhook_deliveries
  WHERE subscription_id = @subscriptionId AND position > @after ORDER BY position LIMIT ${ROWS_PER_STEP}) AS step`

/** Oldest to newest, with late arrivals. @param change returns its row count; `finish` gets the sum, in the last */
export async function inSteps<T>(
  run: Run,
  subscriptionId: string,
  change: (step: Step) => Work<number>,
  finish: (changed: number) => Work<T>,
): Promise<T> {
  let changed = 0
  let after = 0
  for (;;) {
    const behind = after
    const before = changed
    const step = await run(function* () {
      const upTo = (yield* value<number | null>(END_OF_STEP, { subscriptionId, after: behind })) ?? null
      if (upTo === null) return { end: yield* finish(before) }
      return { upTo, changed: yield* change({ subscriptionId, after: behind, upTo }) }
    })
    if (step.upTo === undefined) return step.end
    changed += step.changed
    after = step.upTo
    await setImmediate()
  }
}
