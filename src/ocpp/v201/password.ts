/** AU6, A01: a 2.0.1 charge point gets its password by SetVariables of SecurityCtrlr.BasicAuthPassword. */
import { isObject, list, object, text } from '../translate/payload.ts'
import type { OutgoingCall, Payload } from '../version.ts'

export function newPassword({ method, request }: OutgoingCall): string | undefined {
  if (method !== 'SetVariables') return undefined
  const entry = list(request.setVariableData).filter(isObject).findLast(isPassword)
  const password = entry?.attributeValue
  return typeof password === 'string' ? password : undefined
}

/** RebootRequired counts: the station has taken the password, and would be locked out if we had not. */
export function passwordAccepted(call: OutgoingCall, response: Payload): boolean {
  if (newPassword(call) === undefined) return false
  const result = list(response.setVariableResult).filter(isObject).findLast(isPassword)
  const status = text(result?.attributeStatus)?.toLowerCase()
  return status === 'accepted' || status === 'rebootrequired'
}

function isPassword({ component, variable, attributeType }: Payload): boolean {
  return (
    named(component, 'securityctrlr') &&
    named(variable, 'basicauthpassword') &&
    (text(attributeType) ?? 'Actual').toLowerCase() === 'actual'
  )
}

function named(value: unknown, lowerCase: string): boolean {
  return text(object(value).name)?.toLowerCase() === lowerCase
}
