import type { PagedList, Span } from '../wire/pages.ts'

/** Rows that are all in memory, in pages. @param time the member that says when a row changed @param name its id */
export function listed<
  Row extends Readonly<Record<Time, number> & Record<Name, string>>,
  Time extends string,
  Name extends string,
>(all: readonly Row[], time: Time, name: Name): Omit<PagedList<Row>, 'show'> {
  const id = (row: Row): string => row[name]
  const sorted = [...all].sort((a, b) => (id(a) < id(b) ? -1 : 1))
  const within = ({ from = 0, below = Number.POSITIVE_INFINITY }: Span) =>
    sorted.filter((row) => row[time] >= from && row[time] < below)
  return {
    count: async (span) => within(span).length,
    rows: async (span, limit, after = '') =>
      within(span)
        .filter((row) => id(row) > after)
        .slice(0, limit),
    id,
  }
}
