import type { Database } from 'better-sqlite3'
import { and, eq, isNull, lt, notExists, or, sql } from 'drizzle-orm'
import type { ClientSecret, OidcWrites } from '../../../ports/storage-oidc.ts'
import { grants, oauthClientSecrets, oauthClients } from '../schema/oidc.ts'
import type { Orm } from './rows.ts'

type ClientWrites = Pick<
  OidcWrites,
  'createClient' | 'updateClient' | 'deleteClient' | 'addClientSecret' | 'deleteUnusedClients'
>

export function clientWrites(client: Database, db: Orm): ClientWrites {
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
