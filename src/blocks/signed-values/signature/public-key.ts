/**
 * A meter's public key from the text that stations and meters write it in: DER or PEM, a bare point on a known curve,
 * in hex or base64, perhaps within the OCA's `oca:base16:asn1:…` (SIGNED-K2).
 */
import { createPublicKey, ECDH, type KeyObject } from 'node:crypto'
import { base64Bytes, hexBytes, utf8Text } from '../decode.ts'
import { type Curve, curveNamed } from './curves.ts'

/** Keys of these curves take 124 bytes; nothing long is given to the library. */
const LONGEST_BYTES = 1024
const LONGEST_TEXT = 8192
/** base64 of `oca:base64:asn1:` and base64. */
const LAYERS = 4

/**
 * @param curve of a bare point, which does not say its own
 * @returns undefined for what is no key on one of OCMF's curves
 */
export function readPublicKey(text: string, curve: Curve): KeyObject | undefined {
  const bytes = keyBytes(text)
  if (!bytes) return undefined
  try {
    const der = bytes[0] === SEQUENCE ? bytes : pointKey(bytes, curve)
    const key = der && createPublicKey({ key: der, format: 'der', type: 'spki' })
    return key && curveOf(key) ? key : undefined
  } catch {
    return undefined
  }
}

const SEQUENCE = 0x30

/** Of a key with parameters of its own invention there is none. */
export function curveOf(key: KeyObject): Curve | undefined {
  return key.asymmetricKeyType === 'ec' ? curveNamed(key.asymmetricKeyDetails?.namedCurve) : undefined
}

/** The bytes that the text stands for. */
export function keyBytes(text: string, layers = LAYERS): Buffer | undefined {
  if (text.length > LONGEST_TEXT || layers === 0) return undefined
  const trimmed = text.trim()
  const pem = /^-----BEGIN PUBLIC KEY-----([^-]*)-----END PUBLIC KEY-----$/.exec(trimmed)
  if (pem) return short(base64Bytes(pem[1] ?? ''))
  const named = /^oca:(base16|base64):[^:]*:/i.exec(trimmed)
  if (named) {
    const printed = trimmed.slice(named[0].length)
    return short(named[1]?.toLowerCase() === 'base16' ? printedHex(printed) : base64Bytes(printed))
  }
  const hex = hexBytes(trimmed)
  if (hex) return short(hex)
  const decoded = base64Bytes(trimmed)
  if (!decoded) return undefined
  const inner = utf8Text(decoded)
  return (inner !== undefined && keyBytes(inner, layers - 1)) || short(decoded)
}

/** As printed on the meter: whatever is no digit is decoration. */
function printedHex(text: string): Buffer | undefined {
  return hexBytes(text.replace(/^\s*0x/i, '').replaceAll(/[^0-9a-f]/gi, ''))
}

function short(bytes: Buffer | undefined): Buffer | undefined {
  return bytes && bytes.length <= LONGEST_BYTES ? bytes : undefined
}

const UNCOMPRESSED = Buffer.from([4])

/** `04XY`, `XY`, or one coordinate and a sign. */
function pointKey(bytes: Buffer, { name, bytes: size, keyPrefix }: Curve): Buffer | undefined {
  const prefix = Buffer.from(keyPrefix, 'hex')
  if (bytes.length === 2 * size) return Buffer.concat([prefix, UNCOMPRESSED, bytes])
  if (bytes.length === 2 * size + 1 && bytes[0] === 4) return Buffer.concat([prefix, bytes])
  if (bytes.length !== size + 1) return undefined
  const point = ECDH.convertKey(bytes, name, undefined, undefined, 'uncompressed')
  return Buffer.concat([prefix, Buffer.from(point as Buffer)])
}
