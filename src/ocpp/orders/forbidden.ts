/** What OCPP forbids us to send although its schema allows it (OCPP-RP13); profiles: domain/charging/checks.ts. */
import type { OutgoingCall, Payload } from '../payload.ts'
import { isObject, list, object, text } from '../translate/payload.ts'

export interface Forbidden {
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
