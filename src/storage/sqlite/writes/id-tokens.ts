import type { Database } from 'better-sqlite3'
import { and, eq } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import type { Writes } from '../../../ports/storage.ts'
import { present } from '../rows/present.ts'
import { idTokens } from '../schema/accounts.ts'

type IdTokenWrites = Pick<Writes, 'createIdToken' | 'updateIdToken' | 'deleteIdToken'>

export function idTokenWrites(client: Database): IdTokenWrites {
  const db = drizzle(client)
  const own = (accountId: string, id: string) => and(eq(idTokens.accountId, accountId), eq(idTokens.id, id))
  return {
    createIdToken: async (token) =>
      db
        .insert(idTokens)
        .values(token)
        .onConflictDoNothing({ target: [idTokens.accountId, idTokens.id] })
        .run().changes === 1
        ? 'created'
        : 'exists',
    updateIdToken: async (accountId, id, change) => {
      const row = db
        .update(idTokens)
        .set({ accountId, ...change })
        .where(own(accountId, id))
        .returning()
        .get()
      return row && present(row)
    },
    deleteIdToken: async (accountId, id) => db.delete(idTokens).where(own(accountId, id)).run().changes === 1,
  }
}
