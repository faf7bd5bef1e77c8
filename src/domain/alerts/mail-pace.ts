/** How often one address is written to about one rule (ALERT-M7). */
import { endOfQuiet } from './quiet-hours.ts'
import type { QuietHours } from './records.ts'

const GAP_MS = 5 * 60_000

/**
 * When what is due now may leave: `now`, or what is later.
 * @param sentAt when the last mail about the rule left for the address; one in the future was before the clock was put
 *   back, and holds up nothing
 */
export function leavesAt(sentAt: number | undefined, quiet: QuietHours | undefined, now: number): number {
  const isTooSoon = sentAt !== undefined && sentAt <= now && now < sentAt + GAP_MS
  return isTooSoon ? endOfQuiet(quiet, sentAt + GAP_MS) : now
}
