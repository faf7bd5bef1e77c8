import { and, eq, gt, inArray, isNull, lt, notExists, or, sql } from 'drizzle-orm'
import type { OidcWrites } from '../../../domain/ports/storage-oidc.ts'
import {
  accessTokens,
  authorizationCodes,
  grants,
  interactions,
  loginSessions,
  oauthClientSecrets,
  oauthClients,
  refreshTokens,
  signingKeys,
} from '../../schema/oidc.ts'
import { keepEvent } from '../audit.ts'
import { build, find, insert, type Operations, remove, update, updated } from '../work.ts'

export const upkeepWrites = {
  *createSigningKey(key, onlyFirst) {
    if (onlyFirst && (yield* find(signingKeys))) return false
    yield* insert(signingKeys, key)
    return true
  },
  *deleteSigningKeys(kids) {
    yield* remove(signingKeys, inArray(signingKeys.kid, [...kids]))
  },
  audit: keepEvent,
  *deleteExpiredOidc(now, keptMs) {
    const before = now - keptMs
    return (
      (yield* remove(authorizationCodes, lt(authorizationCodes.expiresAt, before))) +
      (yield* remove(accessTokens, lt(accessTokens.expiresAt, before))) +
      (yield* remove(refreshTokens, lt(refreshTokens.expiresAt, before))) +
      (yield* remove(interactions, lt(interactions.expiresAt, now))) +
      (yield* remove(loginSessions, lt(loginSessions.endedAt, before)))
    )
  },
} satisfies Partial<Operations<OidcWrites>>

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

export const loginWrites = {
  createLoginSession: (session) => insert(loginSessions, session),
  *touchLoginSession(idHash, at) {
    yield* update(loginSessions, { lastSeenAt: at }, eq(loginSessions.idHash, idHash))
  },
  endLoginSession: (idHash, at) =>
    update(loginSessions, { endedAt: at }, and(eq(loginSessions.idHash, idHash), isNull(loginSessions.endedAt))),
  endLoginSessionOfUser: (userId, sid, at) => {
    const live = and(eq(loginSessions.userId, userId), eq(loginSessions.sid, sid), isNull(loginSessions.endedAt))
    return update(loginSessions, { endedAt: at }, live)
  },
  createInteraction: (interaction) => insert(interactions, interaction),
  claimInteraction: (idHash, at) => {
    const waiting = and(
      eq(interactions.idHash, idHash),
      isNull(interactions.browserHash),
      isNull(interactions.spentAt),
      gt(interactions.expiresAt, at),
    )
    return updated(interactions, { spentAt: at }, waiting)
  },
  updateInteraction: (idHash, change) =>
    update(interactions, { idHash, ...change }, and(eq(interactions.idHash, idHash), isNull(interactions.spentAt))),
} satisfies Partial<Operations<OidcWrites>>
