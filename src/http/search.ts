/** What both versions of the search share: deadlines and the clock on their queries (Q10). */

import type { FrozenSearch, SearchPage } from '../commands/search.ts'
import { countAll, searchPage } from '../commands/search.ts'
import type { Command } from '../storage/store.ts'
import { withDeadline } from './deadline.ts'
import type { Api } from './parts.ts'

export const SEARCH_DEADLINE_MS = 5000

type Kind = 'page' | 'count' | 'export'

/** Runs one query of the log within its deadline and measures it. */
export async function timed<T>(
  { metrics, now, after }: Pick<Api, 'metrics' | 'now' | 'after'>,
  kind: Kind,
  version: 'v1' | 'v2',
  work: Promise<T>,
): Promise<T> {
  const start = now()
  try {
    return await withDeadline(work, SEARCH_DEADLINE_MS, after)
  } finally {
    metrics.observeSearch(kind, version, (now() - start) / 1000)
  }
}

/** A page by offset, as v1 has it. */
export async function offsetPage(
  { searchReads }: Pick<Api, 'searchReads'>,
  { chargePointId, window, filter }: FrozenSearch,
  limit: number,
  offset: number,
): Promise<readonly Command[]> {
  if (window.fromId >= window.toId) return []
  return searchReads.searchCommands({ chargePointId, ...window, filter, limit, offset })
}

/** The page and, if wanted, the bounded total (Q9). */
export async function pageWithTotal(
  api: Api,
  search: FrozenSearch,
  limit: number,
  options: { readonly belowId?: number; readonly count: boolean },
): Promise<{ readonly page: SearchPage; readonly total?: { readonly value: number; readonly isExact: boolean } }> {
  const page = await timed(api, 'page', 'v2', searchPage(api.searchReads, search, limit, options.belowId))
  if (!options.count) return { page }
  return { page, total: await timed(api, 'count', 'v2', countAll(api.searchReads, search, COUNT_SCAN_LIMIT)) }
}

/** Q9: rows looked at, not rows found; beyond it the total is a lower bound. */
const COUNT_SCAN_LIMIT = 100_000
