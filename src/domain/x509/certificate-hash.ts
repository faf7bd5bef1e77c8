/** Whether a certificate is the one that a charge point names by its hashes, as OCSP names certificates (RFC 6960). */
import { hash } from 'node:crypto'
import { x509Library } from './library.ts'

export interface CertificateHash {
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
