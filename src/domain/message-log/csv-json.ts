/** JSON as a field of a CSV line (SEARCH-C2, SEARCH-C3): minified, and its quotes doubled, byte by byte. */

const QUOTE = 0x22
const BACKSLASH = 0x5c
const SPACE = 0x20

/** Drops white space between tokens, which stay as they are: big integers survive. A `Rewrite` of text in UTF-8. */
export function minifyAndDoubleQuotes(from: Uint8Array, count: number, to: Uint8Array, at: number): number {
  let end = at
  for (let position = 0; position < count; position++) {
    const byte = from[position] ?? 0
    // Hardly any charge point sends white space, and without it nothing has to be told apart but quotes.
    if (byte <= SPACE) return minifyAll(from, count, to, at)
    to[end++] = byte
    if (byte === QUOTE) to[end++] = QUOTE
  }
  return end
}

function minifyAll(from: Uint8Array, count: number, to: Uint8Array, at: number): number {
  let end = at
  let inString = false
  let escaped = false
  for (let position = 0; position < count; position++) {
    const byte = from[position] ?? 0
    if (byte === QUOTE) {
      if (!escaped) inString = !inString
      escaped = false
      to[end++] = QUOTE
    } else if (inString) escaped = byte === BACKSLASH && !escaped
    else if (byte <= SPACE) continue
    to[end++] = byte
  }
  return end
}
