/** Which pages of a report have come (DEVICE-A2): as ranges, which are few even where the report is long. */
import type { SequenceRange } from './records.ts'

/** Far more than any report has; what sends on and on has lost its place. */
export const MAX_PAGES = 10_000
/** Gaps in what came: a station that sends pages in so strange an order is not followed any further. */
const MAX_RANGES = 200

/** With this page; the same list when it came before, undefined when it cannot be kept. */
export function withPage(seen: readonly SequenceRange[], page: number): readonly SequenceRange[] | undefined {
  if (!Number.isSafeInteger(page) || page < 0 || page >= MAX_PAGES) return undefined
  if (seen.some(([first, last]) => page >= first && page <= last)) return seen
  const joined: SequenceRange[] = []
  let [first, last] = [page, page]
  for (const range of seen) {
    if (range[1] + 1 === first) first = range[0]
    else if (range[0] - 1 === last) last = range[1]
    else joined.push(range)
  }
  joined.push([first, last])
  joined.sort((one, other) => one[0] - other[0])
  return joined.length > MAX_RANGES ? undefined : joined
}

/** The newest report that had something: pages of two reports may come mixed (DEVICE-A2). */
export function newestReport(seenIn: number | undefined, reportId: number | undefined): number | undefined {
  return seenIn === undefined || reportId === undefined ? (reportId ?? seenIn) : Math.max(seenIn, reportId)
}

export function isWhole(seen: readonly SequenceRange[], lastPage: number | undefined): boolean {
  const [range, ...others] = seen
  return lastPage !== undefined && others.length === 0 && range?.[0] === 0 && range[1] >= lastPage
}
