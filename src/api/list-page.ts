/** Lists page by page: the cursor is bound to the account, the list and its query parameters (SEARCH-Q7, API-G2). */

import { PAGE_DEFAULT } from '../application/schemas/common.ts'
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

/** What is wrong with a cursor by itself; whether it fits the query shows when the query is in order (SEARCH-Q13). */
export function cursorFaults(
  { cursors, now }: Pick<Api, 'cursors' | 'now'>,
  cursor: unknown,
  pointer: string,
): readonly Fault[] {
  const code = typeof cursor === 'string' ? cursors.judge(cursor, now()) : undefined
  return code === undefined ? [] : [{ pointer, code, message: SENTENCES[code] }]
}

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

export function listQuery(
  list: string,
  principal: Principal,
  query: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const { cursor: _, ...rest } = query
  return { list, account: principal.accountId, query: rest }
}

export type CursorKey = readonly (number | string)[] | readonly []

interface List<Row, At extends CursorKey> {
  readonly name: string
  readonly bound?: object | undefined
  readonly place?: (row: Row) => At
  readonly isPlace?: (position: CursorKey) => position is At
  readonly rows: (limit: number, after: At | undefined) => Promise<readonly Row[]>
  readonly show: (rows: readonly Row[]) => readonly object[] | Promise<readonly object[]>
}

export async function pageOf<Row, At extends CursorKey = readonly [string]>(
  api: Pick<Api, 'cursors' | 'now'>,
  { principal, query }: { readonly principal: Principal; readonly query: PageQuery },
  { name, bound, place = idOf as never, isPlace = isText as never, rows, show }: List<Row, At>,
): Promise<{ readonly data: readonly object[]; readonly meta: { readonly nextCursor?: string | undefined } }> {
  const { limit = PAGE_DEFAULT, cursor } = query
  const sealedFor = listQuery(name, principal, { ...query, limit, ...bound })
  const after = cursor === undefined ? undefined : openCursor(api, cursor, sealedFor, '?cursor')
  if (after && !isPlace(after)) throw foreignCursor()
  const found = await rows(limit + 1, after)
  const shown = found.slice(0, limit)
  const last = found.length > limit ? shown.at(-1) : undefined
  const nextCursor = last && api.cursors.seal(place(last), sealedFor, api.now())
  return { data: await show(shown), meta: { nextCursor } }
}

interface PageQuery {
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
}

function idOf({ id }: { readonly id: string }): readonly [string] {
  return [id]
}

function isText(position: CursorKey): position is readonly [string] {
  return position.length === 1 && typeof position[0] === 'string'
}

export function isNumber(position: CursorKey): position is readonly [number] {
  return position.length === 1 && typeof position[0] === 'number'
}
