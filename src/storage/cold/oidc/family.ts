/** The tokens issued from one code: a family, which ends together. */
import { and, eq, isNull } from 'drizzle-orm'
import type { AuthorizationCode, RefreshToken } from '../../../domain/ports/storage-oidc.ts'
import { accessTokens, refreshTokens } from '../../schema/oidc.ts'
import { insert, update, type Work } from '../work.ts'

type Origin = Pick<
  AuthorizationCode | RefreshToken,
  'familyId' | 'grantId' | 'clientId' | 'userId' | 'authTime' | 'sid' | 'scopes'
>

export function* insertAccess(
  { familyId, grantId, clientId, userId }: Origin,
  token: { hash: string; scopes: readonly string[]; issuedAt: number; expiresAt: number },
): Work<void> {
  yield* insert(accessTokens, { ...token, familyId, grantId, clientId, userId })
}

export function* insertRefresh(
  { familyId, grantId, clientId, userId, authTime, sid, scopes }: Origin,
  token: {
    hash: string
    parentHash?: string | undefined
    issuedAt: number
    expiresAt: number
    absoluteExpiresAt: number
  },
): Work<void> {
  yield* insert(refreshTokens, { ...token, familyId, grantId, clientId, userId, authTime, sid, scopes })
}

export function* revokeFamily(familyId: string, at: number): Work<void> {
  for (const table of [accessTokens, refreshTokens]) {
    yield* update(table, { revokedAt: at }, and(eq(table.familyId, familyId), isNull(table.revokedAt)))
  }
}
