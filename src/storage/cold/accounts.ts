/** Accounts, their users and API credentials. */
import { and, asc, eq, isNull, or, sql } from 'drizzle-orm'
import type { Reads, Writes } from '../../ports/storage.ts'
import { present } from '../rows/present.ts'
import { accounts, credentials, users } from '../schema/accounts.ts'
import type { Dialect } from './dialect.ts'
import { beginSignInEpoch, endSignIns, endTokens } from './sign-in-ends.ts'
import { build, changed, type Operations, row, rows, worded } from './work.ts'

type AccountReads = Pick<
  Reads,
  'listAccounts' | 'findAccount' | 'findUserByEmail' | 'findUser' | 'listUsers' | 'findCredential' | 'listCredentials'
>

export function accountReads({ caseless }: Dialect): Operations<AccountReads> {
  const word = caseless('?')
  return {
    *listAccounts() {
      const found = yield* rows(build.select().from(accounts).orderBy(asc(accounts.createdAt), asc(accounts.id)))
      return found.map(present)
    },
    *findAccount(id) {
      const found = yield* row(build.select().from(accounts).where(eq(accounts.id, id)))
      return found && present(found)
    },
    *findUserByEmail(email) {
      const same = eq(worded(word, users.email), worded(word, sql`${email}`))
      const found = yield* row(build.select().from(users).where(same))
      return found && present(found)
    },
    *findUser(id) {
      const found = yield* row(build.select().from(users).where(eq(users.id, id)))
      return found && present(found)
    },
    *listUsers(accountId) {
      const ofAccount = build.select().from(users).where(eq(users.accountId, accountId))
      return (yield* rows(ofAccount.orderBy(worded(word, users.email)))).map(present)
    },
    *findCredential(id) {
      const found = yield* row(build.select().from(credentials).where(eq(credentials.id, id)))
      return found && present(found)
    },
    *listCredentials(accountId) {
      const ofAccount = build.select().from(credentials).where(eq(credentials.accountId, accountId))
      return (yield* rows(ofAccount.orderBy(asc(credentials.createdAt), asc(credentials.id)))).map(present)
    },
  }
}

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

export const accountWrites: Operations<AccountWrites> = {
  *createAccount(account) {
    yield* changed(build.insert(accounts).values(account))
  },
  *updateAccount(id, { automaticSettlement }) {
    const change = { automaticSettlement: automaticSettlement ? (true as const) : null }
    const found = yield* row(build.update(accounts).set(change).where(eq(accounts.id, id)).returning())
    return found && present(found)
  },
  *createUser(user) {
    return (yield* changed(build.insert(users).values(user).onConflictDoNothing())) === 1 ? 'created' : 'exists'
  },
  *updateUser(id, change) {
    if (change.role !== undefined || typeof change.disabledAt === 'number') yield* beginSignInEpoch(id)
    if (typeof change.disabledAt === 'number') yield* endTokens(id, change.disabledAt)
    if (change.passwordHash !== undefined) yield* endSignIns(id)
    // `id` is set to itself so that an empty change still says whether the user exists.
    const update = build.update(users).set({ id, ...change })
    return (yield* changed(update.where(eq(users.id, id)))) === 1
  },
  *createCredential(credential) {
    yield* changed(build.insert(credentials).values(credential))
  },
  *revokeCredential(accountId, id, at) {
    const own = and(eq(credentials.accountId, accountId), eq(credentials.id, id), isNull(credentials.revokedAt))
    return (yield* changed(build.update(credentials).set({ revokedAt: at }).where(own))) === 1
  },
  *touchCredential(id, at) {
    // Touches of several requests may arrive out of order.
    const later = or(isNull(credentials.lastUsedAt), sql`${credentials.lastUsedAt} < ${at}`)
    const update = build.update(credentials).set({ lastUsedAt: at })
    yield* changed(update.where(and(eq(credentials.id, id), later)))
  },
}
