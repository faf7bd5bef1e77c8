/** Who signs in with a password where everybody else does by the company's provider (ADMIN-K6). */
import type { User } from '../ports/storage.ts'

/**
 * Marked users; while no enabled one is, the account's first administrator, so that nobody is locked out.
 * @param users all of the user's account
 */
export function isBreakGlass({ id }: Pick<User, 'id'>, users: readonly User[]): boolean {
  const enabled = users.filter(({ disabledAt }) => disabledAt === undefined)
  const marked = enabled.filter(({ breakGlass }) => breakGlass)
  if (marked.length > 0) return marked.some((user) => user.id === id)
  const [first] = enabled
    .filter(({ role }) => role === 'administrator')
    .sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1))
  return first?.id === id
}
