/** The way from a certificate to an authority that is trusted (CERT-C11). */
import type { X509Certificate } from 'node:crypto'
import { keyFault } from './key-rules.ts'
import { x509Library } from './library.ts'
import { validFrom, validTo } from './pem.ts'

/** Certificates between a charge point's and the root; in practice at most three. */
const MAX_PATH_LENGTH = 5

/** From `leaf` to a trusted one, or undefined. Every issuer is an authority within its time; the leaf's is unjudged. */
export function pathOf(
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
