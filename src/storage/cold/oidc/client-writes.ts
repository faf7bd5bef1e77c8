import { and, eq, isNull, lt, notExists, or, sql } from 'drizzle-orm'
import type { OidcWrites } from '../../../domain/ports/storage-oidc.ts'
import { grants, oauthClientSecrets, oauthClients } from '../../schema/oidc.ts'
import { build, changed, type Operations, row } from '../work.ts'

type ClientWrites = Pick<
  OidcWrites,
  'createClient' | 'updateClient' | 'deleteClient' | 'addClientSecret' | 'deleteUnusedClients'
>

export const clientWrites: Operations<ClientWrites> = {
  *createClient({ secrets, ...client }) {
    yield* changed(build.insert(oauthClients).values(client))
    for (const secret of secrets) {
      yield* changed(build.insert(oauthClientSecrets).values({ ...secret, clientId: client.id }))
    }
  },
  *updateClient(id, change) {
    const update = build.update(oauthClients).set({ id, ...change })
    return (yield* changed(update.where(eq(oauthClients.id, id)))) === 1
  },
  *deleteClient(id, at) {
    const active = and(eq(grants.clientId, id), isNull(grants.revokedAt))
    yield* changed(build.update(grants).set({ revokedAt: at }).where(active))
    yield* changed(build.delete(oauthClientSecrets).where(eq(oauthClientSecrets.clientId, id)))
    return (yield* changed(build.delete(oauthClients).where(eq(oauthClients.id, id)))) === 1
  },
  *addClientSecret(clientId, secret, othersExpireAt) {
    if (!(yield* row(build.select().from(oauthClients).where(eq(oauthClients.id, clientId))))) return false
    const later = or(isNull(oauthClientSecrets.expiresAt), sql`${oauthClientSecrets.expiresAt} > ${othersExpireAt}`)
    const others = and(eq(oauthClientSecrets.clientId, clientId), later)
    yield* changed(build.update(oauthClientSecrets).set({ expiresAt: othersExpireAt }).where(others))
    yield* changed(build.insert(oauthClientSecrets).values({ ...secret, clientId }))
    return true
  },
  *deleteUnusedClients(before) {
    const approved = build.select().from(grants).where(eq(grants.clientId, oauthClients.id))
    const unused = and(eq(oauthClients.origin, 'dynamic'), lt(oauthClients.createdAt, before), notExists(approved))
    return yield* changed(build.delete(oauthClients).where(unused))
  },
}
