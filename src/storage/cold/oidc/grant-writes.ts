import { and, eq, isNull } from 'drizzle-orm'
import type { OidcWrites } from '../../../domain/ports/storage-oidc.ts'
import { accessTokens, grants } from '../../schema/oidc.ts'
import { build, changed, type Operations, row } from '../work.ts'
import { approveOnce } from './approve.ts'
import { exchangeOnce } from './exchange.ts'
import { revokeFamily } from './family.ts'
import { refreshOnce } from './refresh.ts'
import { refreshByHash } from './rows.ts'

type GrantWrites = Pick<
  OidcWrites,
  'approve' | 'exchangeCode' | 'refreshTokens' | 'revokeToken' | 'revokeGrant' | 'selectChargePoints' | 'touchGrant'
>

/** What is spent once is decided and stored in one transaction (OIDC-K9). */
export const grantWrites: Operations<GrantWrites> = {
  approve: approveOnce,
  exchangeCode: exchangeOnce,
  refreshTokens: refreshOnce,
  *revokeToken(hash, clientId, at) {
    const refreshToken = yield* refreshByHash(hash)
    if (refreshToken) {
      if (refreshToken.clientId !== clientId || refreshToken.revokedAt !== undefined) return undefined
      yield* revokeFamily(refreshToken.familyId, at)
      return { kind: 'refresh', grantId: refreshToken.grantId }
    }
    const own = and(eq(accessTokens.hash, hash), eq(accessTokens.clientId, clientId), isNull(accessTokens.revokedAt))
    const access = yield* row(build.update(accessTokens).set({ revokedAt: at }).where(own).returning())
    return access && { kind: 'access', grantId: access.grantId }
  },
  *revokeGrant(id, at) {
    const active = and(eq(grants.id, id), isNull(grants.revokedAt))
    return (yield* changed(build.update(grants).set({ revokedAt: at, updatedAt: at }).where(active))) === 1
  },
  *selectChargePoints(grantId, chargePoints, at) {
    const active = and(eq(grants.id, grantId), isNull(grants.revokedAt))
    return (yield* changed(build.update(grants).set({ chargePoints, updatedAt: at }).where(active))) === 1
  },
  *touchGrant(id, at) {
    yield* changed(build.update(grants).set({ lastUsedAt: at }).where(eq(grants.id, id)))
  },
}
