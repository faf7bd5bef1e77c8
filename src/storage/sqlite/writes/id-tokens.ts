import type { Database } from 'better-sqlite3'
import { and, eq } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import type { IdToken } from '../../../ports/sessions.ts'
import type { Writes } from '../../../ports/storage.ts'
import { present } from '../rows/present.ts'
import { idTokens } from '../schema/accounts.ts'

type IdTokenWrites = Pick<Writes, 'createIdToken' | 'importIdTokens' | 'updateIdToken' | 'deleteIdToken'>

interface Attributes {
  readonly type: string
  readonly status: string
  readonly expiresAt: number | null
  readonly groupId: string | null
}

const ATTRIBUTES = ['type', 'status', 'expiresAt', 'groupId'] as const

/** Those that the file speaks of. */
function named(attributes: Attributes, columns: readonly string[]): Partial<Attributes> {
  return Object.fromEntries(Object.entries(attributes).filter(([name]) => columns.includes(name)))
}

export function idTokenWrites(client: Database): IdTokenWrites {
  const db = drizzle(client)
  const own = (accountId: string, id: string) => and(eq(idTokens.accountId, accountId), eq(idTokens.id, id))
  const known = client.prepare<[string, string], Attributes>(
    'SELECT type, status, expires_at AS expiresAt, group_id AS groupId FROM id_tokens WHERE account_id = ? AND id = ?',
  )
  const add = client.prepare(
    'INSERT INTO id_tokens (type, status, expires_at, group_id, created_at, account_id, id) VALUES (?, ?, ?, ?, ?, ?, ?)',
  )
  const change = client.prepare(
    'UPDATE id_tokens SET type = ?, status = ?, expires_at = ?, group_id = ? WHERE account_id = ? AND id = ?',
  )
  // Prepared once: thousands of cards are one transaction, and messages wait for it.
  const importAll = client.transaction((tokens: readonly IdToken[], columns: readonly string[]) => {
    let created = 0
    let changed = 0
    for (const { accountId, id, type, status, expiresAt = null, groupId = null, createdAt } of tokens) {
      const before = known.get(accountId, id)
      if (!before) {
        add.run(type, status, expiresAt, groupId, createdAt, accountId, id)
        created++
        continue
      }
      const after = { ...before, ...named({ type, status, expiresAt, groupId }, columns) }
      if (ATTRIBUTES.every((name) => before[name] === after[name])) continue
      change.run(after.type, after.status, after.expiresAt, after.groupId, accountId, id)
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
