/** Whether the signature of an OCMF record is its meter's (SIGNED-V1). The arithmetic is node:crypto's. */
import { type KeyObject, verify } from 'node:crypto'
import { base64Bytes, hexBytes } from '../container/bytes.ts'
import type { Ocmf } from '../ocmf/read-ocmf.ts'
import { type Curve, curveNamed, curveOf, DEFAULT_CURVE, readPublicKey } from './curves.ts'

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
