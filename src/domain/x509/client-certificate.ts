/** What is checked of a certificate that a charge point shows (CERT-C11 to CERT-C14). Pure; the same behind a proxy. */
import { X509Certificate } from 'node:crypto'
import type { CertificateFacts } from '../certificates/records.ts'
import { commonNameFault, oneLine, type SubjectCheck, subjectOf } from './issue.ts'
import { keyFault, x509Library } from './library.ts'
import { fingerprintOf, serialNumberOf, validFrom, validTo } from './pem.ts'

/** A handshake brings a leaf and what stands between it and the root. */
export const MAX_SHOWN = 8

/** One that may speak for its charge point, and what is kept of it. */
export interface ShownCertificate extends CertificateFacts {
  readonly commonName?: string | undefined
  /** Fingerprint of the trusted authority that its path ends at. */
  readonly root: string
  /** It is over, and the charge point is let in to get a new one (CERT-C15). */
  readonly isExpired?: true | undefined
}

export interface Expected {
  /** Authorities whose certificates are taken, PEM. */
  readonly trusted: readonly X509Certificate[]
  readonly organization: string
  readonly serialNumber?: string | undefined
  readonly subjectCheck?: SubjectCheck | undefined
  readonly acceptExpired?: boolean | undefined
  readonly now: number
}

export type CertificateCheck =
  | { readonly ok: true; readonly certificate: ShownCertificate }
  | { readonly ok: false; readonly reason: string; readonly isExpired?: true | undefined }

/** @param shown PEM or Base64 of DER, the charge point's own first @returns never throws, whatever was shown */
export function checkClientCertificate(shown: readonly string[], expected: Expected): CertificateCheck {
  if (shown.length > MAX_SHOWN) return refused('it came with too many others')
  try {
    const [leaf, ...others] = shown.map(readOne)
    return leaf ? checkLeaf(leaf, others, expected) : refused('there is none')
  } catch {
    return refused('it cannot be read')
  }
}

function checkLeaf(leaf: X509Certificate, others: readonly X509Certificate[], expected: Expected): CertificateCheck {
  const { now, trusted, subjectCheck } = expected
  if (isAuthority(leaf)) return refused('it is that of an authority')
  const weak = keyFault(leaf.publicKey)
  if (weak !== undefined) return refused(weak)
  const root = pathOf(leaf, others, trusted, now)?.at(-1)
  if (!root) return refused('no authority that is trusted here has issued it')
  if (isForOthersThanClients(leaf)) return refused('it is not one for clients')
  if (validFrom(leaf) > now) return refused('it is not valid yet')
  const isExpired = validTo(leaf) <= now
  if (isExpired && !expected.acceptExpired) return { ok: false, reason: 'it has expired', isExpired }
  const { commonName, organizations } = subjectOf(leaf)
  if (subjectCheck !== 'off' && !organizations.includes(expected.organization)) {
    return refused('its organization is not the one of this installation')
  }
  const misnamed = commonNameFault(commonName, expected.serialNumber, subjectCheck)
  if (misnamed !== undefined) return refused(misnamed)
  return {
    ok: true,
    certificate: {
      fingerprint: fingerprintOf(leaf),
      serialNumber: serialNumberOf(leaf),
      commonName,
      subject: oneLine(leaf.subject),
      issuer: oneLine(leaf.issuer),
      pem: leaf.toString(),
      notBefore: validFrom(leaf),
      notAfter: validTo(leaf),
      root: fingerprintOf(root),
      ...(isExpired && { isExpired }),
    },
  }
}

function readOne(text: string): X509Certificate {
  return new X509Certificate(text.startsWith('-----') ? text : Buffer.from(text, 'base64'))
}

function refused(reason: string): CertificateCheck {
  return { ok: false, reason }
}

// The way from a certificate to an authority that is trusted (CERT-C11).

/** Certificates between a charge point's and the root; in practice at most three. */
const MAX_PATH_LENGTH = 5

/** From `leaf` to a trusted one, or undefined. Every issuer is an authority within its time; the leaf's is unjudged. */
function pathOf(
  leaf: X509Certificate,
  others: readonly X509Certificate[],
  trusted: readonly X509Certificate[],
  now: number,
): readonly X509Certificate[] | undefined {
  const path = [leaf]
  let last = leaf
  while (path.length <= MAX_PATH_LENGTH) {
    const root = trusted.find((candidate) => isIssuer(candidate, last, now))
    if (root) return [...path, root]
    const next = others.find((candidate) => !path.includes(candidate) && isIssuer(candidate, last, now))
    if (!next) return undefined
    path.push(next)
    last = next
  }
  return undefined
}

export function isIssuer(issuer: X509Certificate, subject: X509Certificate, now: number): boolean {
  try {
    return (
      issuer.ca &&
      validFrom(issuer) <= now &&
      now < validTo(issuer) &&
      subject.checkIssued(issuer) &&
      keyFault(issuer.publicKey) === undefined &&
      subject.verify(issuer.publicKey)
    )
  } catch {
    return false
  }
}

/** By CA:true or a right to sign, which OpenSSL demands together. @throws for one that the library cannot read */
export function isAuthority({ ca, raw }: X509Certificate): boolean {
  const x509 = x509Library()
  if (ca) return true
  const certificate = new x509.X509Certificate(new Uint8Array(raw))
  const usages = certificate.getExtension(x509.KeyUsagesExtension)?.usages ?? 0
  return (
    certificate.getExtension(x509.BasicConstraintsExtension)?.ca === true ||
    (usages & x509.KeyUsageFlags.keyCertSign) !== 0
  )
}

/** id-kp-clientAuth. */
const CLIENT_AUTH = '1.3.6.1.5.5.7.3.2'

/** One that says what it is for, and does not name logins. */
export function isForOthersThanClients({ keyUsage }: X509Certificate): boolean {
  // Node calls the extended key usage keyUsage.
  const uses = keyUsage as readonly string[] | undefined
  return uses !== undefined && !uses.includes(CLIENT_AUTH)
}
