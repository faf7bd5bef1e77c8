import type { KeyObject, webcrypto, X509Certificate } from 'node:crypto'
import type { Name } from '@peculiar/x509'
import { x509Library } from './library.ts'

// Names in certificates: our own, and those that others wrote (CERT-C6, CERT-C12).

/** RFC 5280, appendix A: ub-common-name and ub-organization-name. */
export const MAX_NAME_LENGTH = 64

interface Subject {
  readonly commonName?: string | undefined
  readonly organizations: readonly string[]
}

/** Of the library, because OpenSSL's text of a name has to be taken apart. @throws for one that it cannot read */
export function subjectOf({ raw }: X509Certificate): Subject {
  const x509 = x509Library()
  const { subjectName } = new x509.X509Certificate(new Uint8Array(raw))
  return { commonName: subjectName.getField('CN')[0], organizations: subjectName.getField('O') }
}

/** UTF-8 in so many words: the library would read quotation marks and `#` in a text as notation. */
export function subjectNames(commonName: string, organization: string): Name {
  const x509 = x509Library()
  return new x509.Name([{ CN: [{ utf8String: commonName }] }, { O: [{ utf8String: organization }] }])
}

/** OpenSSL puts each part of a name on a line. */
export function oneLine(name: string): string {
  return name.split('\n').reverse().join(', ')
}

/** `contains` is the default: 2.0.1 A00.FR.405 asks for no more. */
export type SubjectCheck = 'contains' | 'exact' | 'off'

/** CERT-C13: what is wrong with it, or undefined. An unknown serial number is judged at the boot (CERT-C18). */
export function commonNameFault(
  commonName: string | undefined,
  serialNumber: string | undefined,
  check: SubjectCheck = 'contains',
): string | undefined {
  if (check === 'off' || serialNumber === undefined || serialNumber === '') return undefined
  if (commonName === undefined) return 'it has no common name'
  const fits = check === 'exact' ? commonName === serialNumber : commonName.includes(serialNumber)
  return fits ? undefined : `its common name ${check === 'exact' ? 'is not' : 'does not contain'} the serial number`
}

/** Whether it names a charge point that has not said its serial number yet (CERT-C28). */
export function namesNewcomer(
  commonName: string | undefined,
  expected: { readonly identity: string; readonly expectedSerialNumber?: string | undefined },
  check: SubjectCheck = 'contains',
): boolean {
  const { identity, expectedSerialNumber = '' } = expected
  if (commonName === undefined) return false
  if (commonName === identity) return true
  if (expectedSerialNumber === '') return false
  return check === 'contains' ? commonName.includes(expectedSerialNumber) : commonName === expectedSerialNumber
}

/** The certificate that an authority makes for a request (CERT-C6). */
const HOUR_MS = 3600_000
const DAY_MS = 24 * HOUR_MS
/** Station clocks are wrong by minutes, and some by their time zone's hour. */
const BACKDATED_MS = HOUR_MS
/** Renewal begins 30 days before the end (CERT-C20). */
const VALID_DAYS = 398
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
