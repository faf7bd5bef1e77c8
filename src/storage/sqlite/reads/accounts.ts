import type { Database } from 'better-sqlite3'
import { and, asc, eq, gt, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import type { Reads } from '../../../ports/storage.ts'
import { present } from '../rows/present.ts'
import { accounts, credentials, idTokens, users } from '../schema/accounts.ts'

type AccountReads = Pick<
  Reads,
  | 'listAccounts'
  | 'findAccount'
  | 'findUserByEmail'
  | 'findUser'
  | 'listUsers'
  | 'findCredential'
  | 'listCredentials'
  | 'findIdToken'
  | 'listIdTokens'
>

export function accountReads(client: Database): AccountReads {
  const db = drizzle(client)
  const first = <Row extends object>(rows: readonly Row[]) => rows.map(present)[0]
  return {
    listAccounts: async () =>
      db.select().from(accounts).orderBy(asc(accounts.createdAt), asc(accounts.id)).all().map(present),
    findAccount: async (id) => first(db.select().from(accounts).where(eq(accounts.id, id)).all()),
    findUserByEmail: async (email) => first(db.select().from(users).where(eq(users.email, email)).all()),
    findUser: async (id) => first(db.select().from(users).where(eq(users.id, id)).all()),
    listUsers: async (accountId) =>
      db.select().from(users).where(eq(users.accountId, accountId)).orderBy(asc(users.email)).all().map(present),
    findCredential: async (id) => first(db.select().from(credentials).where(eq(credentials.id, id)).all()),
    listCredentials: async (accountId) =>
      db
        .select()
        .from(credentials)
        .where(eq(credentials.accountId, accountId))
        .orderBy(asc(credentials.createdAt), asc(credentials.id))
        .all()
        .map(present),
    findIdToken: async (accountId, id) =>
      first(
        db
          .select()
          .from(idTokens)
          .where(and(eq(idTokens.accountId, accountId), eq(idTokens.id, id)))
          .all(),
      ),
    listIdTokens: async (accountId, { afterId, limit }, containing) =>
      db
        .select()
        .from(idTokens)
        .where(
          and(
            eq(idTokens.accountId, accountId),
            afterId === undefined ? undefined : gt(idTokens.id, afterId),
            containing === undefined ? undefined : sql`instr(lower(${idTokens.id}), lower(${containing})) > 0`,
          ),
        )
        .orderBy(asc(idTokens.id))
        .limit(limit)
        .all()
        .map(present),
  }
}
