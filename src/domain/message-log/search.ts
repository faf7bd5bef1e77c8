/** Walking the log, always downwards over a window that the first page froze (SEARCH-Q5, SEARCH-Q8, SEARCH-C4). */

import type { SearchFilter } from '../ports/search-filter.ts'
import type { Reads } from '../ports/storage.ts'
import type { ExportChunk, ExportFormat } from '../ports/storage-queries.ts'
import type { Command } from '../ports/storage-records.ts'
import { type Parsed, refused } from './fault.ts'
import { logIdAt } from './log-id.ts'

export interface FrozenSearch {
  readonly chargePointId: string
  readonly window: Window
  readonly filter: SearchFilter
}

interface SearchPage {
  readonly rows: readonly Command[]
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

/** A search's window in log ids: inclusive start, exclusive end, frozen by the first page (SEARCH-Q3, SEARCH-Q8). */
export interface Bounds {
  readonly fromMs: number
  readonly toMs?: number | undefined
}

export interface Window {
  readonly fromId: number
  readonly toId: number
}

export const WINDOW_HINT = 'must be later than from: the window includes from and excludes to'

/** The bounds as the request gives them. Parts finer than a millisecond round up; `from` must lie before `to`. */
export function readBounds(from: string, to: string | undefined): Parsed<Bounds> {
  const start = parseInstant(from)
  const end = to === undefined ? undefined : parseInstant(to)
  const notTimes = [...(start ? [] : ['/from']), ...(end || to === undefined ? [] : ['/to'])]
  if (!start || notTimes.length > 0) {
    const faults = notTimes.map((pointer) => ({ pointer, code: 'invalid_time', message: INSTANT_HINT }))
    return { ok: false, faults }
  }
  if (!end) return { ok: true, value: { fromMs: start.ceilMs } }
  if (start.ceilMs >= end.ceilMs) return refused('/to', 'invalid_window', WINDOW_HINT)
  return { ok: true, value: { fromMs: start.ceilMs, toMs: end.ceilMs } }
}

/** Ends at the newest id, not the clock: rows from before the request are found after a step back, later ones never. */
export function freezeWindow({ fromMs, toMs }: Bounds, newestId: number): Window {
  const end = newestId + 1
  return { fromId: logIdAt(fromMs), toId: toMs === undefined ? end : Math.min(logIdAt(toMs), end) }
}

/** RFC 3339 times as clients send them: with an offset or `Z`, down to any fraction of a second (SEARCH-Q3). */
const RFC3339 =
  /^(\d{4}-\d\d-(\d\d))T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.(\d{1,32}))?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/

interface Instant {
  readonly floorMs: number
  /** The first whole millisecond not before the instant. */
  readonly ceilMs: number
}

/** Undefined for anything that names no instant: date only, no offset, 30 February, leap seconds. */
export function parseInstant(text: string): Instant | undefined {
  const upper = text.toUpperCase()
  const [, date = '', day = '', fraction = ''] = RFC3339.exec(upper) ?? []
  // JavaScript takes 30 February for 2 March.
  if (new Date(`${date}T00:00:00Z`).getUTCDate() !== Number(day)) return undefined
  const floorMs = Date.parse(upper)
  return { floorMs, ceilMs: /[1-9]/.test(fraction.slice(3)) ? floorMs + 1 : floorMs }
}

/** Among query parameters `+` is a blank unless it was encoded: `…T00:00:00+02:00` is meant as it stands. */
export function withPlus(text: string): string {
  return text.replace(/ (?=\d\d:\d\d$)/, '+')
}

export const INSTANT_HINT = 'must be an RFC 3339 time with Z or an offset, such as 2026-08-01T00:00:00Z'
