/** The elliptic curves that OCMF names (OCMF 1.4.1, signature methods), as node:crypto knows them. */

import { createPublicKey, ECDH, type KeyObject } from 'node:crypto'
import { keyBytes } from '../container/bytes.ts'

export interface Curve {
  readonly name: string
  readonly synonyms: readonly string[]
  /** Bytes of a coordinate, and of half a signature. */
  readonly bytes: number
  /** What stands before the bare point in a key of the usual form (RFC 5480 SubjectPublicKeyInfo, DER). */
  readonly keyPrefix: string
}

export const DEFAULT_CURVE: Curve = {
  name: 'prime256v1',
  synonyms: ['secp256r1', 'nist p-256', 'nistp256', 'p-256'],
  bytes: 32,
  keyPrefix: '3059301306072a8648ce3d020106082a8648ce3d030107034200',
}

const CURVES: readonly Curve[] = [
  DEFAULT_CURVE,
  {
    name: 'secp192k1',
    synonyms: [],
    bytes: 24,
    keyPrefix: '3046301006072a8648ce3d020106052b8104001f033200',
  },
  {
    name: 'prime192v1',
    synonyms: ['secp192r1', 'nist p-192', 'nistp192', 'p-192'],
    bytes: 24,
    keyPrefix: '3049301306072a8648ce3d020106082a8648ce3d030101033200',
  },
  {
    name: 'secp256k1',
    synonyms: [],
    bytes: 32,
    keyPrefix: '3056301006072a8648ce3d020106052b8104000a034200',
  },
  {
    name: 'brainpoolP256r1',
    synonyms: ['brainpool256r1'],
    bytes: 32,
    keyPrefix: '305a301406072a8648ce3d020106092b2403030208010107034200',
  },
  {
    name: 'secp384r1',
    synonyms: ['prime384v1', 'nist p-384', 'nistp384', 'p-384'],
    bytes: 48,
    keyPrefix: '3076301006072a8648ce3d020106052b81040022036200',
  },
  {
    name: 'brainpoolP384r1',
    synonyms: ['brainpool384r1'],
    bytes: 48,
    keyPrefix: '307a301406072a8648ce3d020106092b240303020801010b036200',
  },
]

export function curveNamed(name: string | undefined): Curve | undefined {
  const lower = name?.toLowerCase()
  return CURVES.find((curve) => curve.name.toLowerCase() === lower || curve.synonyms.includes(lower ?? ''))
}

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
