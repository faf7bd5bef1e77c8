/** The way from a certificate to an authority that is trusted (CERT-C11). */
import type { X509Certificate } from 'node:crypto'
import { keyFault } from './key-rules.ts'
import { validFrom, validTo } from './pem.ts'

/** Certificates between a charge point's and the root; nobody has more than three. */
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
