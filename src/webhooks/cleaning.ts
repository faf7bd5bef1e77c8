import { periodically } from '../domain/periodic.ts'
import type { Clock } from '../domain/ports/clock.ts'
import type { WebhookWrites } from '../domain/ports/storage-webhooks.ts'

const INTERVAL_MS = 60_000
const NEXT_STEP_MS = 1000
const ROWS_PER_STEP = 500

interface CleaningContext {
  readonly writes: Pick<WebhookWrites, 'deleteOldDeliveries'>
  readonly clock: Clock
  readonly log: { warn(fields: object, message: string): void }
}

/** Deletes deliveries past their retention (HOOK-F6), some rows at a time. @returns ends it */
export function startCleaning({ writes, clock, log }: CleaningContext): () => void {
  const cleaning = periodically({
    clock,
    work: async () => {
      const deleted = await writes.deleteOldDeliveries(clock.now(), ROWS_PER_STEP)
      return deleted >= ROWS_PER_STEP ? NEXT_STEP_MS : INTERVAL_MS
    },
    everyMs: INTERVAL_MS,
    failed: (error) => log.warn({ error: error.message }, 'old webhook deliveries could not be deleted'),
  })
  return () => void cleaning.stop()
}
