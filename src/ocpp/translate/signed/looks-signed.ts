/** SIGNED-F3: signed data where 1.6 has a number, without saying so, is recognized by how it begins. */
import { readEnvelope } from '../../../domain/signed-values/container/json-envelope.ts'

/** OCMF plain, as hex and as base64; Alfen's fields; XML. */
const BEGINS = /^\s*(?:OCMF\s*\||4f434d46|T0NNR|AP;\d|<\?xml|<(?:values|signedMeterValue)\b)/i
/** Base64 is told from its case: a text of that beginning in other letters is something else. */
const BASE64 = /^\s*T0NNR/i
const EXACT_BASE64 = /^\s*T0NNR/
/** Nothing shorter holds a signature, and no number is as long: numbers cost nothing here. */
const SHORTEST = 24

export function looksSigned(text: string): boolean {
  if (text.length < SHORTEST) return false
  if (BEGINS.test(text)) return !BASE64.test(text) || EXACT_BASE64.test(text)
  return readEnvelope(text) !== undefined
}
