/** A stored value without its wrappings: JSON of 1.6 (SIGNED-F2), then hex or base64. The stored one never changes. */
import { base64Bytes, type Encoding, hexBytes, utf8Text } from './bytes.ts'
import { readEnvelope } from './json-envelope.ts'

export interface Opened {
  /** The signed data as it was sent, without the object around it. */
  readonly signedData: string
  /** How `text` is written in it. */
  readonly encoding: Encoding
  /** The data as text; absent where its bytes are none. */
  readonly text?: string | undefined
  readonly encodingMethod?: string | undefined
  readonly signingMethod?: string | undefined
  readonly publicKey?: string | undefined
}

/** An object in base64 in an object is the worst that was seen. */
const LAYERS = 3

export function openSigned(data: string): Opened {
  const envelope = readEnvelope(data)
  const signedData = envelope?.data ?? data
  return { ...envelope, signedData, ...decoded(signedData, LAYERS) }
}

function decoded(data: string, layers: number): Pick<Opened, 'encoding' | 'text'> {
  if (/^\s*(?:OCMF\s*\||<|\{|AP;)/.test(data)) return { encoding: 'plain', text: data }
  const hex = hexBytes(data)
  if (hex) return { encoding: 'hex', text: inner(hex, layers) }
  const base64 = base64Bytes(data)
  const text = base64 && inner(base64, layers)
  return text === undefined ? { encoding: base64 ? 'base64' : 'plain' } : { encoding: 'base64', text }
}

function inner(bytes: Buffer, layers: number): string | undefined {
  const text = utf8Text(bytes)
  if (text === undefined || layers <= 1) return text
  const within = readEnvelope(text)?.data ?? text
  return decoded(within, layers - 1).text ?? text
}
