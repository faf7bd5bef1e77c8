/** A walk through the whole log of a charge point, page by page, as a client does it. */
import { uuidToLogId } from '../../src/domain/message-log/log-id.ts'
import type { SearchApi } from '../search/api.ts'

export interface Walk {
  /** Log ids in the order of the pages; -1 for a row that this database cannot have. */
  readonly ids: readonly number[]
  readonly pages: number
}

interface Page {
  readonly data: readonly { readonly id: string }[]
  readonly meta: { readonly nextCursor?: string }
}

/** The longest page, so that a walk of a million rows takes 2,000 requests. */
const PAGE_ROWS = 500

/** @param afterFirst is called once the first page has frozen the window */
export async function walkAll(
  { search }: Pick<SearchApi, 'search'>,
  chargePointId: string,
  salt: bigint,
  afterFirst: () => void,
): Promise<Walk> {
  const ids: number[] = []
  let pages = 0
  let cursor: string | undefined
  do {
    const page = (await (await search(chargePointId, { limit: PAGE_ROWS, cursor })).json()) as Page
    for (const { id } of page.data) ids.push(uuidToLogId(id, salt) ?? -1)
    pages += 1
    if (pages === 1) afterFirst()
    cursor = page.meta.nextCursor
  } while (cursor !== undefined)
  return { ids, pages }
}
