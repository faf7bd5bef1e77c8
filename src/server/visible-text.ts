/**
 * Text from outside on somebody's terminal. Ids, names and headers are chosen by strangers: an escape sequence would
 * colour, move or overwrite what stands there, a line feed would begin a line that looks like ours, and a bidi control
 * would show the rest backwards. All of them are written as they are in JSON, so JSON text keeps its meaning.
 */

/**
 * Control characters (C0, DEL, C1), format characters (bidi, zero width, tags), line and paragraph separators,
 * half pairs.
 */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu
const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** One value within a line. */
export function visible(text: string): string {
  return text.replace(UNSEEN, escaped)
}

/** Whole lines that we wrote, with such values in them: our own line feeds stay. */
export function visibleLines(text: string): string {
  return text.replace(UNSEEN, (character) => (character === '\n' ? character : escaped(character)))
}

function escaped(character: string): string {
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at))
  return SHORT[character] ?? units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('')
}
