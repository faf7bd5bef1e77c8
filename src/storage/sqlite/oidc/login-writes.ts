import type { Database } from 'better-sqlite3'
import { and, eq, isNull, sql } from 'drizzle-orm'
import type { OidcWrites } from '../../../ports/storage-oidc.ts'
import { present } from '../rows/present.ts'
import { interactions, loginSessions } from '../schema/oidc.ts'
import type { Orm } from './rows.ts'

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

export function loginWrites(client: Database, db: Orm): LoginWrites {
  const claim = client.transaction((idHash: string, at: number) => {
    const waiting = and(
      eq(interactions.idHash, idHash),
      isNull(interactions.browserHash),
      isNull(interactions.spentAt),
      sql`${interactions.expiresAt} > ${at}`,
    )
    const [row] = db.update(interactions).set({ spentAt: at }).where(waiting).returning().all()
    return row && present(row)
  })
  return {
    createLoginSession: async (session) => {
      db.insert(loginSessions).values(session).run()
    },
    touchLoginSession: async (idHash, at) => {
      db.update(loginSessions).set({ lastSeenAt: at }).where(eq(loginSessions.idHash, idHash)).run()
    },
    endLoginSession: async (idHash, at) => {
      const live = and(eq(loginSessions.idHash, idHash), isNull(loginSessions.endedAt))
      return db.update(loginSessions).set({ endedAt: at }).where(live).run().changes === 1
    },
    endLoginSessionOfUser: async (userId, sid, at) => {
      const live = and(eq(loginSessions.userId, userId), eq(loginSessions.sid, sid), isNull(loginSessions.endedAt))
      return db.update(loginSessions).set({ endedAt: at }).where(live).run().changes === 1
    },
    createInteraction: async (interaction) => {
      db.insert(interactions).values(interaction).run()
    },
    claimInteraction: async (idHash, at) => claim.immediate(idHash, at),
    updateInteraction: async (idHash, change) => {
      const unspent = and(eq(interactions.idHash, idHash), isNull(interactions.spentAt))
      return (
        db
          .update(interactions)
          .set({ idHash, ...change })
          .where(unspent)
          .run().changes === 1
      )
    },
  }
}
