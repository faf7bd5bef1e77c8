/** Whether a walk was exact: every row that was there once, and none that came later. */

export interface Exactness {
  /** Rows of the log that the walk did not show. */
  readonly missing: number
  /** Rows that it showed again. */
  readonly duplicates: number
  /** Rows that it must not show: newer than its start, or in no log. */
  readonly unexpected: number
  /** Rows that did not come below the one before. */
  readonly outOfOrder: number
}

/** @param expected ids that were there when the walk began @param walked ids as the pages showed them */
export function compareWalk(expected: readonly number[], walked: readonly number[]): Exactness {
  const left = new Set(expected)
  const seen = new Set<number>()
  let duplicates = 0
  let unexpected = 0
  let outOfOrder = 0
  let before = Number.POSITIVE_INFINITY
  for (const id of walked) {
    if (seen.has(id)) duplicates += 1
    else if (!left.delete(id)) unexpected += 1
    if (id >= before) outOfOrder += 1
    seen.add(id)
    before = id
  }
  return { missing: left.size, duplicates, unexpected, outOfOrder }
}

export function isExact({ missing, duplicates, unexpected, outOfOrder }: Exactness): boolean {
  return missing + duplicates + unexpected + outOfOrder === 0
}
