import { and, eq, isNull, lt, notExists, or, sql } from 'drizzle-orm'
import type { OidcWrites } from '../../../domain/ports/storage-oidc.ts'
import { grants, oauthClientSecrets, oauthClients } from '../../schema/oidc.ts'
import { build, find, insert, type Operations, remove, update } from '../work.ts'

export const clientWrites = {
  *createClient({ secrets, ...client }) {
    yield* insert(oauthClients, client)
    for (const secret of secrets) yield* insert(oauthClientSecrets, { ...secret, clientId: client.id })
  },
  updateClient: (id, change) => update(oauthClients, { id, ...change }, eq(oauthClients.id, id)),
  *deleteClient(id, at) {
    yield* update(grants, { revokedAt: at }, and(eq(grants.clientId, id), isNull(grants.revokedAt)))
    yield* remove(oauthClientSecrets, eq(oauthClientSecrets.clientId, id))
    return (yield* remove(oauthClients, eq(oauthClients.id, id))) === 1
  },
  *addClientSecret(clientId, secret, othersExpireAt) {
    if (!(yield* find(oauthClients, eq(oauthClients.id, clientId)))) return false
    const later = or(isNull(oauthClientSecrets.expiresAt), sql`${oauthClientSecrets.expiresAt} > ${othersExpireAt}`)
    const others = and(eq(oauthClientSecrets.clientId, clientId), later)
    yield* update(oauthClientSecrets, { expiresAt: othersExpireAt }, others)
    yield* insert(oauthClientSecrets, { ...secret, clientId })
    return true
  },
  deleteUnusedClients(before) {
    const approved = build.select().from(grants).where(eq(grants.clientId, oauthClients.id))
    const unused = and(eq(oauthClients.origin, 'dynamic'), lt(oauthClients.createdAt, before), notExists(approved))
    return remove(oauthClients, unused)
  },
} satisfies Partial<Operations<OidcWrites>>
