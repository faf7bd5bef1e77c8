import type { Context } from 'hono'
import type { LogReads } from '../domain/ports/storage.ts'
import type { LogPage, LogPageQuery } from '../domain/ports/storage-queries.ts'
import { type Principal, sees, sharedStatuses, visibleChargePoint } from './access/access.ts'
import type { Api } from './api-parts.ts'
import type { ApiEnv, Incoming } from './endpoint.ts'
import { notFound, Problem } from './respond.ts'

export interface Asker {
  readonly principal: Principal
  readonly context: Context<ApiEnv>
}

/** Runs one query of the log when it is the account's turn (SEARCH-Q12), and measures both. */
export async function timed<T>(
  { metrics, now, searchLog }: Pick<Api, 'metrics' | 'now' | 'searchLog'>,
  kind: 'export' | 'methods',
  { principal, context }: Asker,
  query: (reads: LogReads) => Promise<T>,
): Promise<T> {
  const start = now()
  const reads = searchLog({
    accountId: principal.accountId,
    lane: kind === 'export' ? 'export' : 'search',
    signal: context.req.raw.signal,
    waited: (ms) => metrics.observeSearchWait(kind, 'v2', ms / 1000),
  })
  try {
    return await query(reads)
  } finally {
    metrics.observeSearch(kind, 'v2', (now() - start) / 1000)
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
  if (code === 'TURN_CANCELLED') return new Problem(503, 'search_cancelled', 'The client went away.', AGAIN)
  return undefined
}

/** SEARCH-Q14. @throws Problem 401 for a changed credential, 404 for an invisible charge point */
export async function findPage(
  api: Api,
  version: 'v1' | 'v2',
  asker: Asker & Pick<Incoming<never, never, never>, 'admit' | 'remembered'>,
  query: Omit<LogPageQuery, 'accountId' | 'credential'>,
): Promise<Exclude<LogPage, { readonly missing: string }>> {
  const { principal, remembered, admit } = asker
  const { accountId } = principal
  if (!sees(principal, { accountId, id: query.chargePointId })) throw notFound('charge point')
  if (sharedStatuses(principal)) await visibleChargePoint(api.reads, principal, query.chargePointId)
  const read = (credential?: LogPageQuery['credential']): Promise<LogPage> =>
    reportedOnlyOfVisible(api, asker, query.chargePointId, () =>
      timedPage(api, version, asker, { ...query, accountId, credential }),
    )
  let page = await read(remembered?.credential)
  if ('missing' in page && page.missing === 'credential') {
    await admit()
    page = await read()
  } else remembered?.confirmed()
  if ('missing' in page) throw notFound('charge point')
  return page
}

/** A charge point that the caller may not see is refused first, with nothing else that is wrong. */
export async function reportedOnlyOfVisible<T>(
  { reads }: Pick<Api, 'reads'>,
  { principal }: Pick<Asker, 'principal'>,
  chargePointId: string,
  work: () => T | Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (refusal) {
    await visibleChargePoint(reads, principal, chargePointId)
    throw refusal
  }
}

/** An export asks for its window alone, in its own lane; that is no search to measure. */
async function timedPage(
  { metrics, now, searchLog }: Pick<Api, 'metrics' | 'now' | 'searchLog'>,
  version: 'v1' | 'v2',
  { principal, context }: Asker,
  query: LogPageQuery,
): Promise<LogPage> {
  const { accountId } = principal
  const { signal } = context.req.raw
  if (query.limit === 0) return searchLog({ accountId, lane: 'export', signal }).readLogPage(query)
  const start = now()
  const waited = (ms: number): void => metrics.observeSearchWait('page', version, ms / 1000)
  let countMs: number | undefined
  try {
    const page = await searchLog({ accountId, lane: 'search', signal, waited }).readLogPage(query)
    if ('countMs' in page) countMs = page.countMs
    return page
  } finally {
    metrics.observeSearch('page', version, (now() - start - (countMs ?? 0)) / 1000)
    if (countMs !== undefined) metrics.observeSearch('count', version, countMs / 1000)
  }
}
