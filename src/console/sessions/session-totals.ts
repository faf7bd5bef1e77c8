/** Totals above the list of sessions (CONSOLE-C4), of all or none; large ones are summed in the background. */

import type { Reads } from '../../domain/ports/storage.ts'
import type { SessionFilter, SessionTotals } from '../../domain/ports/storage-queries.ts'
import { keepNewest } from '../../limits/keep-newest.ts'

/** A page must open in a moment, however many sessions there are. */
const MAX_AWAITED = 50_000
/** Fewer are summed anew each time. */
const FEW = 2000
/** What took long is good for longer, so that an open page keeps no reader busy. */
const GOOD_FOR_MS = 20_000
const GOOD_FOR_TIMES_LONGER = 20
/** Filters whose totals are remembered, and that are added up behind pages at once. */
const KEPT = 64
const MAX_CONCURRENT = 4

export interface ShownTotals {
  /** Undefined while they are being added up. */
  readonly totals: SessionTotals | undefined
  /** Of when they are; absent: of now. */
  readonly at?: number
}

type Summing = Pick<Reads, 'sumSessions'>
type TotalsOf = (reads: Summing, filter: SessionFilter, now: () => number) => Promise<ShownTotals>

interface Known extends ShownTotals {
  readonly until: number
}

/** A page that is left open asks every few seconds. */
export function createTotals(): TotalsOf {
  const kept = new Map<string, Known>()
  const adding = new Set<string>()

  async function addUp(key: string, reads: Summing, filter: SessionFilter, now: () => number): Promise<void> {
    if (adding.has(key) || adding.size >= MAX_CONCURRENT) return
    adding.add(key)
    const at = now()
    try {
      const totals = await reads.sumSessions(filter, at)
      const took = Math.max(0, now() - at)
      keepNewest(kept, key, { totals, at, until: now() + Math.max(GOOD_FOR_MS, GOOD_FOR_TIMES_LONGER * took) }, KEPT)
    } catch {
      // The next view of the page begins again, and fails itself where the database does.
      kept.delete(key)
    } finally {
      adding.delete(key)
    }
  }

  return async (reads, filter, now) => {
    const key = JSON.stringify(filter)
    const known = kept.get(key)
    const at = now()
    if (known && at < known.until) return known
    if (known?.at === undefined) {
      const totals = await reads.sumSessions(filter, at, MAX_AWAITED)
      if (totals.isWhole) {
        kept.delete(key)
        if (totals.sessions > FEW) keepNewest(kept, key, { totals, until: at + GOOD_FOR_MS }, KEPT)
        return { totals }
      }
    }
    void addUp(key, reads, filter, now)
    return known?.at === undefined ? { totals: undefined } : known
  }
}
