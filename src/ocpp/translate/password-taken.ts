import type { PasswordTaken } from '../version.ts'
import { text } from './payload.ts'

/** A status that both versions give in any case of letters. */
export function takenBy(status: unknown): PasswordTaken | undefined {
  switch (text(status)?.toLowerCase()) {
    case 'accepted':
      return 'now'
    case 'rebootrequired':
      return 'afterReboot'
    default:
      return undefined
  }
}
