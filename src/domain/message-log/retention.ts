/** Deletes what is too old in small steps with pauses, so that acknowledgements never wait for it. */
import { periodically } from '../periodic.ts'
import type { Clock } from '../ports/core.ts'

/** At most 100 rows per transaction: a deletion then costs no more than a group of messages (architecture 4). */
const ROWS_PER_STEP = 100
const PAUSE_BETWEEN_STEPS_MS = 50
/** Nothing old is left: look again later. */
const PAUSE_WHEN_DONE_MS = 10 * 60_000
const DAY_MS = 24 * 3600_000

export function startRetention(parts: {
  /** Removes at most `limit` of the oldest rows from before this time and says how many. */
  readonly remove: (before: number, limit: number) => Promise<number>
  readonly clock: Clock
  readonly what: string
  /** 0 keeps everything. */
  readonly days: number
  readonly log: { error(fields: object, message: string): void }
}): { readonly deleted: () => number; stop(): void } {
  const { remove, clock, days, what, log } = parts
  let deleted = 0
  const step = async (): Promise<number> => {
    const rows = await remove(clock.now() - days * DAY_MS, ROWS_PER_STEP)
    deleted += rows
    return rows === ROWS_PER_STEP ? PAUSE_BETWEEN_STEPS_MS : PAUSE_WHEN_DONE_MS
  }
  const failed = (error: Error): void => log.error({ error: error.message, what }, 'old rows could not be deleted')
  const pauses = { everyMs: PAUSE_WHEN_DONE_MS, firstMs: PAUSE_BETWEEN_STEPS_MS }
  const steps = days === 0 ? undefined : periodically({ clock, work: step, failed, ...pauses })
  return { deleted: () => deleted, stop: () => void steps?.stop() }
}
