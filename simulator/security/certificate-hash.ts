/** How OCPP names a certificate: hashes of its issuer's name and key, and its serial number (2.0.1 part 2, 2.2). */
import { createHash, X509Certificate } from 'node:crypto'
import { x509 } from '../../src/x509/library.ts'

export interface CertificateHash {
  readonly hashAlgorithm: 'SHA256'
  readonly issuerNameHash: string
  readonly issuerKeyHash: string
  readonly serialNumber: string
}

export type HashMembers = Readonly<Record<keyof CertificateHash, string>>

/** @param pem of a root, which is its own issuer */
export function hashOfRoot(pem: string): CertificateHash {
  const root = new X509Certificate(pem)
  const sha256 = (content: Buffer) => createHash('sha256').update(content).digest('hex')
  return {
    hashAlgorithm: 'SHA256',
    issuerNameHash: sha256(Buffer.from(new x509.X509Certificate(root.raw).issuerName.toArrayBuffer())),
    issuerKeyHash: sha256(keyBits(root)),
    serialNumber: root.serialNumber.toLowerCase().replace(/^0+(?=.)/, ''),
  }
}

export function isSameHash(one: CertificateHash, other: Partial<HashMembers>): boolean {
  return (
    one.hashAlgorithm === other.hashAlgorithm &&
    one.issuerNameHash === other.issuerNameHash?.toLowerCase() &&
    one.issuerKeyHash === other.issuerKeyHash?.toLowerCase() &&
    one.serialNumber === other.serialNumber?.toLowerCase().replace(/^0+(?=.)/, '')
  )
}

/** The key's bit string without its tag and length, as OCSP hashes it (RFC 6960 §4.1.1). */
function keyBits({ publicKey }: X509Certificate): Buffer {
  if (publicKey.asymmetricKeyType === 'rsa') return publicKey.export({ type: 'pkcs1', format: 'der' })
  const { x, y } = publicKey.export({ format: 'jwk' })
  if (x === undefined) return publicKey.export({ type: 'spki', format: 'der' })
  const point = Buffer.concat([Buffer.from(x, 'base64url'), Buffer.from(y ?? '', 'base64url')])
  return y === undefined ? point : Buffer.concat([Buffer.from([4]), point])
}
