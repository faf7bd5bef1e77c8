/**
 * JSON text laid out for reading, by its brackets and commas alone: it is never parsed, so integers above 2^53, member
 * order and spelling stay what they were on the wire. What is no JSON is laid out as far as it looks like it.
 */
export function indentedJson(text: string): string {
  let depth = 0
  let laidOut = ''
  for (const [token] of text.matchAll(TOKENS)) {
    if (token === '{' || token === '[') {
      depth++
      laidOut += token + line(depth)
    } else if (token === '}' || token === ']') {
      depth = Math.max(0, depth - 1)
      laidOut += line(depth) + token
    } else if (token === ',') laidOut += token + line(depth)
    else if (token === ':') laidOut += ': '
    else laidOut += token
  }
  return laidOut.replaceAll(TURNING, spelled)
}

const TOKENS = /\{\s*\}|\[\s*\]|"(?:[^"\\]|\\[\s\S])*"?|[{}[\],:]|[^\s{}[\],:"]+/g

function line(depth: number): string {
  return `\n${'  '.repeat(Math.min(depth, DEEPEST))}`
}

/** Characters that turn the text behind them around are spelled out: it is the same JSON, and read as it was sent. */
const TURNING = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g

function spelled(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** Deeper ones are not moved further to the right: the text would grow with the square of its depth. */
const DEEPEST = 12
