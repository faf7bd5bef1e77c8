import { and, eq, inArray, isNull } from 'drizzle-orm'
import type { AuditEvent, AuthorizationCode, Client, Grant, RefreshToken } from '../../../domain/ports/storage-oidc.ts'
import { users } from '../../schema/accounts.ts'
import { authorizationCodes, grants, oauthClientSecrets, oauthClients, refreshTokens } from '../../schema/oidc.ts'
import { keepEvent } from '../audit.ts'
import { find, list, type Work } from '../work.ts'

export function* clientsWhere(where: ReturnType<typeof eq>): Work<readonly Client[]> {
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

export function isDisabled(found: { readonly disabledAt?: number | undefined } | undefined): boolean {
  return found?.disabledAt !== undefined || !found
}

export function* auditGrant(
  { id, accountId, userId, clientId }: Pick<Grant, 'id' | 'accountId' | 'userId' | 'clientId'>,
  event: Pick<AuditEvent, 'kind' | 'at' | 'ip'>,
): Work<void> {
  yield* keepEvent({ ...event, accountId, userId, clientId, grantId: id })
}
