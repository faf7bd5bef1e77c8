import type { Session } from './ports/sessions.ts'
import type { Reads } from './ports/storage.ts'
import type { ChargePointQuery, SessionQuery, SortedChargePoint } from './ports/storage-queries.ts'

/** So many rows are read in a moment, so no other read waits long. */
const PAGE_ROWS = 500

/** A page of the rows behind `last`; undefined: from the start. */
export type ReadPage<Row> = (last: Row | undefined, limit: number) => Promise<readonly Row[]>

/** No page is empty. */
export async function* everyPage<Row>(read: ReadPage<Row>, limit = PAGE_ROWS): AsyncGenerator<readonly Row[], void> {
  let last: Row | undefined
  do {
    const page = await read(last, limit)
    if (page.length > 0) yield page
    last = page.length < limit ? undefined : page.at(-1)
  } while (last !== undefined)
}

export async function everyRow<Row>(read: ReadPage<Row>): Promise<readonly Row[]> {
  const rows: Row[] = []
  for await (const page of everyPage(read)) rows.push(...page)
  return rows
}

export function sessionPages(
  reads: Pick<Reads, 'listSessions'>,
  query: Omit<SessionQuery, 'limit' | 'belowId'>,
): AsyncGenerator<readonly Session[], void> {
  return everyPage((last, limit) => reads.listSessions({ ...query, limit, belowId: last?.id }))
}

export function foundPages(
  reads: Pick<Reads, 'findChargePoints'>,
  query: Omit<ChargePointQuery, 'limit' | 'after'>,
): AsyncGenerator<readonly SortedChargePoint[], void> {
  return everyPage((last, limit) =>
    reads.findChargePoints({ ...query, limit, after: last && [last.sortedBy, last.view.id] }),
  )
}
