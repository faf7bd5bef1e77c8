/** Assembles an `OcppVersion` from its tables, with what does not depend on the messages. */
import type { Protocol } from '../../domain/ports/core.ts'
import { situationCode } from '../error-codes.ts'
import { describeFault, describeFaults } from '../schema/faults.ts'
import { validateCall } from '../schema/validate-call.ts'
import { faultsOf, validatorFor } from '../schema/validators.ts'
import type { Maintenance, OcppVersion } from '../version.ts'
import type { InboundMessage, OutboundMessage } from './message.ts'
import { takenBy } from './password-taken.ts'

type Commands = Maintenance &
  Pick<
    OcppVersion,
    | 'abilities'
    | 'remoteStart'
    | 'remoteStop'
    | 'readRemoteAnswer'
    | 'ask'
    | 'readAskAnswer'
    | 'readReported'
    | 'newPasswords'
    | 'passwordStatus'
    | 'setPassword'
    | 'certificateTrigger'
    | 'raiseProfile'
    | 'intents'
    | 'deviceModel'
    | 'charging'
    | 'localLists'
    | 'reservations'
    | 'costs'
    | 'askForCustomer'
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
    code: (situation) => situationCode(protocol, situation),
    passwordTaken: (call, response) => takenBy(commands.passwordStatus(call, response)),
    ...commands,
  }
}
