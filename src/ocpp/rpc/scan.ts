/**
 * Scans JSON text: ids and payloads stay as sent, as parsing loses integers above 2^53 (OCPP-DR3). Linear (OIDC-U9).
 */

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d

/** Source texts of the first `count` elements of an array of `length` that JSON.parse has accepted, trimmed. */
export function arrayElements(text: string, length: number, count: number): readonly string[] {
  const elements: string[] = []
  let start = text.indexOf('[') + 1
  while (elements.length < Math.min(length, count)) {
    const isLast = elements.length === length - 1
    // The payload is nearly always the last element: its end is known without a scan.
    const end = isLast ? text.lastIndexOf(']') : elementEnd(text, start)
    elements.push(text.slice(start, end).trim())
    start = end + 1
  }
  return elements
}

/** Whether nesting exceeds `limit`; also for text that is no JSON. */
export function nestsDeeperThan(text: string, limit: number): boolean {
  // A cheap bound, whatever their order, inside strings or not.
  if (count(text, '[', limit) + count(text, '{', limit) <= limit) return false
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at)
    if (character === QUOTE) at = stringEnd(text, at)
    else if (character === OPEN_BRACKET || character === OPEN_BRACE) {
      depth++
      if (depth > limit) return true
    } else if (character === CLOSE_BRACKET || character === CLOSE_BRACE) depth--
  }
  return false
}

/** Stops counting just beyond `limit`. */
function count(text: string, character: string, limit: number): number {
  let found = 0
  for (let at = text.indexOf(character); at !== -1 && found <= limit; at = text.indexOf(character, at + 1)) found++
  return found
}

/** Position of the comma or bracket that ends the element at `start`. */
function elementEnd(text: string, start: number): number {
  let depth = 0
  for (let at = start; at < text.length; at++) {
    const character = text.charCodeAt(at)
    if (character === QUOTE) at = stringEnd(text, at)
    else if (character === OPEN_BRACKET || character === OPEN_BRACE) depth++
    else if (depth === 0 && (character === COMMA || character === CLOSE_BRACKET)) return at
    else if (character === CLOSE_BRACKET || character === CLOSE_BRACE) depth--
  }
  return text.length
}

/** Position of the closing quote. */
function stringEnd(text: string, open: number): number {
  let close = text.indexOf('"', open + 1)
  while (close !== -1 && isEscaped(text, close)) close = text.indexOf('"', close + 1)
  return close === -1 ? text.length : close
}

/** After an odd number of backslashes. */
function isEscaped(text: string, at: number): boolean {
  let before = at
  while (text.charCodeAt(before - 1) === BACKSLASH) before--
  return (at - before) % 2 === 1
}
