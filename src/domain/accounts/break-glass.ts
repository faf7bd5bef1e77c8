/** Who signs in with a password where everybody else does by the company's provider (ADMIN-K6). */
import type { User } from '../ports/storage.ts'

/** Marked users; while none of them is enabled, the first administrator of `users`, which are all of the account. */
export function isBreakGlass({ id }: Pick<User, 'id'>, users: readonly User[]): boolean {
  const enabled = users.filter(({ disabledAt }) => disabledAt === undefined)
  const marked = enabled.filter(({ breakGlass }) => breakGlass)
  if (marked.length > 0) return marked.some((user) => user.id === id)
  const [first] = enabled
    .filter(({ role }) => role === 'administrator')
    .sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1))
  return first?.id === id
}
