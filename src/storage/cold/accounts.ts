/** Accounts, their users and API credentials. */
import { and, asc, eq, isNull, or, sql } from 'drizzle-orm'
import type { Account, FirstStartMark, Reads, User, Writes } from '../../domain/ports/storage.ts'
import { present } from '../rows/present.ts'
import { accounts, credentials, users } from '../schema/accounts.ts'
import type { Dialect } from './dialect.ts'
import { beginSignInEpoch, endSignIns, endTokens } from './sign-in-ends.ts'
import { build, change, changed, type Operations, row, rows, value, type Work, worded } from './work.ts'

const FIRST_START = 'first_start'

export function accountReads({ caseless }: Dialect) {
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
    *findFirstStart() {
      const mark = yield* value<string>('SELECT value FROM meta WHERE name = ?', [FIRST_START])
      return mark === undefined ? undefined : (JSON.parse(mark) as FirstStartMark)
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
  } satisfies Partial<Operations<Reads>>
}

type AccountWrites = Pick<
  Writes,
  | 'createAccount'
  | 'createFirstAccount'
  | 'updateAccount'
  | 'createUser'
  | 'updateUser'
  | 'createCredential'
  | 'revokeCredential'
  | 'touchCredential'
>

const REMEMBER = 'INSERT INTO meta (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value'

function* oldestAccount(): Work<Account | undefined> {
  const found = yield* row(build.select().from(accounts).orderBy(asc(accounts.createdAt), asc(accounts.id)).limit(1))
  return found && present(found)
}

function* isInUse({ id }: Account): Work<boolean> {
  const user = yield* row(build.select({ id: users.id }).from(users).where(eq(users.accountId, id)).limit(1))
  const ofAccount = eq(credentials.accountId, id)
  return !!(user ?? (yield* row(build.select({ id: credentials.id }).from(credentials).where(ofAccount).limit(1))))
}

function* insertUser(user: User): Work<'created' | 'exists'> {
  return (yield* changed(build.insert(users).values(user).onConflictDoNothing())) === 1 ? 'created' : 'exists'
}

export const accountWrites = ({ lockFirstStart }: Dialect): Operations<AccountWrites> => ({
  *createAccount(account) {
    yield* changed(build.insert(accounts).values(account))
  },
  *createFirstAccount({ account, user, credential, madeBy }) {
    if (lockFirstStart) yield lockFirstStart
    const existing = yield* oldestAccount()
    if (existing && (yield* isInUse(existing))) return { outcome: 'exists' }
    const accountId = existing?.id ?? account.id
    // Without an account there are no users either, so nothing is left behind.
    if (!existing) yield* changed(build.insert(accounts).values(account))
    if ((yield* insertUser({ ...user, accountId })) === 'exists') return { outcome: 'user_exists' }
    yield* changed(build.insert(credentials).values({ ...credential, accountId }))
    yield* change(REMEMBER, [FIRST_START, JSON.stringify(madeBy)])
    return { outcome: 'created', accountId }
  },
  *updateAccount(id, { automaticSettlement }) {
    const change = { automaticSettlement: automaticSettlement ? (true as const) : null }
    const found = yield* row(build.update(accounts).set(change).where(eq(accounts.id, id)).returning())
    return found && present(found)
  },
  createUser: insertUser,
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
})
