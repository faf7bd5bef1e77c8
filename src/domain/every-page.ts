/** Lists that are given a page at a time, read to their end. */

/** So many rows are read in a moment; nobody waits long for one read. */
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
