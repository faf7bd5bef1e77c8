import type { Database } from 'better-sqlite3'
import { and, eq, inArray, isNull, lt, notExists, or, sql } from 'drizzle-orm'
import type { ClientSecret, OidcWrites } from '../../oidc-store.ts'
import { present } from '../present.ts'
import {
  accessTokens,
  auditEvents,
  authorizationCodes,
  grants,
  interactions,
  loginSessions,
  oauthClientSecrets,
  oauthClients,
  refreshTokens,
  signingKeys,
} from '../schema/oidc.ts'
import { issuingWrites, revokeFamily } from './issue.ts'
import { type Orm, orm, refreshByHash } from './rows.ts'

export function oidcWrites(client: Database): OidcWrites {
  const db = orm(client)
  return {
    ...clientWrites(client, db),
    ...loginWrites(client, db),
    ...issuingWrites(client),
    ...grantWrites(client, db),
  }
}

type ClientWrites = Pick<
  OidcWrites,
  'createClient' | 'updateClient' | 'deleteClient' | 'addClientSecret' | 'deleteUnusedClients'
>

function clientWrites(client: Database, db: Orm): ClientWrites {
  const remove = client.transaction((id: string, at: number) => {
    db.update(grants)
      .set({ revokedAt: at })
      .where(and(eq(grants.clientId, id), isNull(grants.revokedAt)))
      .run()
    db.delete(oauthClientSecrets).where(eq(oauthClientSecrets.clientId, id)).run()
    return db.delete(oauthClients).where(eq(oauthClients.id, id)).run().changes === 1
  })
  const addSecret = client.transaction((clientId: string, secret: ClientSecret, othersExpireAt: number) => {
    if (!db.select().from(oauthClients).where(eq(oauthClients.id, clientId)).get()) return false
    const later = or(isNull(oauthClientSecrets.expiresAt), sql`${oauthClientSecrets.expiresAt} > ${othersExpireAt}`)
    db.update(oauthClientSecrets)
      .set({ expiresAt: othersExpireAt })
      .where(and(eq(oauthClientSecrets.clientId, clientId), later))
      .run()
    db.insert(oauthClientSecrets)
      .values({ ...secret, clientId })
      .run()
    return true
  })
  const create = client.transaction(({ secrets, ...row }: Parameters<OidcWrites['createClient']>[0]) => {
    db.insert(oauthClients).values(row).run()
    for (const secret of secrets) {
      db.insert(oauthClientSecrets)
        .values({ ...secret, clientId: row.id })
        .run()
    }
  })
  return {
    createClient: async (record) => create.immediate(record),
    updateClient: async (id, change) =>
      db
        .update(oauthClients)
        .set({ id, ...change })
        .where(eq(oauthClients.id, id))
        .run().changes === 1,
    deleteClient: async (id, at) => remove.immediate(id, at),
    addClientSecret: async (clientId, secret, othersExpireAt) => addSecret.immediate(clientId, secret, othersExpireAt),
    deleteUnusedClients: async (before) => {
      const approved = db.select().from(grants).where(eq(grants.clientId, oauthClients.id))
      const unused = and(eq(oauthClients.origin, 'dynamic'), lt(oauthClients.createdAt, before), notExists(approved))
      return db.delete(oauthClients).where(unused).run().changes
    },
  }
}

type LoginWrites = Pick<
  OidcWrites,
  | 'createLoginSession'
  | 'touchLoginSession'
  | 'endLoginSession'
  | 'endLoginSessionOfUser'
  | 'createInteraction'
  | 'claimInteraction'
  | 'updateInteraction'
>

function loginWrites(client: Database, db: Orm): LoginWrites {
  const claim = client.transaction((idHash: string, at: number) => {
    const waiting = and(
      eq(interactions.idHash, idHash),
      isNull(interactions.browserHash),
      isNull(interactions.spentAt),
      sql`${interactions.expiresAt} > ${at}`,
    )
    const [row] = db.update(interactions).set({ spentAt: at }).where(waiting).returning().all()
    return row && present(row)
  })
  return {
    createLoginSession: async (session) => {
      db.insert(loginSessions).values(session).run()
    },
    touchLoginSession: async (idHash, at) => {
      db.update(loginSessions).set({ lastSeenAt: at }).where(eq(loginSessions.idHash, idHash)).run()
    },
    endLoginSession: async (idHash, at) => {
      const live = and(eq(loginSessions.idHash, idHash), isNull(loginSessions.endedAt))
      return db.update(loginSessions).set({ endedAt: at }).where(live).run().changes === 1
    },
    endLoginSessionOfUser: async (userId, sid, at) => {
      const live = and(eq(loginSessions.userId, userId), eq(loginSessions.sid, sid), isNull(loginSessions.endedAt))
      return db.update(loginSessions).set({ endedAt: at }).where(live).run().changes === 1
    },
    createInteraction: async (interaction) => {
      db.insert(interactions).values(interaction).run()
    },
    claimInteraction: async (idHash, at) => claim.immediate(idHash, at),
    updateInteraction: async (idHash, change) => {
      const unspent = and(eq(interactions.idHash, idHash), isNull(interactions.spentAt))
      return (
        db
          .update(interactions)
          .set({ idHash, ...change })
          .where(unspent)
          .run().changes === 1
      )
    },
  }
}

type GrantWrites = Pick<
  OidcWrites,
  | 'revokeToken'
  | 'revokeGrant'
  | 'selectChargePoints'
  | 'touchGrant'
  | 'createSigningKey'
  | 'deleteSigningKeys'
  | 'audit'
  | 'deleteExpiredOidc'
>

function grantWrites(client: Database, db: Orm): GrantWrites {
  const revokeToken = client.transaction((hash: string, clientId: string, at: number) => {
    const refresh = refreshByHash(db, hash)
    if (refresh) {
      if (refresh.clientId !== clientId || refresh.revokedAt !== undefined) return undefined
      revokeFamily(db, refresh.familyId, at)
      return { kind: 'refresh' as const, grantId: refresh.grantId }
    }
    const own = and(eq(accessTokens.hash, hash), eq(accessTokens.clientId, clientId), isNull(accessTokens.revokedAt))
    const [access] = db.update(accessTokens).set({ revokedAt: at }).where(own).returning().all()
    return access && { kind: 'access' as const, grantId: access.grantId }
  })
  const createKey = client.transaction((key: Parameters<OidcWrites['createSigningKey']>[0], onlyFirst: boolean) => {
    if (onlyFirst && db.select().from(signingKeys).limit(1).get()) return false
    db.insert(signingKeys).values(key).run()
    return true
  })
  const deleteExpired = client.transaction((before: number) => {
    const counts = [
      db.delete(authorizationCodes).where(lt(authorizationCodes.expiresAt, before)).run(),
      db.delete(accessTokens).where(lt(accessTokens.expiresAt, before)).run(),
      db.delete(refreshTokens).where(lt(refreshTokens.expiresAt, before)).run(),
      db.delete(interactions).where(lt(interactions.expiresAt, before)).run(),
      db.delete(loginSessions).where(lt(loginSessions.endedAt, before)).run(),
    ]
    return counts.reduce((sum, { changes }) => sum + changes, 0)
  })
  return {
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
    createSigningKey: async (key, onlyFirst) => createKey.immediate(key, onlyFirst),
    deleteSigningKeys: async (kids) => {
      db.delete(signingKeys)
        .where(inArray(signingKeys.kid, [...kids]))
        .run()
    },
    audit: async (event) => {
      db.insert(auditEvents).values(event).run()
    },
    deleteExpiredOidc: async (before) => deleteExpired.immediate(before),
  }
}
