import { and, eq, gt, isNull } from 'drizzle-orm'
import type { OidcWrites } from '../../../domain/ports/storage-oidc.ts'
import { present } from '../../rows/present.ts'
import { interactions, loginSessions } from '../../schema/oidc.ts'
import { build, changed, type Operations, row } from '../work.ts'

type LoginWrites = Pick<
  OidcWrites,
  | 'createLoginSession'
  | 'touchLoginSession'
  | 'endLoginSession'
  | 'endLoginSessionOfUser'
  | 'createInteraction'
  | 'claimInteraction'
  | 'updateInteraction'
>

export const loginWrites: Operations<LoginWrites> = {
  *createLoginSession(session) {
    yield* changed(build.insert(loginSessions).values(session))
  },
  *touchLoginSession(idHash, at) {
    yield* changed(build.update(loginSessions).set({ lastSeenAt: at }).where(eq(loginSessions.idHash, idHash)))
  },
  *endLoginSession(idHash, at) {
    const live = and(eq(loginSessions.idHash, idHash), isNull(loginSessions.endedAt))
    return (yield* changed(build.update(loginSessions).set({ endedAt: at }).where(live))) === 1
  },
  *endLoginSessionOfUser(userId, sid, at) {
    const live = and(eq(loginSessions.userId, userId), eq(loginSessions.sid, sid), isNull(loginSessions.endedAt))
    return (yield* changed(build.update(loginSessions).set({ endedAt: at }).where(live))) === 1
  },
  *createInteraction(interaction) {
    yield* changed(build.insert(interactions).values(interaction))
  },
  *claimInteraction(idHash, at) {
    const waiting = and(
      eq(interactions.idHash, idHash),
      isNull(interactions.browserHash),
      isNull(interactions.spentAt),
      gt(interactions.expiresAt, at),
    )
    const found = yield* row(build.update(interactions).set({ spentAt: at }).where(waiting).returning())
    return found && present(found)
  },
  *updateInteraction(idHash, change) {
    const unspent = and(eq(interactions.idHash, idHash), isNull(interactions.spentAt))
    const update = build.update(interactions).set({ idHash, ...change })
    return (yield* changed(update.where(unspent))) === 1
  },
}
