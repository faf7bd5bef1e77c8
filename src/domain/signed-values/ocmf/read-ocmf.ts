/** OCMF 1.4.1 (S.A.F.E.): who metered, for whom, and what. Only read: exported and verified is the text as sent. */

import { parsedJson } from '../../parsed-json.ts'
import { isObject, type Members, type OcmfReading, ocmfReadings, text } from './reading.ts'

interface OcmfSignature {
  /** SA, such as `ECDSA-secp256r1-SHA256`; absent: as the value's own signing method says, else the default. */
  readonly algorithm?: string | undefined
  /** SE; absent: hex. */
  readonly encoding?: string | undefined
  /** SM; absent: DER. */
  readonly mimeType?: string | undefined
  readonly value?: string | undefined
}

export interface Ocmf {
  readonly payload: string
  readonly formatVersion?: string | undefined
  readonly gateway: OcmfDevice
  readonly meter: OcmfDevice
  /** PG: `T12` is the twelfth record of transactions. */
  readonly pagination?: string | undefined
  /** Who charged, as far as the signing device knows. */
  readonly user: OcmfUser
  readonly chargePoint: { readonly type?: string | undefined; readonly id?: string | undefined }
  readonly readings: readonly OcmfReading[]
  readonly signature: OcmfSignature
  /** Appended by some stations; no part of the format. */
  readonly publicKey?: string | undefined
}

interface OcmfDevice {
  readonly vendor?: string | undefined
  readonly model?: string | undefined
  readonly serialNumber?: string | undefined
  readonly firmware?: string | undefined
}

interface OcmfUser {
  readonly assigned?: boolean | undefined
  readonly level?: string | undefined
  readonly type?: string | undefined
  readonly id?: string | undefined
  readonly tariffText?: string | undefined
}

export function readOcmf(record: string): Ocmf | undefined {
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
    pagination: text(payload.PG),
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
      algorithm: text(signature.SA),
      encoding: text(signature.SE),
      mimeType: text(signature.SM),
      value: text(signature.SD),
    },
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

/** An OCMF record is `OCMF|payload|signature`, two JSON objects; some stations append the public key. */
interface Sections {
  readonly payload: string
  readonly signature: string
  readonly publicKey?: string | undefined
}

/** Undefined for a text that is no OCMF record. A pipe within the JSON's texts separates nothing. */
function ocmfSections(text: string): Sections | undefined {
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
