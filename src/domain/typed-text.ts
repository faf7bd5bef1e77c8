import type { Fault } from './message-log/fault.ts'
/** Texts that people type: their length in code points (as in JSON Schema and OCPP), and nothing invisible in them. */

export interface TextRule {
  readonly most: number
  readonly mayBeEmpty?: true
  /** Line feeds, where it is shown on a display of its own. */
  readonly mayHaveLines?: true
}

/** Of accounts, users, credentials, charge points and alert rules. */
export const NAME: TextRule = { most: 200 }
export const DESCRIPTION: TextRule = { most: 255 }
/** An app's own name for a session. */
export const REFERENCE: TextRule = { most: 255 }
export const LABEL_VALUE: TextRule = { most: 255, mayBeEmpty: true }
/** OCPP 2.1; one that is longer than an older version allows is never sent to its charge points (OCPP21-B3). */
export const ID_TOKEN: TextRule = { most: 255 }

/** What ends a line, hides or turns text: controls, formats, line and paragraph separators, halves of pairs. */
export const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu
/** The same without the joiners that emoji and Persian need. */
const UNTYPED = new RegExp(`(?![\\u200C\\u200D])${UNPRINTABLE.source}`, 'u')
const ALL_UNTYPED = new RegExp(`(?:${UNTYPED.source})+`, 'gu')

/** Whether something in it is invisible, so that a reader sees another text. */
export function hasUntyped(text: string): boolean {
  return UNTYPED.test(text)
}

/** What is wrong with a text; work is bounded whatever was sent. */
export function textFault(
  text: string,
  { most, mayBeEmpty, mayHaveLines }: TextRule,
): Omit<Fault, 'pointer'> | undefined {
  if (text === '' && !mayBeEmpty) return { code: 'out_of_range', message: 'must not be empty' }
  if (text.length > 2 * most || [...text].length > most) {
    return { code: 'out_of_range', message: `must be at most ${most} characters long` }
  }
  const [found] = UNTYPED.exec(mayHaveLines ? text.replaceAll('\n', ' ') : text) ?? []
  return found === undefined ? undefined : { code: 'invalid_value', message: untyped(found) }
}

/** @example untyped('\u2028') === 'must not contain line separators (U+2028)' */
function untyped(character: string): string {
  const code = `U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`
  if (/\p{Cc}/u.test(character)) return `must not contain control characters (${code})`
  if (/\p{Zl}/u.test(character)) return `must not contain line separators (${code})`
  if (/\p{Zp}/u.test(character)) return `must not contain paragraph separators (${code})`
  if (/\p{Cs}/u.test(character)) return `must not contain halves of surrogate pairs (${code})`
  return `must not contain invisible characters (${code})`
}

/** Text of others within a line of ours (ALERT-M4). @param most characters; a longer text ends with an ellipsis */
export function oneLine(text: string, most: number): string {
  const line = text
    .slice(0, 4 * most)
    .replace(ALL_UNTYPED, ' ')
    .trim()
  const characters = [...line]
  return characters.length <= most ? line : `${characters.slice(0, most - 1).join('')}…`
}
