/** AU6: a 1.6 charge point gets its password by ChangeConfiguration of `AuthorizationKey`. */
import { text } from '../translate/payload.ts'
import type { OutgoingCall, Payload } from '../version.ts'

/** Contract §3: 32 to 40 hex digits are also accepted as the bytes they stand for. */
const HEX_KEY = /^(?:[0-9a-f]{2}){16,20}$/i

export function passwordChange({
  method,
  request,
}: OutgoingCall): { readonly password: string; readonly hex: boolean } | undefined {
  const { key, value } = request
  if (method !== 'ChangeConfiguration' || typeof value !== 'string') return undefined
  if (text(key)?.toLowerCase() !== 'authorizationkey') return undefined
  return { password: value, hex: HEX_KEY.test(value) }
}

/** RebootRequired counts: the station has taken the key, and would be locked out if we had not. */
export function passwordAccepted(call: OutgoingCall, response: Payload): boolean {
  const status = text(response.status)?.toLowerCase()
  return passwordChange(call) !== undefined && (status === 'accepted' || status === 'rebootrequired')
}
