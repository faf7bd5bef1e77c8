/** AU6: a 1.6 charge point gets its password by ChangeConfiguration of `AuthorizationKey`. */
import { text } from '../translate/payload.ts'
import type { OutgoingCall, Payload } from '../version.ts'

export function newPassword({ method, request }: OutgoingCall): string | undefined {
  const { key, value } = request
  if (method !== 'ChangeConfiguration' || typeof value !== 'string') return undefined
  if (text(key)?.toLowerCase() !== 'authorizationkey') return undefined
  return value
}

/** RebootRequired counts: the station has taken the key, and would be locked out if we had not. */
export function passwordAccepted(call: OutgoingCall, response: Payload): boolean {
  const status = text(response.status)?.toLowerCase()
  return newPassword(call) !== undefined && (status === 'accepted' || status === 'rebootrequired')
}
