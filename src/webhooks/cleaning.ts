import type { Clock } from '../domain/ports/clock.ts'
import type { WebhookWrites } from '../domain/ports/storage-webhooks.ts'

const INTERVAL_MS = 60_000
/** While there is more to delete. */
const NEXT_STEP_MS = 1000
const ROWS_PER_STEP = 500

interface CleaningParts {
  readonly writes: Pick<WebhookWrites, 'deleteOldDeliveries'>
  readonly clock: Clock
  readonly log: { warn(fields: object, message: string): void }
}

/**
 * Deletes deliveries that are older than they are kept (HOOK-F6), some rows at a time; the returned function ends it.
 */
export function startCleaning({ writes, clock, log }: CleaningParts): () => void {
  let stopped = false
  const clean = async (): Promise<void> => {
    const pause = await deleteSome()
    if (!stopped) cancel = clock.after(pause, () => void clean())
  }
  const deleteSome = async (): Promise<number> => {
    try {
      const deleted = await writes.deleteOldDeliveries(clock.now(), ROWS_PER_STEP)
      return deleted >= ROWS_PER_STEP ? NEXT_STEP_MS : INTERVAL_MS
    } catch (error) {
      log.warn({ error: String(error) }, 'old webhook deliveries could not be deleted')
      return INTERVAL_MS
    }
  }
  let cancel = clock.after(INTERVAL_MS, () => void clean())
  return () => {
    stopped = true
    cancel()
  }
}
