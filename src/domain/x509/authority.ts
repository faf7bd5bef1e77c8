/** An authority of our own: made, kept as text, and read again; and its revocation list (CERT-C7, CERT-C8). */
import { constants, createHash, createPublicKey, type KeyObject, verify, webcrypto } from 'node:crypto'
import type { Pkcs10CertificateRequest } from '@peculiar/x509'
import { MAX_NAME_LENGTH, randomSerialNumber, type SigningAuthority, subjectNames } from './issue.ts'
import { type KeyKind, keyFault, keyKind, PARSE_LIMITS, x509Library } from './library.ts'

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

// Reading a certificate signing request, and all checks before it is signed (CERT-C4, CERT-C5).

/** The longest of OCPP 2.0.1 and of the security whitepaper for 1.6. */
const MAX_CSR_LENGTH = 5500

interface ReadCsr {
  /** One spelling for all that stations send: the same request is known again by it. */
  readonly pem: string
  readonly digest: string
  readonly kind: KeyKind
  readonly commonName?: string | undefined
}

type CsrReading =
  | { readonly ok: true; readonly csr: ReadCsr }
  /** For the log and the station's statusInfo. */
  | { readonly ok: false; readonly reason: string }

/** Never throws, whatever a charge point sends; its time is bounded by the length that is taken. */
export function readCsr(text: string): CsrReading {
  if (text.length > MAX_CSR_LENGTH) return refused(`the request is longer than ${MAX_CSR_LENGTH} characters`)
  const der = derOf(text)
  if (!der) return refused('the request is no PEM')
  if (endOfElement(der) < der.length) return refused('there are bytes behind the request')
  try {
    return checked(der)
  } catch {
    return refused('the request is no PKCS#10')
  }
}

function checked(der: Buffer): CsrReading {
  const x509 = x509Library()
  const request = new x509.Pkcs10CertificateRequest(new Uint8Array(der), PARSE_LIMITS)
  const key = publicKeyOf(request.publicKey.rawData)
  const fault = keyFault(key)
  if (fault !== undefined) return refused(fault)
  const kind = keyKind(key)
  if (!kind || !isSigned(request, key, kind)) return refused('the signature is not that of its key')
  const commonName = request.subjectName.getField('CN')[0]?.trim()
  return {
    ok: true,
    csr: {
      pem: pemOf(der),
      digest: createHash('sha256').update(der).digest('hex'),
      kind,
      ...(commonName !== undefined && commonName !== '' && { commonName }),
    },
  }
}

/** @throws for a key that OpenSSL does not know */
export function publicKeyOf(spki: ArrayBuffer): KeyObject {
  return createPublicKey({ key: Buffer.from(spki), format: 'der', type: 'spki' })
}

/** @throws when the text is not one that `readCsr` took */
export function csrPublicKey(pem: string): KeyObject {
  const x509 = x509Library()
  return publicKeyOf(new x509.Pkcs10CertificateRequest(pem).publicKey.rawData)
}

const HASHES: Readonly<Record<string, string>> = { 'SHA-256': 'sha256', 'SHA-384': 'sha384', 'SHA-512': 'sha512' }
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/
const LABEL = /-----(BEGIN|END) (?:NEW )?CERTIFICATE REQUEST-----/g

/** PEM, also with line ends written as `\n` or left out, or the Base64 alone. */
function derOf(text: string): Buffer | undefined {
  const body = text.replaceAll('\\n', '\n').replaceAll(LABEL, '').replaceAll(/\s/g, '')
  return BASE64.test(body) ? Buffer.from(body, 'base64') : undefined
}

/** Where the request's one element ends (X.690 §8.1.3): the library skips the rest, so one request would be many. */
function endOfElement(der: Buffer): number {
  const length = der[1] ?? 0
  if (length < 0x80) return 2 + length
  const digits = length - 0x80
  // Indefinite, or longer than anything here: for the library to refuse.
  return digits === 0 || digits > 4 || der.length < 2 + digits ? der.length : 2 + digits + der.readUIntBE(2, digits)
}

function isSigned(request: Pkcs10CertificateRequest, key: KeyObject, kind: KeyKind): boolean {
  const algorithm = request.signatureAlgorithm as {
    name: string
    hash?: { name: string }
    saltLength?: number | undefined
  }
  const hash = HASHES[algorithm.hash?.name ?? '']
  if (hash === undefined || (kind === 'EC') !== (algorithm.name === 'ECDSA')) return false
  // The signed part as it stands in the request; the library's own check is asynchronous.
  // biome-ignore lint/complexity/useLiteralKeys: the compiler lets a private member be read in no other way
  const signed = Buffer.from(request['tbs'])
  const signature = Buffer.from(request.signature)
  if (algorithm.name !== 'RSA-PSS') return verify(hash, signed, key, signature)
  const padding = constants.RSA_PKCS1_PSS_PADDING
  return verify(hash, signed, { key, padding, saltLength: algorithm.saltLength ?? 32 }, signature)
}

function pemOf(der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? []
  return ['-----BEGIN CERTIFICATE REQUEST-----', ...lines, '-----END CERTIFICATE REQUEST-----', ''].join('\n')
}

function refused(reason: string): CsrReading {
  return { ok: false, reason }
}
