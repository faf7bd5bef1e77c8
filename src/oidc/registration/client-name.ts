import LOOK_ALIKES from './look-alikes.json' with { type: 'json' }

/** What an application may call itself (OIDC-G5, OIDC-R9): people decide by this name whether they trust it. Pure. */

const MAX_CHARACTERS = 100
/** The letters of a shorter host, such as ev.io, stand within many an honest name: there whole words count. */
const DISTINCT_LETTERS = 6

/** Without invisible characters and those that turn the direction of others; undefined when nothing is left. */
export function plainName(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  const visible = value.replaceAll(/[\p{C}\p{Default_Ignorable_Code_Point}]/gu, '').trim()
  const name = [...visible].slice(0, MAX_CHARACTERS).join('').normalize('NFC')
  return name === '' ? undefined : name
}

/** Whether a name can be taken for one of the operator's (OIDC-V23). */
export function posesAs(name: string, operatorNames: readonly string[]): boolean {
  const whole = skeleton(name)
  const words = name.split(/\s/).map(skeleton)
  return operatorNames
    .map(skeleton)
    .some((own) => own !== '' && (own.length < DISTINCT_LETTERS ? words : whole).includes(own))
}

/** Scripts that are written together within a word (TS 39, 5.2: Japanese, Korean and Chinese with Latin). */
const EAST_ASIAN = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Bopomofo}]/u
/** Letters of every script, such as ª, and marks that follow any letter. */
const OF_ANY_SCRIPT = /[\p{Script=Common}\p{Script=Inherited}]/u
/** The scripts whose letters look like each other's. */
const ALIKE = ['Latin', 'Greek', 'Cyrillic', 'Armenian', 'Cherokee', 'Coptic', 'Lisu', 'Canadian_Aboriginal'].map(
  (script) => new RegExp(`\\p{Script=${script}}`, 'u'),
)

/** Whether one word takes its letters from several scripts, as no honest name does. */
export function mixesScripts(name: string): boolean {
  return (name.match(/\p{L}+/gu) ?? []).some((word) => new Set([...word].flatMap(scriptOf)).size > 1)
}

/** Its number among those that look alike, -1 for any other script, nothing for what goes with each. */
function scriptOf(letter: string): readonly number[] {
  if (OF_ANY_SCRIPT.test(letter) || EAST_ASIAN.test(letter)) return []
  return [ALIKE.findIndex((script) => script.test(letter))]
}

/**
 * What a name looks like (Unicode TS 39): two texts with the same skeleton look the same. Only letters
 * that look like a Latin one are listed, since operators' names and hosts are written in those.
 *
 * The facts are those of Unicode's confusables.txt (security data 10.0.0, © Unicode, Inc., unicode.org/license.txt),
 * without what NFKD decomposes anyway, and with small capitals and the Cyrillic letters that look like them.
 */
const LATIN: ReadonlyMap<string, string> = new Map(
  Object.entries(LOOK_ALIKES).flatMap(([letter, alike]) => [...alike].map((one) => [one, letter] as const)),
)

/** Letters in black circles and squares, and those that flags are made of, from A to Z: NFKD leaves them alone. */
const ALPHABETS = [0x1f150, 0x1f170, 0x1f1e6]

/** Digits and signs that are read as letters, each where it stands alone. */
const READ_AS: Readonly<Record<string, string>> = { 0: 'o', 1: 'l', '|': 'l', '!': 'l', i: 'l', 3: 'e', 4: 'a', 5: 's', 7: 't', '@': 'a', $: 's' } // biome-ignore format: one table

/** Nothing but letters; spaces, signs, accents, width and case do not count. */
export function skeleton(text: string): string {
  let seen = ''
  for (const character of text) {
    const alike = latinOf(character)
    if (alike !== undefined) seen += READ_AS[alike] ?? alike
    else for (const part of character.normalize('NFKD')) seen += readAs(part)
  }
  // As pairs look like one letter, `m` itself is a pair in TS 39.
  return seen
    .replaceAll(/[^\p{L}]/gu, '')
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w')
}

function readAs(part: string): string {
  const letter = latinOf(part) ?? part.toLowerCase()
  return READ_AS[letter] ?? letter
}

function latinOf(character: string): string | undefined {
  const code = character.codePointAt(0) ?? 0
  const first = ALPHABETS.find((start) => code >= start && code < start + 26)
  if (first !== undefined) return String.fromCharCode(0x61 + code - first)
  return LATIN.get(character) ?? LATIN.get(character.toLowerCase())
}
