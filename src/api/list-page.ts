/** Lists page by page: the cursor is bound to the account, the list and its query parameters (SEARCH-Q7, API-G2). */

import type { Fault } from '../domain/message-log/fault.ts'
import type { Principal } from './access/principal.ts'
import type { Api } from './api-parts.ts'
import { invalidRequest, type Problem } from './problem.ts'

const SENTENCES = {
  invalid_cursor: 'is not a cursor of this server: send meta.nextCursor as it was received',
  cursor_expired: 'is older than 7 days: start again with the first page',
  cursor_mismatch: 'belongs to another query: repeat the request of the first page unchanged',
}

/** A cursor of ours whose position is of another shape: an older version wrote it. */
export function foreignCursor(): Problem {
  return invalidRequest([{ pointer: '?cursor', code: 'invalid_cursor', message: SENTENCES.invalid_cursor }])
}

/**
 * Whatever is wrong with a cursor of itself; whether it belongs to the query shows when the query is in order
 * (SEARCH-Q13).
 */
export function cursorFaults(
  { cursors, now }: Pick<Api, 'cursors' | 'now'>,
  cursor: unknown,
  pointer: string,
): readonly Fault[] {
  const code = typeof cursor === 'string' ? cursors.judge(cursor, now()) : undefined
  return code === undefined ? [] : [{ pointer, code, message: SENTENCES[code] }]
}

/** Opens a request's cursor. @throws Problem 400 with the cursor's own code */
export function openCursor(
  { cursors, now }: Pick<Api, 'cursors' | 'now'>,
  cursor: string,
  query: unknown,
  pointer: string,
): readonly (number | string)[] {
  const opened = cursors.open(cursor, query, now())
  if (opened.ok) return opened.position
  throw invalidRequest([{ pointer, code: opened.code, message: SENTENCES[opened.code] }])
}

/** What a list's cursor is bound to. */
export function listQuery(
  list: string,
  principal: Principal,
  query: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const { cursor: _, ...rest } = query
  return { list, account: principal.accountId, query: rest }
}

/**
 * One page of a list that is read with one row more than shown.
 * @param fetch reads at most `limit` rows behind the given id
 */
export async function listPage<Row extends { readonly id: string }>(
  api: Pick<Api, 'cursors' | 'now'>,
  query: { readonly limit: number; readonly cursor?: string | undefined; readonly bound: unknown },
  fetch: (limit: number, lastId: string | undefined) => Promise<readonly Row[]>,
): Promise<{ readonly rows: readonly Row[]; readonly nextCursor?: string }> {
  const lastId = query.cursor === undefined ? undefined : openCursor(api, query.cursor, query.bound, '?cursor')[0]
  if (lastId !== undefined && typeof lastId !== 'string') throw foreignCursor()
  const found = await fetch(query.limit + 1, lastId)
  const rows = found.slice(0, query.limit)
  const last = rows.at(-1)
  const more = found.length > query.limit && last
  return { rows, ...(more && { nextCursor: api.cursors.seal([last.id], query.bound, api.now()) }) }
}

/**
 * One page of a list that is sorted by more than ids, read with one row more than shown.
 * @param fetch reads at most `limit` rows behind the given place
 */
export async function sortedPage<
  Row extends { readonly sortedBy: string | number; readonly view: { readonly id: string } },
>(
  api: Pick<Api, 'cursors' | 'now'>,
  query: { readonly limit: number; readonly cursor?: string | undefined; readonly bound: unknown },
  fetch: (limit: number, after: readonly [string | number, string] | undefined) => Promise<readonly Row[]>,
): Promise<{ readonly rows: readonly Row['view'][]; readonly nextCursor?: string }> {
  const position = query.cursor === undefined ? undefined : openCursor(api, query.cursor, query.bound, '?cursor')
  const found = await fetch(query.limit + 1, position && placeOf(position))
  const rows = found.slice(0, query.limit)
  const last = found.length > query.limit ? rows.at(-1) : undefined
  return {
    rows: rows.map(({ view }) => view),
    ...(last && { nextCursor: api.cursors.seal([last.sortedBy, last.view.id], query.bound, api.now()) }),
  }
}

/** A cursor of a version that sorted by ids alone names one. */
function placeOf([sortedBy, id = sortedBy, ...more]: readonly (number | string)[]): readonly [string | number, string] {
  if (sortedBy === undefined || typeof id !== 'string' || more.length > 0) throw foreignCursor()
  return [sortedBy, id]
}
