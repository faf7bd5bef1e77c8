/** New users: an address belongs to one, and an unverified user gives way to a verified one. */
import { eq, sql } from 'drizzle-orm'
import { UNPROVEN_ADDRESS } from '../../domain/accounts/password-link.ts'
import type { User } from '../../domain/ports/storage.ts'
import { users } from '../schema/accounts.ts'
import { keepEvent } from './audit.ts'
import type { Dialect } from './dialect.ts'
import { find, insertNew, update, type Work, worded } from './work.ts'

/** ADMIN-K4. A user with the unproven address keeps all but that. @returns the user who has the address already */
export function* insertUser({ caseless }: Pick<Dialect, 'caseless'>, user: User): Work<User | undefined> {
  if (yield* insertNew(users, user)) return undefined
  const holder = yield* find(users, eq(worded(caseless('?'), users.email), worded(caseless('?'), sql`${user.email}`)))
  if (holder?.passwordHash !== UNPROVEN_ADDRESS || user.passwordHash === UNPROVEN_ADDRESS) return holder ?? user
  const { id: userId, accountId, email: subject } = holder
  yield* update(users, { email: `${userId}@unverified.invalid` }, eq(users.id, userId))
  yield* keepEvent({ at: user.createdAt, kind: 'address_released', accountId, userId, subject })
  return (yield* insertNew(users, user)) ? undefined : user
}
