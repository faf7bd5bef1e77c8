/** The tokens that come of one code: a family, which ends together. */
import { and, eq, isNull } from 'drizzle-orm'
import type { AuthorizationCode, RefreshToken } from '../../../ports/storage-oidc.ts'
import { accessTokens, refreshTokens } from '../schema/oidc.ts'
import type { Orm } from './rows.ts'

/** What a token takes from the code or token that it is issued for. */
type Origin = Pick<
  AuthorizationCode | RefreshToken,
  'familyId' | 'grantId' | 'clientId' | 'userId' | 'authTime' | 'sid' | 'scopes'
>

export function insertAccess(
  db: Orm,
  { familyId, grantId, clientId, userId }: Origin,
  token: { hash: string; scopes: readonly string[]; issuedAt: number; expiresAt: number },
): void {
  db.insert(accessTokens)
    .values({ ...token, familyId, grantId, clientId, userId })
    .run()
}

export function insertRefresh(
  db: Orm,
  { familyId, grantId, clientId, userId, authTime, sid, scopes }: Origin,
  token: { hash: string; parentHash?: string; issuedAt: number; expiresAt: number; absoluteExpiresAt: number },
): void {
  db.insert(refreshTokens)
    .values({ ...token, familyId, grantId, clientId, userId, authTime, sid, scopes })
    .run()
}

export function revokeFamily(db: Orm, familyId: string, at: number): void {
  db.update(accessTokens)
    .set({ revokedAt: at })
    .where(and(eq(accessTokens.familyId, familyId), isNull(accessTokens.revokedAt)))
    .run()
  db.update(refreshTokens)
    .set({ revokedAt: at })
    .where(and(eq(refreshTokens.familyId, familyId), isNull(refreshTokens.revokedAt)))
    .run()
}
