/** Whether a refresh token may be used, judged on its row as the transaction sees it (OIDC-T5 to OIDC-T8). Pure. */
import type { RefreshRefusal, RefreshToken } from '../ports/storage-oidc.ts'
import { covers } from './scopes.ts'

interface RefreshAttempt {
  readonly now: number
  readonly clientId: string
  readonly scopes?: readonly string[] | undefined
  readonly graceMs: number
}

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
