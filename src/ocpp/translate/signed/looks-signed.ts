/** SIGNED-F3: recognizes signed data in the place of a 1.6 number by its beginning. */
import { readEnvelope } from '../../../domain/signed-values/container/json-envelope.ts'

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
