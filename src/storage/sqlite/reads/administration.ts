import type { Database } from 'better-sqlite3'
import { and, desc, eq, getTableColumns, gte, isNull, lt, or } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import type { Reads } from '../../../ports/storage.ts'
import { present } from '../rows/present.ts'
import { passwordLinks, secondFactors, users } from '../schema/accounts.ts'
import { auditEvents } from '../schema/oidc.ts'

type AdministrationReads = Pick<Reads, 'findPasswordLink' | 'findSecondFactor' | 'searchAudit'>

export function administrationReads(client: Database): AdministrationReads {
  const db = drizzle(client)
  return {
    findPasswordLink: async (hash) => {
      const row = db.select().from(passwordLinks).where(eq(passwordLinks.hash, hash)).get()
      return row && present(row)
    },
    findSecondFactor: async (userId) => {
      const row = db.select().from(secondFactors).where(eq(secondFactors.userId, userId)).get()
      return row && present(row)
    },
    searchAudit: async ({ accountId, from, to, actor, belowId, limit }) =>
      db
        .select({ ...getTableColumns(auditEvents), email: users.email })
        .from(auditEvents)
        .leftJoin(users, eq(users.id, auditEvents.userId))
        .where(
          and(
            eq(auditEvents.accountId, accountId),
            from === undefined ? undefined : gte(auditEvents.at, from),
            to === undefined ? undefined : lt(auditEvents.at, to),
            // What was kept before actors were has only its user.
            actor === undefined
              ? undefined
              : or(eq(auditEvents.actor, actor), and(isNull(auditEvents.actor), eq(users.email, actor))),
            belowId === undefined ? undefined : lt(auditEvents.id, belowId),
          ),
        )
        .orderBy(desc(auditEvents.id))
        .limit(limit)
        .all()
        .map(({ email, ...row }) => present({ ...row, actor: row.actor ?? email })),
  }
}
