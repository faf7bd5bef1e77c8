/** Text from outside, with escapes, line feeds and bidi controls written as in JSON, so none steers a terminal. */

import { UNPRINTABLE } from '../domain/typed-text.ts'

const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

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
