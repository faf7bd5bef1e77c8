import type {
  AuthorizationCode,
  CodeRefusal,
  ExchangeOrder,
  RefreshOrder,
  RefreshRefusal,
  RefreshToken,
} from '../ports/storage-oidc.ts'
import { covers } from './scopes.ts'

/** OIDC-T2: a wrong verifier or redirect_uri may be a mistake; five are an attack. */
const MAX_CODE_FAILURES = 5

/** OIDC-T3: undefined: exchange it. Another client's attempt comes first, so it changes nothing; then a replay. */
export function judgeCode(
  code: AuthorizationCode | undefined,
  attempt: Pick<ExchangeOrder, 'now' | 'clientId' | 'redirectUri' | 'challenge'>,
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

/** Whether a refresh token may be used, judged on its row as the transaction sees it (OIDC-T5 to OIDC-T8). Pure. */
type RefreshAttempt = Pick<RefreshOrder, 'now' | 'clientId' | 'scopes' | 'graceMs'>

interface RefreshSurroundings {
  readonly grantRevoked: boolean
  readonly userDisabled: boolean
  readonly successor?: Pick<RefreshToken, 'usedAt' | 'revokedAt'> | undefined
}

/** `repeat`: the same answer again, for a client that lost the first one within the grace period. */
type RefreshJudgement = 'issue' | 'repeat' | RefreshRefusal

export function judgeRefresh(
  token: RefreshToken | undefined,
  attempt: RefreshAttempt,
  { grantRevoked, userDisabled, successor }: RefreshSurroundings,
): RefreshJudgement {
  if (!token) return 'unknown'
  if (token.clientId !== attempt.clientId) return 'other_client'
  if (token.revokedAt !== undefined) return 'revoked'
  if (grantRevoked) return 'grant_revoked'
  if (userDisabled) return 'user_disabled'
  if (token.usedAt !== undefined) {
    const inGrace = attempt.graceMs > 0 && attempt.now - token.usedAt <= attempt.graceMs
    const unused = successor !== undefined && successor.usedAt === undefined && successor.revokedAt === undefined
    return inGrace && unused && token.sealedPair !== undefined ? 'repeat' : 'reused'
  }
  if (token.expiresAt <= attempt.now) return 'expired'
  if (attempt.scopes && !covers(token.scopes, attempt.scopes)) return 'scope'
  return 'issue'
}
