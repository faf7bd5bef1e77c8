/** Lists of any length are shown a page at a time, as long as the address asks for. */
import type { Frame } from '../../web/layout.tsx'

type Sized = Pick<Frame, 'pageSize'>

/** What to ask the storage for: one row more than is shown tells whether there is a next page. */
export function rowsAsked({ pageSize }: Sized): number {
  return pageSize + 1
}

export interface PageOfRows<Row> {
  readonly rows: readonly Row[]
  /** The last of the rows, where others follow it. */
  readonly last: Row | undefined
}

export function pageOfRows<Row>(found: readonly Row[], { pageSize }: Sized): PageOfRows<Row> {
  const rows = found.slice(0, pageSize)
  return { rows, last: found.length > pageSize ? rows.at(-1) : undefined }
}
