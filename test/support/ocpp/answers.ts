/** What a charge point that has everything answers to our CALLs, by the official schemas. */

import type { Protocol } from '../../../src/domain/ports/core.ts'
import { type Schema, schemaOf } from '../../../src/ocpp/schema/schemas.ts'
import { list, type OutgoingCall, object, type Payload } from '../../../src/ocpp/translate/payload.ts'

/** A request by the schema with a value for every member. */
export function wholeRequest(protocol: Protocol, method: string): Payload {
  const schema = schemaOf(protocol, method, 'req')
  return object(schema && instanceOf(schema, schema.definitions ?? {}))
}

/** Every member of the answer's schema has a value; results are about what was asked. */
export function wholeAnswer(protocol: Protocol, { method, request }: OutgoingCall): Payload {
  const schema = schemaOf(protocol, method, 'conf')
  if (!schema) throw new Error(`${protocol} has no ${method}`)
  const answer = object(instanceOf(schema, schema.definitions ?? {}))
  const one = (name: string) => object(list(answer[name])[0])
  const each = (asked: unknown, name: string) => {
    const result = one(name)
    const known = (entry: unknown) => Object.entries(object(entry)).filter(([member]) => member in result)
    return list(asked).map((entry) => ({ ...result, ...Object.fromEntries(known(entry)) }))
  }
  switch (method) {
    case 'GetConfiguration': {
      const keys = request.key === undefined ? ['NumberOfConnectors', 'MeterPublicKey1'] : list(request.key)
      return { configurationKey: keys.map((key) => ({ key, readonly: false, value: '1' })), unknownKey: ['Nothing'] }
    }
    case 'GetVariables':
      return { getVariableResult: each(request.getVariableData, 'getVariableResult') }
    case 'SetVariables':
      return { setVariableResult: each(request.setVariableData, 'setVariableResult') }
    case 'SetVariableMonitoring':
      return { setMonitoringResult: each(request.setMonitoringData, 'setMonitoringResult') }
    case 'ClearVariableMonitoring':
      return { clearMonitoringResult: list(request.id).map((id) => ({ ...one('clearMonitoringResult'), id })) }
    default:
      return answer
  }
}

function instanceOf(schema: Schema, definitions: Readonly<Record<string, Schema>>): unknown {
  const { $ref, type, enum: words, properties = {}, items = {}, format } = schema
  if ($ref !== undefined) return instanceOf(definitions[$ref.replace('#/definitions/', '')] ?? {}, definitions)
  if (words) return words[0]
  switch (type) {
    case 'object': {
      const members = Object.entries(properties).filter(([name]) => name !== 'customData')
      return Object.fromEntries(members.map(([name, member]) => [name, instanceOf(member, definitions)]))
    }
    case 'array':
      return [instanceOf(items, definitions)]
    case 'integer':
    case 'number':
      return 1
    case 'boolean':
      return true
    default:
      return format === 'date-time' ? '2026-11-21T12:00:00.000Z' : 'text'
  }
}
