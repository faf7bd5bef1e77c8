import type { Database } from 'better-sqlite3'
import { and, eq, isNull, or, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import type { Writes } from '../../../ports/storage.ts'
import { present } from '../rows/present.ts'
import { accounts, credentials, users } from '../schema/accounts.ts'

type AccountWrites = Pick<
  Writes,
  | 'createAccount'
  | 'updateAccount'
  | 'createUser'
  | 'updateUser'
  | 'createCredential'
  | 'revokeCredential'
  | 'touchCredential'
>

export function accountWrites(client: Database): AccountWrites {
  const db = drizzle(client)
  return {
    createAccount: async (account) => {
      db.insert(accounts).values(account).run()
    },
    updateAccount: async (id, { automaticSettlement }) => {
      const change = { automaticSettlement: automaticSettlement ? (true as const) : null }
      const row = db.update(accounts).set(change).where(eq(accounts.id, id)).returning().get()
      return row && present(row)
    },
    createUser: async (user) => {
      const { changes } = db.insert(users).values(user).onConflictDoNothing({ target: users.email }).run()
      return changes === 1 ? 'created' : 'exists'
    },
    updateUser: async (id, change) => {
      // `id` is set to itself so that an empty change still says whether the user exists.
      return (
        db
          .update(users)
          .set({ id, ...change })
          .where(eq(users.id, id))
          .run().changes === 1
      )
    },
    createCredential: async (credential) => {
      db.insert(credentials).values(credential).run()
    },
    revokeCredential: async (accountId, id, at) => {
      const own = and(eq(credentials.accountId, accountId), eq(credentials.id, id), isNull(credentials.revokedAt))
      return db.update(credentials).set({ revokedAt: at }).where(own).run().changes === 1
    },
    touchCredential: async (id, at) => {
      // Touches of several requests may arrive out of order.
      const later = or(isNull(credentials.lastUsedAt), sql`${credentials.lastUsedAt} < ${at}`)
      db.update(credentials)
        .set({ lastUsedAt: at })
        .where(and(eq(credentials.id, id), later))
        .run()
    },
  }
}
