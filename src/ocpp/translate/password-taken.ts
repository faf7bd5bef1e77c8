import type { PasswordTaken } from '../version.ts'

/** A status that both versions give in any case of letters. */
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
