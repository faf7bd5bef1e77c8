/** Columns to records and back, for the tables that more than one operation reads. */
import type { Database } from 'better-sqlite3'
import { and, eq, inArray, isNull } from 'drizzle-orm'
import { type BetterSQLite3Database, drizzle } from 'drizzle-orm/better-sqlite3'
import type { Role } from '../../../ports/storage.ts'
import type { AuthorizationCode, Client, Grant, RefreshToken } from '../../../ports/storage-oidc.ts'
import { present } from '../rows/present.ts'
import { users } from '../schema/accounts.ts'
import { authorizationCodes, grants, oauthClientSecrets, oauthClients, refreshTokens } from '../schema/oidc.ts'

export type Orm = BetterSQLite3Database
export const orm = (client: Database): Orm => drizzle(client)

export function clientsWhere(db: Orm, where: ReturnType<typeof eq> | undefined): readonly Client[] {
  const rows = db.select().from(oauthClients).where(where).orderBy(oauthClients.name, oauthClients.id).all()
  const ids = rows.map(({ id }) => id)
  const secrets = db
    .select()
    .from(oauthClientSecrets)
    .where(inArray(oauthClientSecrets.clientId, ids))
    .orderBy(oauthClientSecrets.createdAt)
    .all()
  return rows.map((row) => ({
    ...present(row),
    secrets: secrets.filter(({ clientId }) => clientId === row.id).map(({ clientId: _, ...secret }) => present(secret)),
  }))
}

export function grantById(db: Orm, id: string): Grant | undefined {
  const row = db.select().from(grants).where(eq(grants.id, id)).get()
  return row && present(row)
}

export function activeGrant(db: Orm, userId: string, clientId: string): Grant | undefined {
  const active = and(eq(grants.userId, userId), eq(grants.clientId, clientId), isNull(grants.revokedAt))
  const row = db.select().from(grants).where(active).get()
  return row && present(row)
}

export function codeByHash(db: Orm, hash: string): AuthorizationCode | undefined {
  const row = db.select().from(authorizationCodes).where(eq(authorizationCodes.hash, hash)).get()
  return row && present(row)
}

export function refreshByHash(db: Orm, hash: string): RefreshToken | undefined {
  const row = db.select().from(refreshTokens).where(eq(refreshTokens.hash, hash)).get()
  if (!row) return undefined
  const { jkt: _, ...token } = row
  return present(token)
}

export function isUserDisabled(db: Orm, userId: string): boolean {
  const row = db.select({ disabledAt: users.disabledAt }).from(users).where(eq(users.id, userId)).get()
  return !row || row.disabledAt !== null
}

export function roleOf(db: Orm, id: string): Role | undefined {
  return db.select({ role: users.role }).from(users).where(eq(users.id, id)).get()?.role
}

export function isClientDisabled(db: Orm, clientId: string): boolean {
  const row = db.select({ at: oauthClients.disabledAt }).from(oauthClients).where(eq(oauthClients.id, clientId)).get()
  return !row || row.at !== null
}
