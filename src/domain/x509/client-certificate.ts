/** What is checked of a certificate that a charge point shows (CERT-C11 to CERT-C14). Pure; the same behind a proxy. */
import { X509Certificate } from 'node:crypto'
import { keyFault } from './key-rules.ts'
import { isAuthority, isForOthersThanClients, pathOf } from './path.ts'
import { fingerprintOf, serialNumberOf, validFrom, validTo } from './pem.ts'
import { commonNameFault, oneLine, type SubjectCheck, subjectOf } from './subject.ts'

/** A handshake brings a leaf and what stands between it and the root. */
export const MAX_SHOWN = 8

/** One that may speak for its charge point, and what is kept of it. */
export interface ShownCertificate {
  readonly fingerprint: string
  readonly serialNumber: string
  readonly commonName?: string | undefined
  readonly subject: string
  readonly issuer: string
  readonly pem: string
  readonly notBefore: number
  readonly notAfter: number
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
