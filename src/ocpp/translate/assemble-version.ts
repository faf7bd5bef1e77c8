/** Assembles an `OcppVersion` from its tables, with what does not depend on the messages. */

import type { ValidateFunction } from 'ajv'
import type { Protocol } from '../../domain/ports/core.ts'
import { type FaultKind, faultCode, situationCode } from '../error-codes.ts'
import { describeFault, describeFaults, faultKind } from '../schema/faults.ts'
import { faultsOf, repair, validatorFor } from '../schema/validators.ts'
import type { AnswerFault, OcppVersion, PasswordTaken, ValidatedCall, ValidationMode } from '../version.ts'
import { type InboundMessage, type Need, type OutboundMessage, valueAt } from './message.ts'
import { isObject, type Payload } from './payload.ts'

/** What differs between the versions beside their messages. */
export type Commands = Omit<
  OcppVersion,
  | 'protocol'
  | 'fromChargePoint'
  | 'toChargePoint'
  | 'refuseAction'
  | 'validateCall'
  | 'validateRequest'
  | 'validateResponse'
  | 'refuseAnswer'
  | 'code'
  | 'passwordTaken'
>

/** With what docs/ocpp.md says about each message. */
export interface DocumentedVersion extends OcppVersion {
  readonly fromChargePoint: Readonly<Record<string, InboundMessage>>
  readonly toChargePoint: Readonly<Record<string, OutboundMessage>>
}

export function assembleVersion(
  protocol: Protocol,
  fromChargePoint: Readonly<Record<string, InboundMessage>>,
  toChargePoint: Readonly<Record<string, OutboundMessage>>,
  commands: Commands,
): DocumentedVersion {
  return {
    protocol,
    fromChargePoint,
    toChargePoint,
    refuseAction: (action) => {
      if (fromChargePoint[action]) return undefined
      return toChargePoint[action] ? 'NotSupported' : 'NotImplemented'
    },
    validateCall: (action, payload, mode) => {
      const message = fromChargePoint[action]
      if (message) return validateCall(protocol, message, payload, mode)
      return { ok: false, code: 'NotImplemented', description: `${protocol} charge points do not send this action.` }
    },
    validateRequest: (action, payload) => {
      const validate = toChargePoint[action] && validatorFor(protocol, action, 'req', 'outgoing')
      if (!validate) return [{ pointer: '', message: `is not a message that ${protocol} charge points understand` }]
      return validate(payload) ? [] : (validate.errors ?? []).map(describeFault)
    },
    validateResponse: (action, payload) => {
      const faults = faultsOf(protocol, action, 'conf', payload)
      return faults.length === 0 ? undefined : describeFaults(faults)
    },
    refuseAnswer: (action, payload, mode) =>
      commands.abilities.hasSend ? refuseAnswer(protocol, action, payload, mode) : undefined,
    code: (situation) => situationCode(protocol, situation),
    passwordTaken: (call, response) => TAKEN.get(commands.passwordStatus(call, response)?.toLowerCase()),
    ...commands,
  }
}

/** Both versions' statuses, in any case. */
const TAKEN: ReadonlyMap<string | undefined, PasswordTaken> = new Map([
  ['accepted', 'now'],
  ['rebootrequired', 'afterReboot'],
])

/** OCPP-VA1: validates a CALL. A valid one is checked once and not copied. */
const NO_MEMBERS: Payload = Object.freeze({})

function validateCall(
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

/** What changes nothing about how an answer is read. */
const HARMLESS: ReadonlySet<string> = new Set(['additionalProperties', 'maxLength', 'minItems', 'maxItems', 'format'])
/** Members beside what was asked: an Accepted whose reason is wrong is accepted all the same. */
const ASIDE = /\/(?:statusInfo|customData)(?:\/|$)/

/** OCPP21-A2: in lenient mode only what no repair can mend. */
function refuseAnswer(
  protocol: Protocol,
  action: string,
  payload: unknown,
  mode: ValidationMode,
): AnswerFault | undefined {
  if (!isObject(payload)) return refusal(protocol, 'notAnObject', 'The payload must be a JSON object.')
  if (mode === 'off') return undefined
  const isStrict = mode === 'strict'
  const all = faultsOf(protocol, action, 'conf', isStrict ? payload : repair(protocol, action, payload, 'conf'))
  const faults = isStrict ? all : all.filter((one) => !HARMLESS.has(one.keyword) && !ASIDE.test(one.instancePath))
  return faults.length === 0 ? undefined : refusal(protocol, faultKind(faults), describeFaults(faults))
}

function refusal(protocol: Protocol, kind: FaultKind, description: string): { readonly ok: false } & AnswerFault {
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
