import type { Database } from 'better-sqlite3'
import { and, eq, isNull } from 'drizzle-orm'
import type { ApproveOrder, ExchangeOrder, OidcWrites, RefreshOrder } from '../../../ports/storage-oidc.ts'
import { accessTokens, grants } from '../schema/oidc.ts'
import { approveOnce } from './approve.ts'
import { exchangeOnce } from './exchange.ts'
import { revokeFamily } from './family.ts'
import { refreshOnce } from './refresh.ts'
import { type Orm, refreshByHash } from './rows.ts'

type GrantWrites = Pick<
  OidcWrites,
  'approve' | 'exchangeCode' | 'refreshTokens' | 'revokeToken' | 'revokeGrant' | 'selectChargePoints' | 'touchGrant'
>

/** What is spent once is decided and stored in one transaction (OIDC-K9). */
export function grantWrites(client: Database, db: Orm): GrantWrites {
  const approve = client.transaction((order: ApproveOrder) => approveOnce(db, order))
  const exchange = client.transaction((order: ExchangeOrder) => exchangeOnce(db, order))
  const refresh = client.transaction((order: RefreshOrder) => refreshOnce(db, order))
  const revokeToken = client.transaction((hash: string, clientId: string, at: number) => {
    const refreshToken = refreshByHash(db, hash)
    if (refreshToken) {
      if (refreshToken.clientId !== clientId || refreshToken.revokedAt !== undefined) return undefined
      revokeFamily(db, refreshToken.familyId, at)
      return { kind: 'refresh' as const, grantId: refreshToken.grantId }
    }
    const own = and(eq(accessTokens.hash, hash), eq(accessTokens.clientId, clientId), isNull(accessTokens.revokedAt))
    const [access] = db.update(accessTokens).set({ revokedAt: at }).where(own).returning().all()
    return access && { kind: 'access' as const, grantId: access.grantId }
  })
  return {
    approve: async (order) => approve.immediate(order),
    exchangeCode: async (order) => exchange.immediate(order),
    refreshTokens: async (order) => refresh.immediate(order),
    revokeToken: async (hash, clientId, at) => revokeToken.immediate(hash, clientId, at),
    revokeGrant: async (id, at) => {
      const active = and(eq(grants.id, id), isNull(grants.revokedAt))
      return db.update(grants).set({ revokedAt: at, updatedAt: at }).where(active).run().changes === 1
    },
    selectChargePoints: async (grantId, chargePoints, at) => {
      const active = and(eq(grants.id, grantId), isNull(grants.revokedAt))
      return db.update(grants).set({ chargePoints, updatedAt: at }).where(active).run().changes === 1
    },
    touchGrant: async (id, at) => {
      db.update(grants).set({ lastUsedAt: at }).where(eq(grants.id, id)).run()
    },
  }
}
