/** Proof Key for Code Exchange, S256 only (RFC 7636; OIDC-A7, OIDC-T2). */
import { createHash } from 'node:crypto'

/** base64url of SHA-256: 43 characters. */
export function isChallenge(text: string): boolean {
  return /^[A-Za-z0-9_-]{43}$/.test(text)
}

/** RFC 7636 §4.1: 43 to 128 unreserved characters. */
export function isVerifier(text: string): boolean {
  return /^[A-Za-z0-9._~-]{43,128}$/.test(text)
}

export function challengeOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url')
}
