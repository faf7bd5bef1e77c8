/**
 * Whether a text is one of a list, for half a million rows. SQLite asks a Bloom filter before it looks a value up, but
 * that filter gives all texts the same hash; numbers it tells apart. So a number made of the text is looked for first.
 * Equal texts make equal numbers, whatever the number: it decides about speed only.
 */

/** A number in SQL, made of a text. */
type NumberOf = (text: string) => string

/** @returns SQL that is true, false or, for an absent text, NULL; each `?` stands for the list as JSON */
export function isListedText(
  column: string,
  values: readonly string[],
): { readonly sql: string; readonly lists: 1 | 2 } {
  const listed = `${column} IN (SELECT value FROM json_each(?))`
  const numberOf = tellingNumber(values)
  if (!numberOf) return { sql: listed, lists: 1 }
  return {
    sql: `(${numberOf(column)} IN (SELECT ${numberOf('value')} FROM json_each(?)) AND ${listed})`,
    lists: 2,
  }
}

const atStart: NumberOf = (text) => `CAST(${text} AS INTEGER)`
const atEnd =
  (length: number): NumberOf =>
  (text) =>
    `CAST(substr(${text}, -${length}) AS INTEGER)`

/** Longer ends tell more apart, as long as they are digits. */
const END_LENGTHS = [6, 5, 4, 3]

/** Undefined when the texts differ in no digits that are quick to find. */
function tellingNumber(values: readonly string[]): NumberOf | undefined {
  if (areToldApart(values)) return atStart
  const length = END_LENGTHS.find((length) => areToldApart(values.map((value) => value.slice(-length))))
  return length === undefined ? undefined : atEnd(length)
}

function areToldApart(texts: readonly string[]): boolean {
  const numbers = texts.map((text) => /^[+-]?\d+/.exec(text)?.[0])
  return new Set(numbers.filter((number) => number !== undefined)).size >= texts.length / 2
}
