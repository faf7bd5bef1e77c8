import { and, eq, gt, isNull } from 'drizzle-orm'
import type { OidcWrites } from '../../../domain/ports/storage-oidc.ts'
import { interactions, loginSessions } from '../../schema/oidc.ts'
import { insert, type Operations, update, updated } from '../work.ts'

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
