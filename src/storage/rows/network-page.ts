import { freezeWindow } from '../../domain/message-log/search.ts'
import type {
  CommandQuery,
  LogPage,
  LogPageQuery,
  NetworkLogPage,
  NetworkLogQuery,
} from '../../domain/ports/storage-queries.ts'
import type { Command } from '../../domain/ports/storage-records.ts'

/**
 * The log of a whole account, searched backwards in parts: the index starts with the charge points, so a part costs a
 * probe for each, and then its rows. Parts are narrow at first, as a page is mostly found among the newest rows, and
 * widen while they cost little.
 */

/** In log ids. */
const SECOND = 1000 * 4096
const MAX_CHANGE = 8

/** A part of the window, and how many of its newest rows to read. */
interface NetworkPart {
  readonly fromId: number
  /** Exclusive. */
  readonly below: number
  readonly requested: number
}

interface Found {
  readonly rows: readonly Command[]
  readonly tookMs: number
}

/** Asks its engine part by part. @param targetMs what one part should take */
export function* networkPage(query: NetworkLogQuery, targetMs: number): Generator<NetworkPart, NetworkLogPage, Found> {
  const { fromId, toId, belowId = toId, limit, workMs } = query
  const rows: Command[] = []
  let spentMs = 0
  let width = SECOND
  for (let below = Math.min(toId, belowId); below > fromId; ) {
    const part = { fromId: Math.max(fromId, below - width), below, requested: limit - rows.length }
    const found = yield part
    rows.push(...found.rows)
    if (rows.length >= limit) return { rows }
    below = part.fromId
    spentMs += found.tookMs
    if (spentMs >= workMs && below > fromId) return { rows, lookedTo: below }
    const change = targetMs / Math.max(found.tookMs, 1)
    width = Math.ceil(width * Math.max(1 / MAX_CHANGE, Math.min(MAX_CHANGE, change)))
  }
  return { rows }
}

/** For LIKE with `\` as its escape: the text anywhere. */
export function containing(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
}

/** A page of the log before it is searched: its owner, and the query that follows; the same in every engine. */
export interface PageOwner {
  readonly credential:
    | {
        readonly accountId: string | null
        readonly secretHash: string | null
        readonly expiresAt: number | null
        readonly revokedAt: number | null
        /** As JSON. */
        readonly scopes: string | null
      }
    | undefined
  readonly owner: string | null | undefined
  readonly newest: number | null | undefined
}

/** The answer where there is nothing to search, else the search. */
export function openPage(query: LogPageQuery, who: PageOwner): LogPage | { readonly asked: CommandQuery } {
  if (!isAsItWas(query, who)) return { missing: 'credential' }
  if (who.owner !== query.accountId) return { missing: 'chargePoint' }
  const { chargePointId, filter, limit, belowId, offset, count } = query
  const window = freezeWindow(query, query.newestId ?? who.newest ?? 0)
  if (window.fromId < window.toId) return { asked: { chargePointId, ...window, filter, limit, belowId, offset } }
  return { window, rows: [], ...(count && { total: { value: 0, isExact: true }, countMs: 0 }) }
}

function isAsItWas({ accountId, credential }: LogPageQuery, { credential: now }: PageOwner): boolean {
  if (!credential) return true
  return (
    now?.accountId === accountId &&
    now.secretHash === credential.secretHash &&
    now.expiresAt === (credential.expiresAt ?? null) &&
    now.revokedAt === null &&
    now.scopes === (credential.scopes ? JSON.stringify(credential.scopes) : null)
  )
}
