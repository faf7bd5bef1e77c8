/** In which line of the reader threads a query waits (SEARCH-Q12). */

import type { Reads, Turn } from '../../ports/storage.ts'
import type { Line } from '../../threads/turns.ts'

/** SEARCH-Q10. */
export const QUERY_LIMIT_MS = 5000
/** More than an account may send in a minute (API-E2): whoever keeps to the rate is never refused. */
const MOST_QUERIES = 500

export function lineOf({ lane, accountId }: Turn): Line {
  return { key: `${lane} ${accountId}`, limitMs: QUERY_LIMIT_MS, most: MOST_QUERIES }
}

/** Lists are as long as an account is large, so one account's wait for each other and not the others' for them. */
const LISTS: { readonly [Name in keyof Reads]?: (...args: Parameters<Reads[Name]>) => string } = {
  listUsers: (accountId) => accountId,
  listCredentials: (accountId) => accountId,
  listChargePoints: (accountId) => accountId,
  listIdTokens: (accountId) => accountId,
  listSessions: ({ accountId }) => accountId,
  listClients: (accountId) => accountId,
  listGrants: ({ accountId }) => accountId,
  listAuditEvents: ({ accountId }) => accountId,
  listSubscriptions: ({ accountId }) => accountId,
  listGrantSubscriptions: ({ accountId }) => accountId,
  listDeliveries: ({ subscriptionId }) => subscriptionId,
  listEvents: ({ accountId }) => accountId,
  listTariffs: (accountId) => accountId,
}

/** The line of a list; undefined for a look-up, which waits for nobody. */
export function lineOfList(name: keyof Reads, args: readonly unknown[]): Line | undefined {
  const key = LISTS[name] as ((...args: readonly unknown[]) => string) | undefined
  return key && { key: key(...args) }
}
