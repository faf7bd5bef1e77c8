import { and, asc, eq, isNull, or, sql } from 'drizzle-orm'
import type { FirstStartMark, Reads, Writes } from '../../domain/ports/storage.ts'
import type { RecordOf } from '../rows/present.ts'
import { accounts, credentials, users } from '../schema/accounts.ts'
import type { Dialect } from './dialect.ts'
import { insertUser } from './new-users.ts'
import { beginSignInEpoch, endSignIns, endTokens } from './sign-in-ends.ts'
import { change, find, insert, list, type Operations, update, updated, value, type Work, worded } from './work.ts'

const FIRST_START = 'first_start'
const REMEMBER = 'INSERT INTO meta (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value'

const oldestFirst = [asc(accounts.createdAt), asc(accounts.id)]

export function accountReads({ caseless }: Dialect) {
  const word = caseless('?')
  return {
    listAccounts: () => list(accounts, undefined, ...oldestFirst),
    findAccount: (id) => find(accounts, eq(accounts.id, id)),
    *findFirstStart() {
      const mark = yield* value<string>('SELECT value FROM meta WHERE name = ?', [FIRST_START])
      return mark === undefined ? undefined : (JSON.parse(mark) as FirstStartMark)
    },
    findUserByEmail: (email) => find(users, eq(worded(word, users.email), worded(word, sql`${email}`))),
    findUser: (id) => find(users, eq(users.id, id)),
    listUsers: (accountId) => list(users, eq(users.accountId, accountId), worded(word, users.email)),
    findCredential: (id) => find(credentials, eq(credentials.id, id)),
    listCredentials: (accountId) =>
      list(credentials, eq(credentials.accountId, accountId), asc(credentials.createdAt), asc(credentials.id)),
  } satisfies Partial<Operations<Reads>>
}

function* isInUse({ id }: RecordOf<typeof accounts>): Work<boolean> {
  const someone = 'SELECT id FROM users WHERE account_id = ? UNION ALL SELECT id FROM credentials WHERE account_id = ?'
  return (yield* value(`${someone} LIMIT 1`, [id, id])) !== undefined
}

export const accountWrites = ({ lockFirstStart, caseless }: Dialect) =>
  ({
    createAccount: (account) => insert(accounts, account),
    *createFirstAccount({ account, user, credential, madeBy }) {
      if (lockFirstStart) yield lockFirstStart
      const [existing] = yield* list(accounts, undefined, ...oldestFirst)
      if (existing && (yield* isInUse(existing))) return { outcome: 'exists' }
      const accountId = existing?.id ?? account.id
      if (!existing) yield* insert(accounts, account)
      if (yield* insertUser({ caseless }, { ...user, accountId })) return { outcome: 'user_exists' }
      yield* insert(credentials, { ...credential, accountId })
      yield* change(REMEMBER, [FIRST_START, JSON.stringify(madeBy)])
      return { outcome: 'created', accountId }
    },
    updateAccount: (id, { automaticSettlement }) =>
      updated(accounts, { automaticSettlement: automaticSettlement ? true : null }, eq(accounts.id, id)),
    *createUser(user) {
      return (yield* insertUser({ caseless }, user)) ? 'exists' : 'created'
    },
    *updateUser(id, change) {
      if (change.role !== undefined || typeof change.disabledAt === 'number') yield* beginSignInEpoch(id)
      if (typeof change.disabledAt === 'number') yield* endTokens(id, change.disabledAt)
      if (change.passwordHash !== undefined) yield* endSignIns(id)
      // Sets `id` to itself so that an empty change still reports whether the user exists.
      return yield* update(users, { id, ...change }, eq(users.id, id))
    },
    createCredential: (credential) => insert(credentials, credential),
    revokeCredential: (accountId, id, at) =>
      update(
        credentials,
        { revokedAt: at },
        and(eq(credentials.accountId, accountId), eq(credentials.id, id), isNull(credentials.revokedAt)),
      ),
    *touchCredential(id, at) {
      // Touches of several requests may arrive out of order.
      const later = or(isNull(credentials.lastUsedAt), sql`${credentials.lastUsedAt} < ${at}`)
      yield* update(credentials, { lastUsedAt: at }, and(eq(credentials.id, id), later))
    },
  }) satisfies Partial<Operations<Writes>>
