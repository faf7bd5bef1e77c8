/** Signed meter data in a sampled value (SIGNED-F3). */
import { hash } from 'node:crypto'
import type { PublicKeyText, SignedData } from '../../../domain/ports/sessions.ts'
import { keyBytes } from '../../../domain/signed-values/container/bytes.ts'
import { type Envelope, envelopeOf, readEnvelope, said } from '../../../domain/signed-values/container/json-envelope.ts'
import { isObject, type Payload } from '../payload.ts'

/** 1.6: in `value`, marked by `format` or recognized by its beginning. All with the format SignedData is kept. */
export function signedData16({ value, format }: Payload, context: string): SignedData | undefined {
  const isCalledSo = typeof format === 'string' && format.trim().toLowerCase() === 'signeddata'
  if (typeof value === 'string') {
    if (value.trim() === '' || !(isCalledSo || looksSigned(value))) return undefined
    return signedData({ ...readEnvelope(value), data: value }, context)
  }
  return isCalledSo ? signedObject(value, context) : undefined
}

/** 2.0.1: in `signedMeterValue`. */
export function signedData201({ signedMeterValue }: Payload, context: string): SignedData | undefined {
  if (typeof signedMeterValue === 'string') {
    return signedMeterValue.trim() === '' ? undefined : signedText(signedMeterValue, context)
  }
  const envelope = envelopeOf(signedMeterValue)
  if (envelope) return signedData(envelope, context)
  // Empty data means that nothing is signed.
  return isObject(signedMeterValue) && signedMeterValue.signedMeterData === ''
    ? undefined
    : signedObject(signedMeterValue, context)
}

export function signedText(text: string, context: string): SignedData {
  return signedData({ ...readEnvelope(text), data: text }, context)
}

/** An unknown shape, or one that should have been text (SIGNED-F5). */
function signedObject(value: unknown, context: string): SignedData | undefined {
  if (value === undefined || value === null || (isObject(value) && Object.keys(value).length === 0)) return undefined
  return signedText(JSON.stringify(value), context)
}

function signedData({ data, encodingMethod, signingMethod, publicKey }: Envelope, context: string): SignedData {
  return {
    data,
    digest: hash('sha256', JSON.stringify([context, data])).slice(0, DIGEST_DIGITS),
    encodingMethod,
    signingMethod,
    publicKey: publicKeyText(publicKey),
  }
}

const DIGEST_DIGITS = 32
/** No key is longer; each is compared with every value. */
const MAX_KEY_LENGTH = 8192

/** Undefined for an empty text (SIGNED-K1). */
export function publicKeyText(value: unknown): PublicKeyText | undefined {
  const text = said(value)
  if (text === undefined || text.length > MAX_KEY_LENGTH) return undefined
  return { text, bytes: keyBytes(text)?.toString('hex') ?? text.trim() }
}

// SIGNED-F3: recognizes signed data in the place of a 1.6 number by its beginning.

/** OCMF plain, as hex and as base64; Alfen's fields; XML. */
const BEGINS = /^\s*(?:OCMF\s*\||4f434d46|T0NNR|AP;\d|<\?xml|<(?:values|signedMeterValue)\b)/i
/** Base64 is case-sensitive: the same letters in another case are something else. */
const BASE64 = /^\s*T0NNR/i
const EXACT_BASE64 = /^\s*T0NNR/
/** No signature is shorter, and no number as long: numbers cost nothing here. */
const SHORTEST = 24

export function looksSigned(text: string): boolean {
  if (text.length < SHORTEST) return false
  if (BEGINS.test(text)) return !BASE64.test(text) || EXACT_BASE64.test(text)
  return readEnvelope(text) !== undefined
}
