/** The certificate that an authority makes for a request (CERT-C6). */
import type { KeyObject, webcrypto } from 'node:crypto'
import { x509Library } from './library.ts'
import { MAX_NAME_LENGTH, subjectNames } from './subject.ts'

const HOUR_MS = 3600_000
const DAY_MS = 24 * HOUR_MS
/** Station clocks are wrong by minutes, and some by their time zone's hour. */
const BACKDATED_MS = HOUR_MS
/** Renewal begins 30 days before the end (CERT-C20). */
export const VALID_DAYS = 398
const SERIAL_BYTES = 16

/** What it is for; a station's certificate proves the station to us, the other one proves it to a vehicle. */
type CertificateUse = 'ChargingStationCertificate' | 'V2GCertificate'

export interface SigningAuthority {
  readonly certificate: string
  readonly signingKey: webcrypto.CryptoKey
  readonly algorithm: webcrypto.Algorithm & { readonly hash: string }
}

interface CertificateOrder {
  readonly publicKey: KeyObject
  readonly commonName: string
  readonly organization: string
  readonly use: CertificateUse
  readonly now: number
  readonly random: (bytes: number) => Buffer
  readonly crlUrl: string
}

/** PEM. @throws when the order cannot be carried out */
export async function issueCertificate(authority: SigningAuthority, order: CertificateOrder): Promise<string> {
  const x509 = x509Library()
  const issuer = new x509.X509Certificate(authority.certificate)
  const spki = new Uint8Array(order.publicKey.export({ format: 'der', type: 'spki' }))
  const publicKey = new x509.PublicKey(spki)
  const notAfter = Math.min(order.now + VALID_DAYS * DAY_MS, issuer.notAfter.getTime())
  const use = order.use === 'V2GCertificate' ? x509.ExtendedKeyUsage.serverAuth : x509.ExtendedKeyUsage.clientAuth
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: randomSerialNumber(order.random),
    subject: subjectNames(order.commonName.slice(0, MAX_NAME_LENGTH), order.organization.slice(0, MAX_NAME_LENGTH)),
    issuer: issuer.subjectName,
    notBefore: new Date(order.now - BACKDATED_MS),
    notAfter: new Date(notAfter),
    publicKey,
    signingKey: authority.signingKey,
    signingAlgorithm: authority.algorithm,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([use]),
      await x509.SubjectKeyIdentifierExtension.create(publicKey),
      await x509.AuthorityKeyIdentifierExtension.create(issuer),
      new x509.CRLDistributionPointsExtension([order.crlUrl]),
    ],
  })
  return certificate.toString('pem')
}

/** RFC 5280 §4.1.2.2: positive, and not longer than 20 bytes. */
export function randomSerialNumber(random: (bytes: number) => Buffer): string {
  const bytes = random(SERIAL_BYTES)
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40
  return bytes.toString('hex')
}
