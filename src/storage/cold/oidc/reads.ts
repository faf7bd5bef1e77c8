import { and, count, desc, eq, isNull } from 'drizzle-orm'
import type { OidcReads } from '../../../domain/ports/storage-oidc.ts'
import { present } from '../../rows/present.ts'
import {
  accessTokens,
  auditEvents,
  grants,
  interactions,
  loginSessions,
  oauthClients,
  signingKeys,
} from '../../schema/oidc.ts'
import type { Dialect } from '../dialect.ts'
import { sharedNow } from '../shared-charge-points.ts'
import { build, type Operations, row, rows } from '../work.ts'
import {
  activeGrant,
  clientsWhere,
  codeByHash,
  grantById,
  isClientDisabled,
  isUserDisabled,
  originOf,
  refreshByHash,
  roleOf,
} from './rows.ts'

export function oidcReads(dialect: Dialect): Operations<OidcReads> {
  return {
    *findClient(id) {
      return (yield* clientsWhere(eq(oauthClients.id, id)))[0]
    },
    listClients: (accountId) => clientsWhere(eq(oauthClients.accountId, accountId)),
    *countDynamicClients() {
      const dynamic = eq(oauthClients.origin, 'dynamic')
      return (yield* row(build.select({ count: count() }).from(oauthClients).where(dynamic)))?.count ?? 0
    },
    *findLoginSession(idHash) {
      const found = yield* row(build.select().from(loginSessions).where(eq(loginSessions.idHash, idHash)))
      return found && present(found)
    },
    *listLoginSessions(userId) {
      const live = and(eq(loginSessions.userId, userId), isNull(loginSessions.endedAt))
      const found = build.select().from(loginSessions).where(live)
      return (yield* rows(found.orderBy(desc(loginSessions.lastSeenAt)))).map(present)
    },
    *findInteraction(idHash) {
      const found = yield* row(build.select().from(interactions).where(eq(interactions.idHash, idHash)))
      return found && present(found)
    },
    findGrant: grantById,
    findActiveGrant: activeGrant,
    *listGrants({ accountId, userId, clientId }) {
      const active = and(
        eq(grants.accountId, accountId),
        userId === undefined ? undefined : eq(grants.userId, userId),
        clientId === undefined ? undefined : eq(grants.clientId, clientId),
        isNull(grants.revokedAt),
      )
      const found = build.select().from(grants).where(active)
      return (yield* rows(found.orderBy(desc(grants.createdAt), grants.id))).map(present)
    },
    *findAccessToken(hash) {
      const found = yield* row(build.select().from(accessTokens).where(eq(accessTokens.hash, hash)))
      const stored = found && (yield* grantById(found.grantId))
      if (!found || !stored) return undefined
      const grant = yield* sharedNow(dialect, stored)
      const { jkt: _, ...token } = found
      const userRole = yield* roleOf(token.userId)
      const clientOrigin = yield* originOf(token.clientId)
      return {
        token: present(token),
        grant,
        userRole,
        clientOrigin,
        userDisabled: yield* isUserDisabled(token.userId),
        clientDisabled: yield* isClientDisabled(token.clientId),
      }
    },
    *findRefreshToken(hash) {
      const token = yield* refreshByHash(hash)
      if (!token) return undefined
      return {
        token,
        grantRevoked: (yield* grantById(token.grantId))?.revokedAt !== undefined,
        userDisabled: yield* isUserDisabled(token.userId),
        clientDisabled: yield* isClientDisabled(token.clientId),
      }
    },
    findCode: codeByHash,
    *listSigningKeys() {
      return yield* rows(build.select().from(signingKeys).orderBy(signingKeys.activeFrom))
    },
    *listAuditEvents({ accountId, userId, limit }) {
      const ofUser = userId === undefined ? undefined : eq(auditEvents.userId, userId)
      const found = build
        .select()
        .from(auditEvents)
        .where(and(eq(auditEvents.accountId, accountId), ofUser))
      return (yield* rows(found.orderBy(desc(auditEvents.id)).limit(limit))).map(({ id: _, ...event }) =>
        present(event),
      )
    },
  }
}
