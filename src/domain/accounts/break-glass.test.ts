import { expect, it } from 'vitest'
import { aUser } from '../../../test/support/storage-contract/records.ts'
import type { User } from '../ports/storage-records.ts'
import { isBreakGlass } from './user.ts'

const user = (id: string, createdAt: number, rest: Partial<User> = {}): User =>
  aUser({ id, email: `${id}@example.com`, role: 'administrator', passwordHash: '-', createdAt, ...rest })

it.each<readonly [string, readonly User[], readonly string[]]>([
  ['the first administrator at first', [user('b', 2), user('a', 1), user('c', 0, { role: 'operator' })], ['a']],
  ['of two of one moment, one', [user('b', 1), user('a', 1)], ['a']],
  ['those that are marked, of any role', [user('a', 1), user('b', 2, { breakGlass: true, role: 'viewer' })], ['b']],
  ['a disabled one is as good as none', [user('a', 1), user('b', 2, { breakGlass: true, disabledAt: 3 })], ['a']],
  ['the next one where the first is disabled', [user('a', 1, { disabledAt: 2 }), user('b', 2)], ['b']],
  ['nobody without an administrator', [user('a', 1, { role: 'member' })], []],
])('ADMIN-K6: a password is for %s', (_, users, expected) => {
  expect(users.filter((one) => isBreakGlass(one, users)).map(({ id }) => id)).toEqual(expected)
})
