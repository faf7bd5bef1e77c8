import type { Child } from 'hono/jsx'
import type { Role } from '../../web/site.ts'
import type { ConsolePage } from '../console-parts.ts'
import { csvFile } from '../csv-file.ts'
import { answering, type Shown, showing, type Visit } from '../visit.tsx'
import { faultOf } from './filter-form.tsx'
import { type Filters, type ListQuery, readQuery } from './filters.ts'

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
