/**
 * What both versions of the search share: whose turn a query is, the clock on it, and what becomes of a refused one.
 */
import type { Context } from 'hono'
import type { FrozenSearch, SearchPage } from '../commands/search.ts'
import { countAll, searchPage } from '../commands/search.ts'
import type { Command, LogReads } from '../ports/storage.ts'
import type { Principal } from './access/principal.ts'
import type { ApiEnv } from './endpoint.ts'
import type { Api } from './parts.ts'
import { Problem } from './problem.ts'

type Kind = 'page' | 'count' | 'export' | 'methods'

/** Who asks. A client that goes away takes its queries with it. */
export interface Asker {
  readonly principal: Principal
  readonly context: Context<ApiEnv>
}

/** Runs one query of the log when it is the account's turn (SEARCH-Q12), and measures both. */
export async function timed<T>(
  { metrics, now, searchLog }: Pick<Api, 'metrics' | 'now' | 'searchLog'>,
  kind: Kind,
  version: 'v1' | 'v2',
  { principal, context }: Asker,
  query: (reads: LogReads) => Promise<T>,
): Promise<T> {
  const start = now()
  const reads = searchLog({
    accountId: principal.accountId,
    lane: kind === 'export' ? 'export' : 'search',
    signal: context.req.raw.signal,
    waited: (ms) => metrics.observeSearchWait(kind, version, ms / 1000),
  })
  try {
    return await query(reads)
  } finally {
    metrics.observeSearch(kind, version, (now() - start) / 1000)
  }
}

/** Long enough for the query whose end makes room, and for one that found the machine busy. */
const AGAIN = { headers: { 'retry-after': '5' } }

/** What the port says of a query that did not run to its end (SEARCH-Q10, SEARCH-Q12), of a page's too. */
export function refusalOf(error: unknown): Problem | undefined {
  const code = (error as { readonly code?: unknown } | undefined)?.code
  if (code === 'TURN_TIMEOUT') {
    const detail = 'The search took too long: narrow its window or filters, or try again later.'
    return new Problem(503, 'search_timeout', detail, AGAIN)
  }
  if (code === 'TURN_LINE_FULL') {
    const detail = 'Too many searches of the account wait for their turn: wait for answers before you send more.'
    return new Problem(429, 'too_many_searches', detail, AGAIN)
  }
  // Nobody reads it.
  if (code === 'TURN_CANCELLED') return new Problem(503, 'search_cancelled', 'The client went away.', AGAIN)
  return undefined
}

/** A page by offset, as v1 has it. */
export async function offsetPage(
  reads: Pick<LogReads, 'searchCommands'>,
  { chargePointId, window, filter }: FrozenSearch,
  limit: number,
  offset: number,
): Promise<readonly Command[]> {
  if (window.fromId >= window.toId) return []
  return reads.searchCommands({ chargePointId, ...window, filter, limit, offset })
}

/** The page and, if wanted, the bounded total (SEARCH-Q9). */
export async function pageWithTotal(
  api: Api,
  asker: Asker,
  search: FrozenSearch,
  limit: number,
  options: { readonly belowId?: number; readonly count: boolean },
): Promise<{ readonly page: SearchPage; readonly total?: { readonly value: number; readonly isExact: boolean } }> {
  const page = await timed(api, 'page', 'v2', asker, (reads) => searchPage(reads, search, limit, options.belowId))
  if (!options.count) return { page }
  return { page, total: await timed(api, 'count', 'v2', asker, (reads) => countAll(reads, search, COUNT_SCAN_LIMIT)) }
}

/** SEARCH-Q9: rows looked at, not rows found; beyond it the total is a lower bound. */
const COUNT_SCAN_LIMIT = 100_000
