import type { Child } from 'hono/jsx'
import type { Frame } from '../../web/entries.tsx'
import type { Role } from '../../web/site.ts'
import type { ConsolePage } from '../console-parts.ts'
import { csvFile } from '../csv-file.ts'
import { answering, type Shown, showing, type Visit } from '../visit.tsx'
import { type Filters, type ListQuery, readQuery } from './filters.ts'
import { faultOf } from './list.tsx'

export function queryOf<Declared extends Filters>(
  { context, frame }: Pick<Visit, 'context' | 'frame'>,
  filters: Declared,
): ListQuery<Declared> {
  return readQuery(filters, new URL(context.req.url).searchParams, frame)
}

/** @param show undefined: no such list; with an invalid filter it shows what was asked and reads nothing */
export function listing<Declared extends Filters>(
  who: Role,
  filters: Declared,
  show: (visit: Visit, query: ListQuery<Declared>) => Promise<Child | Shown | undefined>,
): ConsolePage {
  return showing(who, async (visit) => {
    const query = queryOf(visit, filters)
    const page = await show(visit, query)
    return query.wrong.length > 0 && page !== undefined ? { page: page as Child, status: 400 } : page
  })
}

interface ListFile {
  readonly name: string
  readonly chunks: AsyncGenerator<string | Uint8Array, void, undefined>
}

/** @param make undefined: there is no such list */
export function listFile<Declared extends Filters>(
  who: Role,
  filters: Declared,
  make: (visit: Visit, query: ListQuery<Declared>) => Promise<ListFile | undefined>,
): ConsolePage {
  return answering(who, async (visit) => {
    const query = queryOf(visit, filters)
    if (query.wrong.length > 0) {
      return new Response(faultOf(visit.frame, filters, query), {
        status: 400,
        headers: { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' },
      })
    }
    const file = await make(visit, query)
    return file && csvFile(visit.context, file)
  })
}

type Sized = Pick<Frame, 'pageSize'>

/** One row more than is shown, which says whether there is a next page. */
export function rowsAsked({ pageSize }: Sized): number {
  return pageSize + 1
}

interface PageOfRows<Row> {
  readonly rows: readonly Row[]
  readonly last: Row | undefined
}

export function pageOfRows<Row>(found: readonly Row[], { pageSize }: Sized): PageOfRows<Row> {
  const rows = found.slice(0, pageSize)
  return { rows, last: found.length > pageSize ? rows.at(-1) : undefined }
}
