/** Which keys may prove who a charge point is (CERT-C4, CERT-C14). */
import type { KeyObject } from 'node:crypto'

/** 2.0.1 A00.FR.502, A00.FR.503. */
const SHORTEST_RSA_BITS = 2048
/** Longer ones only make every check slow. */
const MAX_RSA_BITS = 8192
/** At least 224 bits, by the names that OpenSSL gives them. */
const CURVES = new Set([
  'secp224r1',
  'prime256v1',
  'secp256k1',
  'secp384r1',
  'secp521r1',
  'brainpoolP224r1',
  'brainpoolP256r1',
  'brainpoolP320r1',
  'brainpoolP384r1',
  'brainpoolP512r1',
])

export type KeyKind = 'EC' | 'RSA'

export function keyKind({ asymmetricKeyType }: KeyObject): KeyKind | undefined {
  if (asymmetricKeyType === 'ec') return 'EC'
  return asymmetricKeyType === 'rsa' || asymmetricKeyType === 'rsa-pss' ? 'RSA' : undefined
}

export function keyFault(key: KeyObject): string | undefined {
  const { modulusLength = 0, namedCurve = '' } = key.asymmetricKeyDetails ?? {}
  switch (keyKind(key)) {
    case 'RSA':
      if (modulusLength < SHORTEST_RSA_BITS) return `the RSA key has ${modulusLength} bits and needs 2048`
      return modulusLength > MAX_RSA_BITS ? `the RSA key has ${modulusLength} bits, more than 8192` : undefined
    case 'EC':
      return CURVES.has(namedCurve) ? undefined : 'the EC key is on no named curve of at least 224 bits'
    default:
      return 'the key is neither RSA nor EC'
  }
}
