/** How far something that is wanted of a fleet has come: counts of all, and a page of charge points (CONFIG-A11). */
import { PAGE_DEFAULT } from '../../application/schemas/common.ts'
import { countsOf, type StationStatus } from '../../domain/configuration/status.ts'
import type { IntentState } from '../../domain/intents/records.ts'
import type { Api } from '../api-parts.ts'
import { listPage } from '../list-page.ts'
import { json } from '../respond.ts'

interface StatusQuery {
  readonly state?: IntentState | undefined
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
}

/** @param bound what its cursor belongs to */
export async function statusPage(
  api: Pick<Api, 'cursors' | 'now'>,
  all: readonly StationStatus[],
  { state, limit = PAGE_DEFAULT, cursor }: StatusQuery,
  bound: unknown,
): Promise<Response> {
  const fitting = all
    .filter((status) => state === undefined || status.state === state)
    .map((status) => ({ id: status.evseControllerId, status }))
    .sort((one, other) => (one.id < other.id ? -1 : 1))
  const { rows, nextCursor } = await listPage(api, { limit, cursor, bound }, async (count, afterId) =>
    fitting.filter(({ id }) => afterId === undefined || id > afterId).slice(0, count),
  )
  return json({ counts: countsOf(all), data: rows.map(({ status }) => status), meta: { nextCursor } })
}
