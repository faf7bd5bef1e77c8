import { and, eq, isNull, type SQL } from 'drizzle-orm'
import type { OidcWrites } from '../../../domain/ports/storage-oidc.ts'
import { accessTokens, grants } from '../../schema/oidc.ts'
import { type Operations, update, updated } from '../work.ts'
import { approveOnce } from './approve.ts'
import { exchangeOnce } from './exchange.ts'
import { revokeFamily } from './family.ts'
import { refreshOnce } from './refresh.ts'
import { refreshByHash } from './rows.ts'

export const grantWrites = {
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
    const access = yield* updated(accessTokens, { revokedAt: at }, own)
    return access && { kind: 'access', grantId: access.grantId }
  },
  revokeGrant: (id, at) => update(grants, { revokedAt: at, updatedAt: at }, active(id)),
  selectChargePoints: (id, chargePoints, at) => update(grants, { chargePoints, updatedAt: at }, active(id)),
  *touchGrant(id, at) {
    yield* update(grants, { lastUsedAt: at }, eq(grants.id, id))
  },
} satisfies Partial<Operations<OidcWrites>>

function active(id: string): SQL | undefined {
  return and(eq(grants.id, id), isNull(grants.revokedAt))
}
