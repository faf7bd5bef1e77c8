/** Each version's own codes (OCPP-EC1). 1.6 writes `Occurence` and has `FormationViolation`; 2.0.1 corrected both. */
import type { Protocol } from '../domain/ports/core.ts'
import type { ErrorCode, Situation } from './version.ts'

/** Version-independent kinds of payload faults. */
export type FaultKind = 'notAnObject' | 'structure' | 'occurrence' | 'type' | 'property'

const FAULTS_OF_2: Readonly<Record<FaultKind, ErrorCode>> = {
  notAnObject: 'FormatViolation',
  structure: 'ProtocolError',
  occurrence: 'OccurrenceConstraintViolation',
  type: 'TypeConstraintViolation',
  property: 'PropertyConstraintViolation',
}

const FAULT_CODES: Readonly<Record<Protocol, Readonly<Record<FaultKind, ErrorCode>>>> = {
  'ocpp1.6': {
    notAnObject: 'FormationViolation',
    structure: 'FormationViolation',
    occurrence: 'OccurenceConstraintViolation',
    type: 'TypeConstraintViolation',
    property: 'PropertyConstraintViolation',
  },
  'ocpp2.0.1': FAULTS_OF_2,
  'ocpp2.1': FAULTS_OF_2,
}

const SITUATIONS_OF_2 = {
  notAccepted: 'SecurityError',
  internal: 'InternalError',
  unreadable: 'RpcFrameworkError',
  syntax: 'FormatViolation',
} as const

const SITUATION_CODES: Readonly<Record<Protocol, Readonly<Record<Situation, ErrorCode | undefined>>>> = {
  'ocpp1.6': {
    notAccepted: 'SecurityError',
    internal: 'InternalError',
    unreadable: 'GenericError',
    syntax: 'FormationViolation',
    unknownMessageType: undefined,
  },
  'ocpp2.0.1': { ...SITUATIONS_OF_2, unknownMessageType: 'MessageTypeNotSupported' },
  // OCPP21-A8: ignored, though the code stays in its list.
  'ocpp2.1': { ...SITUATIONS_OF_2, unknownMessageType: undefined },
}

export function faultCode(protocol: Protocol, kind: FaultKind): ErrorCode {
  return FAULT_CODES[protocol][kind]
}

/** Undefined where the version has no code and the frame is ignored. */
export function situationCode(protocol: Protocol, situation: Situation): ErrorCode | undefined {
  return SITUATION_CODES[protocol][situation]
}
