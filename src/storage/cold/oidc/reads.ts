import { and, count, desc, eq, inArray, isNull } from 'drizzle-orm'
import type {
  AuditEvent,
  AuthorizationCode,
  Client,
  Grant,
  OidcReads,
  RefreshToken,
} from '../../../domain/ports/storage-oidc.ts'
import { users } from '../../schema/accounts.ts'
import {
  accessTokens,
  authorizationCodes,
  grants,
  interactions,
  loginSessions,
  oauthClientSecrets,
  oauthClients,
  refreshTokens,
} from '../../schema/oidc.ts'
import { keepEvent } from '../audit.ts'
import { sharedNow } from '../charge-points.ts'
import { build, type Dialect, find, list, type Operations, row, type Work } from '../work.ts'

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
    findLoginSession: (idHash) => find(loginSessions, eq(loginSessions.idHash, idHash)),
    listLoginSessions: (userId) => {
      const live = and(eq(loginSessions.userId, userId), isNull(loginSessions.endedAt))
      return list(loginSessions, live, desc(loginSessions.lastSeenAt))
    },
    findInteraction: (idHash) => find(interactions, eq(interactions.idHash, idHash)),
    findGrant: grantById,
    findActiveGrant: activeGrant,
    listGrants: ({ accountId, userId, clientId }) => {
      const active = and(
        eq(grants.accountId, accountId),
        userId === undefined ? undefined : eq(grants.userId, userId),
        clientId === undefined ? undefined : eq(grants.clientId, clientId),
        isNull(grants.revokedAt),
      )
      return list(grants, active, desc(grants.createdAt), grants.id)
    },
    *findAccessToken(hash) {
      const found = yield* find(accessTokens, eq(accessTokens.hash, hash))
      const stored = found && (yield* grantById(found.grantId))
      if (!found || !stored) return undefined
      const grant = yield* sharedNow(dialect, stored)
      const { jkt: _, ...token } = found
      const user = yield* find(users, eq(users.id, token.userId))
      const client = yield* find(oauthClients, eq(oauthClients.id, token.clientId))
      return {
        token,
        grant,
        userRole: user?.role,
        clientOrigin: client?.origin,
        userDisabled: isDisabled(user),
        clientDisabled: isDisabled(client),
      }
    },
    *findRefreshToken(hash) {
      const token = yield* refreshByHash(hash)
      if (!token) return undefined
      return {
        token,
        grantRevoked: (yield* grantById(token.grantId))?.revokedAt !== undefined,
        userDisabled: yield* isUserDisabled(token.userId),
        clientDisabled: isDisabled(yield* find(oauthClients, eq(oauthClients.id, token.clientId))),
      }
    },
  }
}

function* clientsWhere(where: ReturnType<typeof eq>): Work<readonly Client[]> {
  const found = yield* list(oauthClients, where, oauthClients.name, oauthClients.id)
  const ofThem = inArray(
    oauthClientSecrets.clientId,
    found.map(({ id }) => id),
  )
  const secrets = yield* list(oauthClientSecrets, ofThem, oauthClientSecrets.createdAt)
  return found.map((client) => ({
    ...client,
    secrets: secrets.filter(({ clientId }) => clientId === client.id).map(({ clientId: _, ...secret }) => secret),
  }))
}

export const grantById = (id: string): Work<Grant | undefined> => find(grants, eq(grants.id, id))

export const activeGrant = (userId: string, clientId: string): Work<Grant | undefined> =>
  find(grants, and(eq(grants.userId, userId), eq(grants.clientId, clientId), isNull(grants.revokedAt)))

export const codeByHash = (hash: string): Work<AuthorizationCode | undefined> =>
  find(authorizationCodes, eq(authorizationCodes.hash, hash))

export function* refreshByHash(hash: string): Work<RefreshToken | undefined> {
  const found = yield* find(refreshTokens, eq(refreshTokens.hash, hash))
  if (!found) return undefined
  const { jkt: _, ...token } = found
  return token
}

/** A missing one counts as disabled. */
export function* isUserDisabled(id: string): Work<boolean> {
  return isDisabled(yield* find(users, eq(users.id, id)))
}

function isDisabled(found: { readonly disabledAt?: number | undefined } | undefined): boolean {
  return found?.disabledAt !== undefined || !found
}

export function* auditGrant(
  { id, accountId, userId, clientId }: Pick<Grant, 'id' | 'accountId' | 'userId' | 'clientId'>,
  event: Pick<AuditEvent, 'kind' | 'at' | 'ip'>,
): Work<void> {
  yield* keepEvent({ ...event, accountId, userId, clientId, grantId: id })
}
