/** OCMF 1.4.1 (S.A.F.E.): who metered, for whom, and what. Only read: exported and verified is the text as sent. */

import { parsedJson } from '../../parsed-json.ts'
import { isObject, type Members, ocmfReadings, text } from './reading.ts'

export type Ocmf = NonNullable<ReturnType<typeof readOcmf>>

export function readOcmf(record: string) {
  const sections = ocmfSections(record)
  const payload = sections && jsonObject(withDigits(sections.payload))
  const signature = sections && jsonObject(sections.signature)
  if (!payload || !signature) return undefined
  return {
    payload: sections.payload,
    formatVersion: text(payload.FV),
    gateway: { model: text(payload.GI), serialNumber: text(payload.GS), firmware: text(payload.GV) },
    meter: {
      vendor: text(payload.MV),
      model: text(payload.MM),
      serialNumber: text(payload.MS),
      firmware: text(payload.MF),
    },
    // `T12` is the twelfth record of transactions.
    pagination: text(payload.PG),
    // Who charged, as far as the signing device knows.
    user: {
      assigned: typeof payload.IS === 'boolean' ? payload.IS : undefined,
      level: text(payload.IL),
      type: text(payload.IT),
      id: text(payload.ID),
      tariffText: text(payload.TT),
    },
    chargePoint: { type: text(payload.CT), id: text(payload.CI) },
    readings: ocmfReadings(payload.RD),
    signature: {
      // Such as `ECDSA-secp256r1-SHA256`; absent: as the value's own signing method says, else the default.
      algorithm: text(signature.SA),
      // Absent: hex.
      encoding: text(signature.SE),
      // Absent: DER.
      mimeType: text(signature.SM),
      value: text(signature.SD),
    },
    // Appended by some stations; no part of the format.
    publicKey: sections.publicKey,
  }
}

/** Registers as texts: a number would lose zeros, which say how finely it reads. In JSON texts quotes are escaped. */
function withDigits(payload: string): string {
  return payload.replaceAll(/("RV"\s*:\s*)(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?=\s*[,}])/g, '$1"$2"')
}

function jsonObject(section: string): Members | undefined {
  const value = parsedJson(section)
  return isObject(value) ? value : undefined
}

/**
 * `OCMF|payload|signature`, two JSON objects; some stations append the public key. Undefined for a text that is no OCMF
 * record. A pipe within the JSON's texts separates nothing.
 */
function ocmfSections(text: string) {
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
