/** Walking the log, always downwards over a window that the first page froze (SEARCH-Q5, SEARCH-Q8, SEARCH-C4). */

import type { SearchFilter } from '../ports/search-filter.ts'
import type { Command, ExportChunk, ExportFormat, Reads } from '../ports/storage.ts'
import type { Window } from './search-window.ts'

export interface FrozenSearch {
  readonly chargePointId: string
  readonly window: Window
  readonly filter: SearchFilter
}

interface SearchPage {
  readonly rows: readonly Command[]
  /** Present while rows remain below it. */
  readonly lastId?: number | undefined
}

/** The page of a search that read one row more than it shows, so an exact multiple gives no empty extra page. */
export function searchPage(found: readonly Command[], limit: number): SearchPage {
  const rows = found.slice(0, limit)
  const last = rows.at(-1)
  return { rows, ...(found.length > limit && last && { lastId: last.id }) }
}

/** Text chunk by chunk, as asked for. No transaction spans two chunks: it would hold up the write-ahead log. */
export async function* exportAll(
  reads: Pick<Reads, 'exportCommands'>,
  search: FrozenSearch,
  format: ExportFormat,
): AsyncGenerator<ExportChunk, void, undefined> {
  if (isEmpty(search)) return
  let belowId: number | undefined
  do {
    const chunk: ExportChunk = await reads.exportCommands({ ...query(search), limit: CHUNK_ROWS, belowId }, format)
    belowId = chunk.lastId
    yield chunk
  } while (belowId !== undefined)
}

export async function* searchAll(
  reads: Pick<Reads, 'searchCommands'>,
  search: FrozenSearch,
  limit: number,
): AsyncGenerator<readonly Command[], void, undefined> {
  if (isEmpty(search)) return
  let belowId: number | undefined
  do {
    const asked = { ...query(search), limit: limit + 1, belowId }
    const page = searchPage(await reads.searchCommands(asked), limit)
    belowId = page.lastId
    yield page.rows
  } while (belowId !== undefined)
}

/** SEARCH-C4: a chunk of this size keeps the reader busy for a few milliseconds. */
const CHUNK_ROWS = 1000

export async function countAll(
  reads: Pick<Reads, 'countCommands'>,
  search: FrozenSearch,
): Promise<{ readonly value: number; readonly isExact: boolean }> {
  return isEmpty(search) ? { value: 0, isExact: true } : reads.countCommands({ ...query(search), limit: 0 })
}

function query({ chargePointId, window, filter }: FrozenSearch): FrozenSearch['window'] & {
  chargePointId: string
  filter: SearchFilter
} {
  return { chargePointId, ...window, filter }
}

function isEmpty({ window }: FrozenSearch): boolean {
  return window.fromId >= window.toId
}
