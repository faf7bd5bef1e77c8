/**
 * Lists in pages (OCPI-A2), complete and without doubles while data changes: rows come in the order of their ids, which
 * never change, and the link to the next page names the last id beside the offset. In the order of `lastUpdated` each
 * change during a pull would move a row to the end, and hide the first row of the next page.
 */
import { z } from '@hono/zod-openapi'
import { ocpiTime, readFields } from './fields.ts'
import type { OcpiAnswer, OcpiRequest } from './module.ts'
import { parseOcpiTime } from './times.ts'

/** Of `lastUpdated`, ms since the epoch. */
export interface Span {
  readonly from?: number | undefined
  readonly below?: number | undefined
}

export interface PagedList<Row> {
  /** At most so many in a page; `X-Limit`. */
  readonly most?: number | undefined
  readonly count: (span: Span) => Promise<number>
  /** In the order of `id`, behind `after`. */
  readonly rows: (span: Span, limit: number, after: string | undefined) => Promise<readonly Row[]>
  readonly id: (row: Row) => string
  readonly show: (rows: readonly Row[]) => readonly object[] | Promise<readonly object[]>
}

const MAX_PAGE = 500
/** Counted no further. */
export const MAX_COUNT = 10_000_000
/** Rows that are passed over at a time for a caller that counts instead of following the link. */
const SKIPPED = 1000

/** A request for a page, wherever its address stands below `/ocpi/`. */
export interface PageRequest extends Pick<OcpiRequest, 'query' | 'path'> {
  readonly version: string
  readonly context: { readonly settings: { readonly baseUrl: string } }
}

export async function pageOf<Row>(request: PageRequest, list: PagedList<Row>): Promise<OcpiAnswer> {
  const { most = MAX_PAGE, count, rows, id, show } = list
  const asked = readFields(Query, Object.fromEntries([...request.query].filter(([, value]) => value !== '')))
  if (!asked.ok) return asked.answer
  const { date_from: from, date_to: below, offset = 0 } = asked.value
  const span = { from, below }
  const limit = Math.min(asked.value.limit ?? most, most)
  const total = asked.value.total ?? (await count(span))
  const after = asked.value.after ?? (await lastOf(list, span, offset))
  const found = after === null ? [] : await rows(span, limit + 1, after)
  const shown = found.slice(0, limit)
  const last = found.length > limit ? shown.at(-1) : undefined
  return {
    data: await show(shown),
    headers: {
      'x-total-count': String(Math.max(total, offset + shown.length)),
      'x-limit': String(most),
      ...(last && { link: nextLink(request, { offset: offset + limit, limit, total, after: id(last) }) }),
    },
  }
}

const whole = (least: number) =>
  z
    .string()
    .refine((text) => /^\d{1,9}$/.test(text) && Number(text) >= least, `must be a whole number from ${least}`)
    .transform(Number)
    .optional()
const time = ocpiTime.transform(parseOcpiTime).optional()
/** `after` and `total` stand in our links. */
const Query = z.object({
  date_from: time,
  date_to: time,
  offset: whole(0),
  limit: whole(1),
  after: z.string().optional(),
  total: whole(0),
})

/** The id behind which the page begins; null: there are not so many. */
async function lastOf<Row>(
  { rows, id }: PagedList<Row>,
  span: Span,
  offset: number,
): Promise<string | undefined | null> {
  let after: string | undefined
  for (let left = offset; left > 0; ) {
    const passed = await rows(span, Math.min(left, SKIPPED), after)
    const last = passed.at(-1)
    if (!last) return null
    after = id(last)
    left -= passed.length
  }
  return after
}

function nextLink(
  { context, query, version, path }: PageRequest,
  next: Readonly<Record<string, string | number>>,
): string {
  const search = new URLSearchParams(query)
  for (const [name, value] of Object.entries(next)) search.set(name, String(value))
  return `<${context.settings.baseUrl}/ocpi/${version}${path}?${search}>; rel="next"`
}
