/** Columns to records and back, for the tables that more than one operation reads. */
import { and, eq, inArray, isNull } from 'drizzle-orm'
import type { Role } from '../../../domain/ports/storage.ts'
import type { AuditEvent, AuthorizationCode, Client, Grant, RefreshToken } from '../../../domain/ports/storage-oidc.ts'
import { present } from '../../rows/present.ts'
import { users } from '../../schema/accounts.ts'
import { authorizationCodes, grants, oauthClientSecrets, oauthClients, refreshTokens } from '../../schema/oidc.ts'
import { keepEvent } from '../audit.ts'
import { build, row, rows, type Work } from '../work.ts'

export function* clientsWhere(where: ReturnType<typeof eq>): Work<readonly Client[]> {
  const clients = build.select().from(oauthClients).where(where)
  const found = yield* rows(clients.orderBy(oauthClients.name, oauthClients.id))
  const ofThem = inArray(
    oauthClientSecrets.clientId,
    found.map(({ id }) => id),
  )
  const secrets = yield* rows(
    build.select().from(oauthClientSecrets).where(ofThem).orderBy(oauthClientSecrets.createdAt),
  )
  return found.map((client) => ({
    ...present(client),
    secrets: secrets
      .filter(({ clientId }) => clientId === client.id)
      .map(({ clientId: _, ...secret }) => present(secret)),
  }))
}

export function* grantById(id: string): Work<Grant | undefined> {
  const found = yield* row(build.select().from(grants).where(eq(grants.id, id)))
  return found && present(found)
}

export function* activeGrant(userId: string, clientId: string): Work<Grant | undefined> {
  const active = and(eq(grants.userId, userId), eq(grants.clientId, clientId), isNull(grants.revokedAt))
  const found = yield* row(build.select().from(grants).where(active))
  return found && present(found)
}

export function* codeByHash(hash: string): Work<AuthorizationCode | undefined> {
  const found = yield* row(build.select().from(authorizationCodes).where(eq(authorizationCodes.hash, hash)))
  return found && present(found)
}

export function* refreshByHash(hash: string): Work<RefreshToken | undefined> {
  const found = yield* row(build.select().from(refreshTokens).where(eq(refreshTokens.hash, hash)))
  if (!found) return undefined
  const { jkt: _, ...token } = found
  return present(token)
}

export function* isUserDisabled(id: string): Work<boolean> {
  const found = yield* row(build.select({ disabledAt: users.disabledAt }).from(users).where(eq(users.id, id)))
  return !found || found.disabledAt !== null
}

export function* roleOf(id: string): Work<Role | undefined> {
  return (yield* row(build.select({ role: users.role }).from(users).where(eq(users.id, id))))?.role
}

export function* isClientDisabled(id: string): Work<boolean> {
  const client = build.select({ at: oauthClients.disabledAt }).from(oauthClients)
  const found = yield* row(client.where(eq(oauthClients.id, id)))
  return !found || found.at !== null
}

export function* originOf(clientId: string): Work<Client['origin'] | undefined> {
  const client = build.select({ origin: oauthClients.origin }).from(oauthClients)
  return (yield* row(client.where(eq(oauthClients.id, clientId))))?.origin
}

/** What happened to a grant, in the transaction in which it happened. */
export function* auditGrant(
  { id, accountId, userId, clientId }: Pick<Grant, 'id' | 'accountId' | 'userId' | 'clientId'>,
  event: Pick<AuditEvent, 'kind' | 'at' | 'ip'>,
): Work<void> {
  yield* keepEvent({ ...event, accountId, userId, clientId, grantId: id })
}
