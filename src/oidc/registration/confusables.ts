import LOOK_ALIKES from './look-alikes.json' with { type: 'json' }

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
