/** A page of the log before it is searched: its owner, and the query that follows; the same in every engine. */
import { freezeWindow } from '../../domain/message-log/search.ts'
import type { CommandQuery, LogPage, LogPageQuery } from '../../domain/ports/storage.ts'

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
