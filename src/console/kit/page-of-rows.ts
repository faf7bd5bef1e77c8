/** Lists of any length are shown a page at a time. */

const PAGE_LENGTH = 50

/** What to ask the storage for: one row more than is shown tells whether there is a next page. */
export const ROWS_ASKED = PAGE_LENGTH + 1

export interface PageOfRows<Row> {
  readonly rows: readonly Row[]
  /** The last of the rows, where others follow it. */
  readonly last: Row | undefined
}

export function pageOfRows<Row>(found: readonly Row[]): PageOfRows<Row> {
  const rows = found.slice(0, PAGE_LENGTH)
  return { rows, last: found.length > PAGE_LENGTH ? rows.at(-1) : undefined }
}
