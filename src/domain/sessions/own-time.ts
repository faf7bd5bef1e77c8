/** SESSION-T1: when something happened, the one rule. Station times tell events apart (ENERGY-W1, ENERGY-W2). */
import type { BlockDraft } from '../ports/blocks.ts'
import type { ChargePointStatus, StationTime } from '../ports/sessions.ts'
import { wasAway } from '../timeline/rules.ts'

/** The station itself said when it happened. */
export function hasOwnTime({ original, repaired }: StationTime): boolean {
  return original !== undefined && !repaired
}

/**
 * By our clock: never after its receipt, and a clock known to be behind is corrected. One ahead is not: until it is
 * known to be right again, the present would look late. Without a usable time it happened when it came.
 */
export function happenedAt(at: StationTime, { clockAheadMs = 0 }: Pick<ChargePointStatus, 'clockAheadMs'>): number {
  return hasOwnTime(at) ? Math.min(at.occurredAt - Math.min(0, clockAheadMs), at.receivedAt) : at.receivedAt
}

/** How far a clock may be off that is not known to be wrong. */
const CLOCK_TOLERANCE_MS = 5 * 60_000

/** Whatever the clocks, before `time`. What happened while the station was away certainly waited in its queue. */
export function happenedBefore(draft: BlockDraft, at: StationTime, time: number): boolean {
  const happened = happenedAt(at, draft.state.status)
  if (happened >= time) return false
  return at.isQueued === true || happened < time - CLOCK_TOLERANCE_MS || wasAway(draft, happened)
}
