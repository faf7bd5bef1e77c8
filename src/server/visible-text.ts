/**
 * Text from outside on somebody's terminal. Ids, names and headers are chosen by strangers: an escape sequence would
 * colour, move or overwrite what stands there, a line feed would begin a line that looks like ours, and a bidi control
 * would show the rest backwards. All of them are written as they are in JSON, so JSON text keeps its meaning.
 */

import { UNPRINTABLE } from '../domain/typed-text.ts'

const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** One value within a line. */
export function visible(text: string): string {
  return text.replace(UNPRINTABLE, escaped)
}

/** Whole lines that we wrote, with such values in them: our own line feeds stay. */
export function visibleLines(text: string): string {
  return text.replace(UNPRINTABLE, (character) => (character === '\n' ? character : escaped(character)))
}

function escaped(character: string): string {
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at))
  return SHORT[character] ?? units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('')
}
