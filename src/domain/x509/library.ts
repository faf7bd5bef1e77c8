/** The library that reads and writes certificates and ASN.1, set to Node's WebCrypto (CERT-C6). */
import { hash, webcrypto } from 'node:crypto'
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
