import type { Database } from 'better-sqlite3'
import { and, eq } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import type { IdToken } from '../../../ports/sessions.ts'
import type { Writes } from '../../../ports/storage.ts'
import { present } from '../rows/present.ts'
import { idTokens } from '../schema/accounts.ts'

type IdTokenWrites = Pick<Writes, 'createIdToken' | 'importIdTokens' | 'updateIdToken' | 'deleteIdToken'>

export function idTokenWrites(client: Database): IdTokenWrites {
  const db = drizzle(client)
  const own = (accountId: string, id: string) => and(eq(idTokens.accountId, accountId), eq(idTokens.id, id))
  const importAll = client.transaction((tokens: readonly IdToken[], columns: readonly string[]) => {
    let created = 0
    let changed = 0
    for (const token of tokens) {
      const before = db.select().from(idTokens).where(own(token.accountId, token.id)).get()
      if (!before) {
        db.insert(idTokens).values(token).run()
        created++
        continue
      }
      const { type, status, expiresAt = null, groupId = null } = token
      const wanted = Object.entries({ type, status, expiresAt, groupId }).filter(
        ([name, value]) => columns.includes(name) && before[name as keyof typeof before] !== value,
      )
      if (wanted.length === 0) continue
      db.update(idTokens).set(Object.fromEntries(wanted)).where(own(token.accountId, token.id)).run()
      changed++
    }
    return { created, changed }
  })
  return {
    importIdTokens: async (tokens, columns) => importAll.immediate(tokens, columns),
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
