/**
 * Whether a text is in a list, for half a million rows. SQLite asks a Bloom filter before it looks a value up, but that
 * filter gives all texts the same hash; only numbers differ. So a cheaper condition comes first, which every listed
 * text
 * passes: it affects only speed.
 */

/** `sql` is true, false or, for an absent text, NULL. */
export function isListedText(column: string, values: readonly string[]) {
  const list = JSON.stringify(values)
  const listed = `${column} IN (SELECT value FROM json_each(?))`
  if (beginWithManyNumbers(values)) {
    const number = `CAST(${column} AS INTEGER) IN (SELECT CAST(value AS INTEGER) FROM json_each(?))`
    return { sql: `(${number} AND ${listed})`, values: [list, list] }
  }
  const range = narrowRange(values)
  if (!range) return { sql: listed, values: [list] }
  return { sql: `(${column} BETWEEN ? AND ? AND ${listed})`, values: [...range, list] }
}

/** Equal texts begin with equal numbers; the more numbers there are, the fewer other texts share one of them. */
function beginWithManyNumbers(texts: readonly string[]): boolean {
  const numbers = texts.map((text) => /^[+-]?\d+/.exec(text)?.[0]).filter((number) => number !== undefined)
  return new Set(numbers).size >= texts.length / 2
}

/** First and last in SQLite's order. Undefined without a common beginning: most texts would lie between. */
function narrowRange(texts: readonly string[]): readonly [first: string, last: string] | undefined {
  const sorted = texts.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
  const [first = '', last = ''] = [sorted[0], sorted.at(-1)]
  return first !== '' && first.charAt(0) === last.charAt(0) ? [first, last] : undefined
}
