import type { PagedList, Span } from '../wire/pages.ts'

/** Rows that are all in memory, in pages. */
export function listed<Row>(
  all: readonly Row[],
  timeOf: (row: Row) => number,
  id: (row: Row) => string,
): Omit<PagedList<Row>, 'show'> {
  const sorted = [...all].sort((a, b) => (id(a) < id(b) ? -1 : 1))
  const within = ({ from = 0, below = Number.POSITIVE_INFINITY }: Span) =>
    sorted.filter((row) => timeOf(row) >= from && timeOf(row) < below)
  return {
    count: async (span) => within(span).length,
    rows: async (span, limit, after = '') =>
      within(span)
        .filter((row) => id(row) > after)
        .slice(0, limit),
    id,
  }
}
