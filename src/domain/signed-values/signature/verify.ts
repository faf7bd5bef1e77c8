import { createPublicKey, ECDH, type KeyObject, verify } from 'node:crypto'
import { base64Bytes, hexBytes, keyBytes } from '../container/bytes.ts'
import type { Ocmf } from '../ocmf/read-ocmf.ts'

/** The elliptic curves that OCMF names (OCMF 1.4.1, signature methods), as node:crypto knows them. */
interface Curve {
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

function curveNamed(name: string | undefined): Curve | undefined {
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
function curveOf(key: KeyObject): Curve | undefined {
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

// Whether the signature of an OCMF record is its meter's (SIGNED-V1). The arithmetic is node:crypto's.

/** `unchecked`: there is no key, or nothing here can verify what it is signed with. */
export type Verification = 'valid' | 'invalid' | 'unchecked'

/** @param signingMethod what the message says where the record itself does not */
export async function verifyOcmf(
  ocmf: Ocmf,
  publicKey: string | undefined,
  signingMethod: string | undefined,
): Promise<Verification> {
  const algorithm = algorithmOf(ocmf.signature.algorithm ?? signingMethod)
  const key = publicKey === undefined || !algorithm ? undefined : readPublicKey(publicKey, algorithm.curve)
  const curve = key && curveOf(key)
  if (!algorithm || !key || !curve) return 'unchecked'
  const signature = signatureBytes(ocmf.signature.encoding, ocmf.signature.value ?? '')
  if (!signature) return 'invalid'
  return (await isSignedBy(key, curve, algorithm.hash, Buffer.from(ocmf.payload), signature)) ? 'valid' : 'invalid'
}

export function namedCurve(ocmf: Ocmf | undefined, signingMethod: string | undefined): Curve {
  return algorithmOf(ocmf?.signature.algorithm ?? signingMethod)?.curve ?? DEFAULT_CURVE
}

/** The default is that of OCMF. A key that says its own curve is believed (SIGNED-V2). */
function algorithmOf(name = 'ECDSA-secp256r1-SHA256'): { readonly curve: Curve; readonly hash: string } | undefined {
  const match = /^ECDSA(?:-(.{1,20}))?-SHA-?(256|384|512)$/i.exec(name.trim())
  if (!match) return undefined
  const curve = match[1] === undefined ? DEFAULT_CURVE : curveNamed(match[1])
  return curve && { curve, hash: `sha${match[2]}` }
}

/** Hex unless it says otherwise; some stations forget to say it. */
function signatureBytes(encoding: string | undefined, value: string): Buffer | undefined {
  if (encoding?.toLowerCase() === 'base64') return base64Bytes(value)
  return hexBytes(value) ?? base64Bytes(value)
}

const SEQUENCE = 0x30

/** In DER, or, as in OCMF's own example, the two numbers one behind the other. */
async function isSignedBy(
  key: KeyObject,
  { bytes }: Curve,
  hash: string,
  payload: Buffer,
  signature: Buffer,
): Promise<boolean> {
  const isDer = signature[0] === SEQUENCE && (await verified(hash, payload, { key, dsaEncoding: 'der' }, signature))
  if (isDer || signature.length !== 2 * bytes) return isDer
  return verified(hash, payload, { key, dsaEncoding: 'ieee-p1363' }, signature)
}

/** In a thread of libuv: a session with hundreds of values delays no other request. */
function verified(
  hash: string,
  payload: Buffer,
  key: { readonly key: KeyObject; readonly dsaEncoding: 'der' | 'ieee-p1363' },
  signature: Buffer,
): Promise<boolean> {
  return new Promise((resolve) => verify(hash, payload, key, signature, (error, valid) => resolve(!error && valid)))
}
