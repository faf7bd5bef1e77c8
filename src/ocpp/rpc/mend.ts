/** Repairs invalid JSON, as billing messages would be lost (OCPP-DR4); only unambiguous text. */

/** Some stations join a few messages; hundreds in one frame would be an amplification attack. */
const FRAMES_LIMIT = 16

/** In longer text only the ends are repaired: scanning a megabyte would delay other stations. */
const WALKED_LIMIT = 64 * 1024

const WORD = /[A-Za-z0-9_+.-]/
const LITERAL = /^(?:true|false|null)$/
const NO_NUMBER = /^[+-]?(?:nan|inf|infinity|undefined|none|null)$/i
const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/
/** `+5`, `007`, `.5`, `5.`. Each has a single parse: with two, a run of zeros takes seconds. */
const LOOSE_NUMBER = /^([+-]?)0*([1-9]\d*)?(?:\.(\d*))?([eE][+-]?\d+)?$/

/** The JSON arrays in the text, mended, in order, without what is between them. Linear. */
export function mendFrames(text: string): readonly string[] {
  const bare = withoutEnds(text)
  if (bare.length < text.length && isArray(bare)) return [bare]
  if (text.length > WALKED_LIMIT) return []
  const frames: string[] = []
  let start = text.indexOf('[')
  while (start !== -1) {
    const reading = mendArray(text, start)
    if (!reading || !isArray(reading.text) || frames.length === FRAMES_LIMIT) return []
    frames.push(reading.text)
    start = text.indexOf('[', reading.end)
  }
  return frames
}

/** Up to the closing bracket; undefined when that is missing, because then the rest is as well. */
function mendArray(text: string, start: number): { readonly text: string; readonly end: number } | undefined {
  const parts: string[] = []
  /** Position in `parts` of a comma with nothing behind it yet. */
  let danglingComma: number | undefined
  let awaitsValue = false
  let depth = 0
  let at = start
  while (at < text.length) {
    const character = text.charAt(at)
    if (character === '"') {
      const end = stringEnd(text, at)
      if (end === undefined) return undefined
      parts.push(mendString(text.slice(at, end)))
      at = end
    } else if (WORD.test(character)) {
      const end = wordEnd(text, at)
      parts.push(mendWord(text.slice(at, end)))
      at = end
    } else {
      at++
      const closes = character === ']' || character === '}'
      if (character <= ' ' || character === '\uFEFF' || character === '\u00A0') continue
      // `"transactionId":,` and `"transactionId":}`: a missing value.
      if (awaitsValue && (closes || character === ',')) parts.push('null')
      if (closes && danglingComma !== undefined) parts[danglingComma] = ''
      if (character === '[' || character === '{') depth++
      if (closes) depth--
      parts.push(character)
      if (depth === 0) return { text: parts.join(''), end: at }
      awaitsValue = character === ':'
      danglingComma = character === ',' ? parts.length - 1 : undefined
      continue
    }
    awaitsValue = false
    danglingComma = undefined
  }
  return undefined
}

function stringEnd(text: string, open: number): number | undefined {
  for (let at = open + 1; at < text.length; at++) {
    const character = text.charAt(at)
    if (character === '\\') at++
    else if (character === '"') return at + 1
  }
  return undefined
}

/** Drops padding NULs; escapes other control characters, and backslashes that escape nothing. */
function mendString(quoted: string): string {
  return quoted
    .replaceAll('\u0000', '')
    .replace(/\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})|\\/g, (found) => (found === '\\' ? '\\\\' : found))
    .replace(/\p{Cc}/gu, (character) =>
      character < ' ' ? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}` : character,
    )
}

function wordEnd(text: string, start: number): number {
  let end = start
  while (end < text.length && WORD.test(text.charAt(end))) end++
  return end
}

/** Unrecognized words are returned as they are. */
function mendWord(word: string): string {
  if (LITERAL.test(word) || JSON_NUMBER.test(word)) return word
  if (NO_NUMBER.test(word)) return 'null'
  const lower = word.toLowerCase()
  if (LITERAL.test(lower)) return lower
  const loose = LOOSE_NUMBER.exec(word)
  if (!loose || !/\d/.test(word)) return word
  const [, sign = '', whole = '', fraction = '', exponent = ''] = loose
  return `${sign === '-' ? '-' : ''}${whole || '0'}${fraction && `.${fraction}`}${exponent}`
}

/** Strips a leading byte order mark and trailing NULs. */
function withoutEnds(text: string): string {
  let start = 0
  let end = text.length
  while (isEnd(text.charAt(start)) && start < end) start++
  while (end > start && isEnd(text.charAt(end - 1))) end--
  return text.slice(start, end)
}

function isEnd(character: string): boolean {
  return character <= ' ' || character === '\uFEFF'
}

function isArray(text: string): boolean {
  try {
    return Array.isArray(JSON.parse(text))
  } catch {
    return false
  }
}
