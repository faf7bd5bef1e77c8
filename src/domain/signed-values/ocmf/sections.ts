/** An OCMF record is `OCMF|payload|signature`, two JSON objects; some stations append the public key. */

interface Sections {
  /** Exactly what was signed. */
  readonly payload: string
  readonly signature: string
  readonly publicKey?: string | undefined
}

/** Undefined for a text that is no OCMF record. A pipe within the JSON's texts separates nothing. */
export function ocmfSections(text: string): Sections | undefined {
  const head = /^\s*OCMF\s*\|/.exec(text)?.[0].length
  if (head === undefined) return undefined
  const payloadEnd = sectionEnd(text, head)
  if (payloadEnd === undefined || payloadEnd === text.length) return undefined
  const signatureEnd = sectionEnd(text, payloadEnd + 1)
  if (signatureEnd === undefined) return undefined
  const publicKey = text.slice(signatureEnd + 1).trim()
  return {
    payload: text.slice(head, payloadEnd),
    signature: text.slice(payloadEnd + 1, signatureEnd),
    publicKey: publicKey === '' ? undefined : publicKey,
  }
}

/** The place of the pipe behind the object that begins here, or the text's length. */
function sectionEnd(text: string, from: number): number | undefined {
  let at = from
  while (isBlank(text[at])) at++
  if (text[at] !== '{') return undefined
  at = afterObject(text, at)
  while (isBlank(text[at])) at++
  return at === text.length || text[at] === '|' ? at : undefined
}

function isBlank(letter: string | undefined): boolean {
  return letter === ' ' || letter === '\n' || letter === '\r' || letter === '\t'
}

/** Behind the brace that closes it; the text's length where none does. */
function afterObject(text: string, from: number): number {
  let depth = 0
  for (let at = from; at < text.length; at++) {
    const letter = text[at]
    if (letter === '"') at = endOfText(text, at)
    else if (letter === '{') depth++
    else if (letter === '}' && --depth === 0) return at + 1
  }
  return text.length
}

function endOfText(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === '"') return at
  }
  return text.length
}
