import type { Database } from 'better-sqlite3'
import { and, desc, eq, isNull } from 'drizzle-orm'
import type { OidcReads } from '../../../ports/storage-oidc.ts'
import { present } from '../rows/present.ts'
import {
  accessTokens,
  auditEvents,
  grants,
  interactions,
  loginSessions,
  oauthClients,
  signingKeys,
} from '../schema/oidc.ts'
import {
  activeGrant,
  clientsWhere,
  codeByHash,
  grantById,
  isClientDisabled,
  isUserDisabled,
  orm,
  refreshByHash,
  roleOf,
} from './rows.ts'

export function oidcReads(client: Database): OidcReads {
  const db = orm(client)
  return {
    findClient: async (id) => clientsWhere(db, eq(oauthClients.id, id))[0],
    listClients: async (accountId) => clientsWhere(db, eq(oauthClients.accountId, accountId)),
    countDynamicClients: async () => db.$count(oauthClients, eq(oauthClients.origin, 'dynamic')),
    findLoginSession: async (idHash) => {
      const row = db.select().from(loginSessions).where(eq(loginSessions.idHash, idHash)).get()
      return row && present(row)
    },
    listLoginSessions: async (userId) =>
      db
        .select()
        .from(loginSessions)
        .where(and(eq(loginSessions.userId, userId), isNull(loginSessions.endedAt)))
        .orderBy(desc(loginSessions.lastSeenAt))
        .all()
        .map(present),
    findInteraction: async (idHash) => {
      const row = db.select().from(interactions).where(eq(interactions.idHash, idHash)).get()
      return row && present(row)
    },
    findGrant: async (id) => grantById(db, id),
    findActiveGrant: async (userId, clientId) => activeGrant(db, userId, clientId),
    listGrants: async ({ accountId, userId, clientId }) =>
      db
        .select()
        .from(grants)
        .where(
          and(
            eq(grants.accountId, accountId),
            userId === undefined ? undefined : eq(grants.userId, userId),
            clientId === undefined ? undefined : eq(grants.clientId, clientId),
            isNull(grants.revokedAt),
          ),
        )
        .orderBy(desc(grants.createdAt), grants.id)
        .all()
        .map(present),
    findAccessToken: async (hash) => {
      const row = db.select().from(accessTokens).where(eq(accessTokens.hash, hash)).get()
      const grant = row && grantById(db, row.grantId)
      if (!row || !grant) return undefined
      const { jkt: _, ...token } = row
      const userRole = roleOf(db, token.userId)
      return {
        token: present(token),
        grant,
        ...(userRole && { userRole }),
        userDisabled: isUserDisabled(db, token.userId),
        clientDisabled: isClientDisabled(db, token.clientId),
      }
    },
    findRefreshToken: async (hash) => {
      const token = refreshByHash(db, hash)
      if (!token) return undefined
      return {
        token,
        grantRevoked: grantById(db, token.grantId)?.revokedAt !== undefined,
        userDisabled: isUserDisabled(db, token.userId),
        clientDisabled: isClientDisabled(db, token.clientId),
      }
    },
    findCode: async (hash) => codeByHash(db, hash),
    listSigningKeys: async () => db.select().from(signingKeys).orderBy(signingKeys.activeFrom).all(),
    listAuditEvents: async ({ accountId, userId, limit }) =>
      db
        .select()
        .from(auditEvents)
        .where(
          and(eq(auditEvents.accountId, accountId), userId === undefined ? undefined : eq(auditEvents.userId, userId)),
        )
        .orderBy(desc(auditEvents.id))
        .limit(limit)
        .all()
        .map(({ id: _, ...event }) => present(event)),
  }
}
