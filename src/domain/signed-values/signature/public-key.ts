/** A meter's public key for node:crypto: in the usual form, or a bare point on a known curve (SIGNED-K2). */
import { createPublicKey, ECDH, type KeyObject } from 'node:crypto'
import { keyBytes } from '../container/key-bytes.ts'
import { type Curve, curveNamed } from './curves.ts'

/** @param curve of a bare point, which does not say its own @returns undefined: no key on one of OCMF's curves */
export function readPublicKey(text: string, curve: Curve): KeyObject | undefined {
  const bytes = keyBytes(text)
  if (!bytes) return undefined
  try {
    const key = createPublicKey({ key: pointKey(bytes, curve) ?? bytes, format: 'der', type: 'spki' })
    return curveOf(key) ? key : undefined
  } catch {
    return undefined
  }
}

/** Of a key with parameters of its own invention there is none. */
export function curveOf(key: KeyObject): Curve | undefined {
  return key.asymmetricKeyType === 'ec' ? curveNamed(key.asymmetricKeyDetails?.namedCurve) : undefined
}

const UNCOMPRESSED = Buffer.from([4])

/** `04XY`, `XY`, or one coordinate and a sign; known by its length, as its first byte may be any. */
function pointKey(bytes: Buffer, { name, bytes: size, keyPrefix }: Curve): Buffer | undefined {
  const prefix = Buffer.from(keyPrefix, 'hex')
  if (bytes.length === 2 * size) return Buffer.concat([prefix, UNCOMPRESSED, bytes])
  if (bytes.length === 2 * size + 1 && bytes[0] === 4) return Buffer.concat([prefix, bytes])
  if (bytes.length !== size + 1) return undefined
  const point = ECDH.convertKey(bytes, name, undefined, undefined, 'uncompressed')
  return Buffer.concat([prefix, Buffer.from(point as Buffer)])
}
