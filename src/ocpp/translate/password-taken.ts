import type { PasswordTaken } from '../version.ts'

/** Both versions' statuses, in any case. */
export function takenBy(status: string | undefined): PasswordTaken | undefined {
  switch (status?.toLowerCase()) {
    case 'accepted':
      return 'now'
    case 'rebootrequired':
      return 'afterReboot'
    default:
      return undefined
  }
}
