/** OCPP-VA1: validates a CALL. A valid one is checked once and not copied. */

import type { ValidateFunction } from 'ajv'
import type { Protocol } from '../../domain/ports/core.ts'
import type { FaultKind } from '../error-codes.ts'
import { faultCode } from '../error-codes.ts'
import type { Payload } from '../payload.ts'
import type { InboundMessage, Need } from '../translate/message.ts'
import { valueAt } from '../translate/message.ts'
import { isObject } from '../translate/payload.ts'
import type { ValidatedCall, ValidationMode } from '../version.ts'
import { describeFaults, faultKind } from './faults.ts'
import { repair } from './repair.ts'
import { faultsOf, validatorFor } from './validators.ts'

const NO_MEMBERS: Payload = Object.freeze({})

export function validateCall(
  protocol: Protocol,
  message: InboundMessage,
  received: unknown,
  mode: ValidationMode,
): ValidatedCall {
  const payload = received ?? NO_MEMBERS
  if (!isObject(payload)) return refusal(protocol, 'notAnObject', 'The payload must be a JSON object.')
  if (mode === 'off') return { ok: true, payload }
  const { action } = message
  const valid = quickOf(protocol, message)
  if (!valid || valid(payload)) return { ok: true, payload }

  const faults = faultsOf(protocol, action, 'req', payload)
  const schemaErrors = describeFaults(faults)
  if (mode === 'strict' && message.judgesItself) return { ok: true, payload, schemaErrors }
  if (mode === 'strict') return refusal(protocol, faultKind(faults), schemaErrors)

  const repaired = repair(protocol, action, payload)
  if (repaired === payload || !valid(repaired)) {
    const unusable = unusableNeed(message.needs, repaired)
    if (unusable) return refusal(protocol, unusable.kind, unusable.description)
  }
  return { ok: true, payload: repaired, schemaErrors }
}

/** Keyed by the message itself: a look-up by name costs as much as validating a short message. */
const quick = new Map<InboundMessage, ValidateFunction | undefined>()

function quickOf(protocol: Protocol, message: InboundMessage): ValidateFunction | undefined {
  const known = quick.get(message)
  if (known) return known
  const validate = validatorFor(protocol, message.action, 'req', 'quick')
  quick.set(message, validate)
  return validate
}

function refusal(protocol: Protocol, kind: FaultKind, description: string): ValidatedCall {
  return { ok: false, code: faultCode(protocol, kind), description }
}

function unusableNeed(
  needs: readonly Need[],
  payload: Payload,
): { readonly kind: FaultKind; readonly description: string } | undefined {
  for (const { path, kind } of needs) {
    const value = valueAt(payload, path)
    if (value === undefined) return { kind: 'occurrence', description: `${path} is missing: it is required.` }
    if (kind === 'object' ? !isObject(value) : typeof value !== 'string') {
      return { kind: 'type', description: `${path} has the wrong JSON type: it must be ${kind}.` }
    }
  }
  return undefined
}
