/** Whether a code may be exchanged, judged on its row as the transaction sees it (OIDC-T2, OIDC-T3). Pure. */
import type { AuthorizationCode, CodeRefusal } from '../ports/storage-oidc.ts'

/** A wrong verifier or redirect_uri may be a mistake; five are an attack (OIDC-T2). */
export const MAX_CODE_FAILURES = 5

interface CodeAttempt {
  readonly now: number
  readonly clientId: string
  readonly redirectUri: string
  /** S256 of the verifier that was sent. */
  readonly challenge: string
}

/** Undefined: exchange it. Another client's attempt is first, so it changes nothing; then a replay, to be noticed. */
export function judgeCode(
  code: AuthorizationCode | undefined,
  attempt: CodeAttempt,
  { grantRevoked, userDisabled }: { readonly grantRevoked: boolean; readonly userDisabled: boolean },
): CodeRefusal | undefined {
  if (!code) return 'unknown'
  if (code.clientId !== attempt.clientId) return 'other_client'
  if (code.usedAt !== undefined) return 'replayed'
  if (code.failures >= MAX_CODE_FAILURES) return 'too_many_failures'
  if (code.expiresAt <= attempt.now) return 'expired'
  if (grantRevoked) return 'grant_revoked'
  if (userDisabled) return 'user_disabled'
  if (code.redirectUri !== attempt.redirectUri) return 'redirect_uri'
  // A code without a challenge is never made; were there one, no verifier fits it (OIDC-V1).
  if (code.codeChallenge === '' || code.codeChallenge !== attempt.challenge) return 'verifier'
  return undefined
}

export function isCountedFailure(refusal: CodeRefusal): boolean {
  return refusal === 'redirect_uri' || refusal === 'verifier'
}
