/**
 * Why a command is not sent (OCPP-RP13, SESSION-O4, OIDC-C11): checked before one is ordered, or many are (BULK-B2).
 */

import type { Capability } from '../../domain/ports/capability.ts'
import type { ChargePoint, Refusal } from '../../domain/ports/storage-records.ts'
import { refuse } from '../../domain/refuse.ts'
import { fitsPasswordRule, PASSWORD_RULE } from '../credentials.ts'
import { isObject, list, type OutgoingCall, object, type Payload, text } from '../translate/payload.ts'
import type { OcppVersion } from '../version.ts'

/** SESSION-O9: never queued for an offline charge point, unless the caller gives a ttl. */
const REFUSED_OFFLINE: ReadonlySet<string> = new Set([
  'RemoteStartTransaction',
  'RequestStartTransaction',
  'UnlockConnector',
  'Reset',
  'ReserveNow',
  'TriggerMessage',
  'ExtendedTriggerMessage',
])

export function mayWait(method: string): boolean {
  return !REFUSED_OFFLINE.has(method)
}

export const AWAY = refuse(409, 'charge_point_offline', 'The charge point is not connected; give a ttl to wait for it.')

export const NEVER_CONNECTED = refuse(
  409,
  'charge_point_offline',
  'The charge point has never connected, so its OCPP version is not known.',
)

export const REJECTED = refuse(409, 'charge_point_rejected', 'Nothing is sent to a rejected charge point.')

export const PENDING = refuse(
  409,
  'charge_point_pending',
  'The charge point is not accepted yet; only configuration, reports and triggers may be sent.',
)

interface Standing {
  readonly registrationStatus: ChargePoint['registrationStatus']
  readonly isBooted: boolean
}

/** @param capabilities the caller's; absent: all */
export function objectionTo(
  call: OutgoingCall,
  version: OcppVersion,
  { registrationStatus, isBooted }: Standing,
  capabilities: readonly Capability[] | undefined,
): Refusal | undefined {
  const { method, request } = call
  const action = version.toChargePoint[method]
  if (!action) {
    const known = Object.keys(version.toChargePoint).join(', ')
    return refuse(
      400,
      'unsupported_method',
      `${version.protocol} has no such command to a charge point. It has: ${known}.`,
      [{ pointer: '/method', message: `is not a command of ${version.protocol}` }],
    )
  }
  const capability = action.capability(request)
  if (capabilities && !capabilities.includes(capability)) return beyondCaller(method, capability, capabilities)
  const faults = version.validateRequest(method, request)
  if (faults.length > 0) {
    const errors = faults.map(({ pointer, message }) => ({ pointer: `/request${pointer}`, message }))
    const detail = `The request does not fit the ${version.protocol} schema of ${method}.`
    return refuse(400, 'invalid_request', detail, errors)
  }
  const unusable = version.newPasswords(call).find(({ password }) => !fitsPasswordRule(password))
  if (unusable) {
    const fault = { pointer: `/request${unusable.pointer}`, code: 'password_rule', message: PASSWORD_RULE }
    return refuse(400, 'invalid_request', `A charge point password ${PASSWORD_RULE}.`, [fault])
  }
  const against = forbidden(call, registrationStatus === 'Accepted' && isBooted)
  if (against.length > 0) {
    const errors = against.map(({ clause, pointer, message }) => ({
      pointer: `/request${pointer}`,
      code: clause,
      message,
    }))
    const detail = errors.map(({ pointer, code, message }) => `${pointer} ${message} (${code}).`).join(' ')
    return refuse(422, 'invalid_request', detail, errors)
  }
  if (registrationStatus === 'Rejected') {
    return REJECTED
  }
  if ((registrationStatus !== 'Accepted' || !isBooted) && !action.allowedWhilePending) {
    return PENDING
  }
  return undefined
}

/** OIDC-C11 */
function beyondCaller(method: string, capability: Capability, capabilities: readonly Capability[]): Refusal {
  const covered = capabilities.length > 0 ? capabilities.join(', ') : 'no command'
  const detail =
    capability === 'connection'
      ? `No access token may set a charge point’s password or address, as this ${method} does: use an API credential.`
      : `This ${method} needs ${capability}; the access token covers ${covered}. An API credential of the account may send it.`
  return refuse(403, 'insufficient_scope', detail, [{ pointer: '/method', message: `needs ${capability}` }])
}

/** What OCPP forbids us to send although its schema allows it (OCPP-RP13); profiles: domain/charging/checks.ts. */
interface Forbidden {
  readonly clause: string
  readonly pointer: string
  readonly message: string
}

/** @param isBooted accepted and booted here */
export function forbidden({ method, request }: OutgoingCall, isBooted: boolean): readonly Forbidden[] {
  switch (method) {
    case 'GetVariables':
      return repeated(request, 'getVariableData', 'B06')
    case 'SetVariables':
      return repeated(request, 'setVariableData', 'B05.FR.13')
    case 'TriggerMessage':
    case 'ExtendedTriggerMessage': {
      const isForbidden = isBooted && request.requestedMessage === 'BootNotification'
      const message = 'must not be BootNotification for a charge point that was accepted: what it said is kept'
      return isForbidden ? [{ clause: '1.6 errata 3.40, F06.FR.17', pointer: '/requestedMessage', message }] : []
    }
    default:
      return []
  }
}

/** Stations answer each by its name, so answers to duplicates would be ambiguous. */
function repeated(request: Payload, member: string, clause: string): readonly Forbidden[] {
  const seen = new Set<string>()
  return list(request[member]).flatMap((entry, at) => {
    const name = nameOf(object(entry))
    const isRepeated = seen.has(name)
    seen.add(name)
    const message = 'names a variable that stands in this request before'
    return isRepeated ? [{ clause, pointer: `/${member}/${at}`, message }] : []
  })
}

function nameOf({ component, variable, attributeType }: Payload): string {
  const { name, instance, evse } = object(component)
  const { id, connectorId } = isObject(evse) ? evse : {}
  const of = object(variable)
  const parts = [name, instance, id, connectorId, of.name, of.instance, text(attributeType) ?? 'Actual']
  return JSON.stringify(parts.map((part) => (typeof part === 'string' ? part.toLowerCase() : part)))
}
