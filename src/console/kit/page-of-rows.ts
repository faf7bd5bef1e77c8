import type { Frame } from '../../web/layout.tsx'

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
