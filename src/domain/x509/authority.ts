/** An authority of our own: made, kept as text, and read again; and its revocation list (CERT-C7, CERT-C8). */
import { webcrypto } from 'node:crypto'
import { randomSerialNumber, type SigningAuthority } from './issue.ts'
import type { KeyKind } from './key-rules.ts'
import { x509Library } from './library.ts'
import { MAX_NAME_LENGTH, subjectNames } from './subject.ts'

const DAY_MS = 24 * 3600_000
const VALID_DAYS = 20 * 365
/** Readers look for a newer list at least this often. */
const LIST_DAYS = 7

const ALGORITHMS = {
  EC: { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' },
  RSA: {
    name: 'RSASSA-PKCS1-v1_5',
    hash: 'SHA-256',
    modulusLength: 3072,
    publicExponent: new Uint8Array([1, 0, 1]),
  },
} as const

interface NewAuthority {
  readonly certificate: string
  readonly privateKey: string
}

export async function createAuthority(
  kind: KeyKind,
  { name, organization, now, random }: NewAuthorityContext,
): Promise<NewAuthority> {
  const x509 = x509Library()
  const keys = (await webcrypto.subtle.generateKey(ALGORITHMS[kind], true, [
    'sign',
    'verify',
  ])) as webcrypto.CryptoKeyPair
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: randomSerialNumber(random),
    name: subjectNames(name.slice(0, MAX_NAME_LENGTH), organization.slice(0, MAX_NAME_LENGTH)),
    notBefore: new Date(now - DAY_MS),
    notAfter: new Date(now + VALID_DAYS * DAY_MS),
    keys,
    signingAlgorithm: ALGORITHMS[kind],
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  })
  const exported = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey)
  return { certificate: certificate.toString('pem'), privateKey: Buffer.from(exported).toString('base64') }
}

interface NewAuthorityContext {
  readonly name: string
  readonly organization: string
  readonly now: number
  readonly random: (bytes: number) => Buffer
}

/** @throws when the key is not one that `createAuthority` made */
export async function openAuthority(kind: KeyKind, kept: NewAuthority): Promise<SigningAuthority> {
  const algorithm = ALGORITHMS[kind]
  const pkcs8 = Buffer.from(kept.privateKey, 'base64')
  const signingKey = await webcrypto.subtle.importKey('pkcs8', pkcs8, algorithm, false, ['sign'])
  return { certificate: kept.certificate, signingKey, algorithm }
}

export interface Revoked {
  readonly serialNumber: string
  readonly revokedAt: number
}

export async function revocationList(
  { certificate, signingKey, algorithm }: SigningAuthority,
  revoked: readonly Revoked[],
  now: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const x509 = x509Library()
  const issuer = new x509.X509Certificate(certificate)
  const list = await x509.X509CrlGenerator.create({
    issuer: issuer.subjectName,
    thisUpdate: new Date(now),
    nextUpdate: new Date(now + LIST_DAYS * DAY_MS),
    entries: revoked.map(({ serialNumber, revokedAt }) => ({ serialNumber, revocationDate: new Date(revokedAt) })),
    signingAlgorithm: algorithm,
    signingKey,
    extensions: [await x509.AuthorityKeyIdentifierExtension.create(issuer)],
  })
  return new Uint8Array(list.rawData)
}
