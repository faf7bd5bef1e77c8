/** How often one address is written to about one rule (ALERT-M7). */
import { endOfQuiet } from './quiet-hours.ts'
import type { QuietHours } from './records.ts'

const GAP_MS = 5 * 60_000

/** When what is due may leave. @param sentAt of the last mail; one in the future (clock put back) holds up nothing */
export function leavesAt(sentAt: number | undefined, quiet: QuietHours | undefined, now: number): number {
  const isTooSoon = sentAt !== undefined && sentAt <= now && now < sentAt + GAP_MS
  return isTooSoon ? endOfQuiet(quiet, sentAt + GAP_MS) : now
}
