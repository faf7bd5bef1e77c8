/** In which line of the reader threads a query waits (SEARCH-Q12). */

import type { Reads, Turn } from '../domain/ports/storage.ts'
import type { Line } from '../threads/turns.ts'
import { READS } from './operations.ts'

/** SEARCH-Q10. */
const QUERY_LIMIT_MS = 5000
/** More than an account may send in a minute (API-E2): a caller that keeps to the rate is never refused. */
const MAX_QUERIES = 500

/** @param queries of the log that the work is made of: each has its time */
export function lineOf({ lane, accountId }: Turn, queries: number): Line {
  return { key: `${lane} ${accountId}`, limitMs: queries * QUERY_LIMIT_MS, most: MAX_QUERIES }
}

/** The line of a list; undefined for what waits for nobody, or only when its caller asks for a turn. */
export function lineOfList(name: keyof Reads, args: readonly unknown[]): Line | undefined {
  const { waits } = READS[name]
  return typeof waits === 'function' ? { key: (waits as (...args: readonly unknown[]) => string)(...args) } : undefined
}
