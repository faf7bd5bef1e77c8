/** The library that reads and writes certificates and ASN.1, set to Node's WebCrypto (CERT-C6). */
import { hash, type KeyObject, webcrypto } from 'node:crypto'
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)
let loaded: typeof import('@peculiar/x509') | undefined

/** Loaded with the first certificate: it takes 4 MB in each thread, and most servers see none. */
export function x509Library(): typeof import('@peculiar/x509') {
  if (loaded) return loaded
  require('reflect-metadata')
  const library: typeof import('@peculiar/x509') = require('@peculiar/x509')
  library.cryptoProvider.set(webcrypto as never)
  loaded = library
  return library
}

/** Far above what a request or a certificate of a charge point needs. */
export const PARSE_LIMITS = { berOptions: { maxDepth: 24, maxNodes: 1000, maxContentLength: 16_384 } }

/** Whether a certificate is the one that a charge point names by its hashes, as OCSP names certificates (RFC 6960). */
interface CertificateHash {
  readonly hashAlgorithm: string
  readonly issuerNameHash: string
  readonly serialNumber: string
}

const ALGORITHMS: Readonly<Record<string, string>> = { SHA256: 'sha256', SHA384: 'sha384', SHA512: 'sha512' }

/** An issuer and its number name one certificate; the hash of the issuer's key says nothing more of it. */
export function isHashOf(pem: string, { hashAlgorithm, issuerNameHash, serialNumber }: CertificateHash): boolean {
  const algorithm = ALGORITHMS[hashAlgorithm.toUpperCase().replace('-', '')]
  if (algorithm === undefined) return false
  const certificate = new (x509Library().X509Certificate)(pem)
  const issuer = hash(algorithm, Buffer.from(certificate.issuerName.toArrayBuffer()), 'hex')
  return bare(issuerNameHash) === bare(issuer) && bare(serialNumber) === bare(certificate.serialNumber)
}

/** Stations write hexadecimal digits in either case, and leave zeros in front out or add some. */
function bare(hexadecimal: string): string {
  return hexadecimal.trim().toLowerCase().replace(/^0+/, '')
}

// Which keys may prove who a charge point is (CERT-C4, CERT-C14).

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
