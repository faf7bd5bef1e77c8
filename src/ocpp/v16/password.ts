/** OCPP-AU6: a 1.6 charge point gets its password by ChangeConfiguration of `AuthorizationKey`. */

import { takenBy } from '../translate/password-taken.ts'
import { text } from '../translate/payload.ts'
import type { OutgoingCall, PasswordTaken, Payload } from '../version.ts'

export function newPassword({ method, request }: OutgoingCall): string | undefined {
  const { key, value } = request
  if (method !== 'ChangeConfiguration' || typeof value !== 'string') return undefined
  if (text(key)?.toLowerCase() !== 'authorizationkey') return undefined
  return value
}

export function passwordTaken(call: OutgoingCall, response: Payload): PasswordTaken | undefined {
  return newPassword(call) === undefined ? undefined : takenBy(response.status)
}
