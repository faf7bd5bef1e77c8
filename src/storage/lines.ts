/** The reader threads' line in which a query waits (SEARCH-Q12). */

import type { Reads, Turn } from '../domain/ports/storage.ts'
import type { Line } from '../threads/turns.ts'
import { READS } from './operations.ts'

/** SEARCH-Q10. */
const QUERY_LIMIT_MS = 5000
/** More than an account may send in a minute (API-E2): a caller within its rate is never refused. */
const MAX_QUERIES = 500

/** @param queries the number of the log's queries in it: each has its time */
export function lineOf({ lane, accountId }: Turn, queries: number): Line {
  return { key: `${lane} ${accountId}`, limitMs: queries * QUERY_LIMIT_MS, most: MAX_QUERIES }
}

/** The line of a list; undefined for operations that wait for no other, or only take a turn on request. */
export function lineOfList(name: keyof Reads, args: readonly unknown[]): Line | undefined {
  const { waits } = READS[name]
  return typeof waits === 'function' ? { key: (waits as (...args: readonly unknown[]) => string)(...args) } : undefined
}
