/** Totals above the list of sessions: summed again only after a while where that is work (CONSOLE-C4). */
import type { Reads, SessionFilter, SessionTotals } from '../../ports/storage.ts'

/** A page must open in a moment, however many sessions there are. */
export const MOST_SUMMED = 20_000
/** Fewer are summed anew each time. */
const FEW = 2000
const GOOD_FOR_MS = 20_000
const KEPT = 64

export type TotalsOf = (reads: Pick<Reads, 'sumSessions'>, filter: SessionFilter, now: number) => Promise<SessionTotals>

/** A page that is left open asks every few seconds. */
export function createTotals(): TotalsOf {
  const kept = new Map<string, { readonly at: number; readonly totals: SessionTotals }>()
  return async (reads, filter, now) => {
    const key = JSON.stringify(filter)
    const known = kept.get(key)
    if (known && now >= known.at && now - known.at < GOOD_FOR_MS) return known.totals
    const totals = await reads.sumSessions(filter, now, MOST_SUMMED)
    kept.delete(key)
    if (totals.sessions > FEW) kept.set(key, { at: now, totals })
    const [oldest] = kept.keys()
    if (kept.size > KEPT && oldest !== undefined) kept.delete(oldest)
    return totals
  }
}
