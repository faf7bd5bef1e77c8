/** What an OCPP version must offer so that nothing behind it asks which it was: `v16/` and `v201/` export one each. */

import type { CustomerRequest, IntentKind } from '../domain/ports/blocks.ts'
import type { Capability } from '../domain/ports/capability.ts'
import type { Protocol } from '../domain/ports/core.ts'
import type { Outcome } from '../domain/ports/sessions.ts'
import type { ProfileStep } from '../domain/profile-jobs/records.ts'
import type { Input, Request } from '../domain/sessions/decision.ts'
import type { OutgoingCall, Payload } from './payload.ts'
import type { DeviceModelOnWire, IntentsOnWire } from './translate/blocks-on-wire.ts'
import type { ChargingOnWire } from './translate/charging-on-wire.ts'
import type { CostsOnWire } from './translate/costs-on-wire.ts'
import type { LocalListsOnWire } from './translate/local-lists-on-wire.ts'
import type { ListInRequest } from './translate/parts.ts'
import type { ReservationsOnWire } from './translate/reservations-on-wire.ts'

/** OCPP-J error codes; each version knows its own subset and spelling (OCPP-EC1). */
export type ErrorCode =
  | 'NotImplemented'
  | 'NotSupported'
  | 'InternalError'
  | 'ProtocolError'
  | 'SecurityError'
  | 'FormationViolation'
  | 'FormatViolation'
  | 'PropertyConstraintViolation'
  | 'OccurenceConstraintViolation'
  | 'OccurrenceConstraintViolation'
  | 'TypeConstraintViolation'
  | 'GenericError'
  | 'MessageTypeNotSupported'
  | 'RpcFrameworkError'

/** What goes wrong outside a payload; each version has its own code for it (error-codes.ts). */
export type Situation = 'notAccepted' | 'internal' | 'unreadable' | 'syntax' | 'unknownMessageType'

export interface TranslationContext {
  readonly receivedAt: number
  /** Raw text of the payload: integers above 2^53 are read from here (OCPP-DR3). */
  readonly raw: string
  /** SHA-256 (hex, shortened) of the payload text, or of the facts given; computed on demand. */
  readonly digest: (facts?: string) => string
  readonly messageId: string
}

export interface AnswerContext {
  readonly now: number
  /** Seconds; 300 typical. */
  readonly heartbeatIntervalSeconds: number
  /** Seconds a Pending or Rejected station waits before it boots again. */
  readonly bootRetrySeconds: number
}

/** The log's columns that a message fills (OCPP-LG3). */
export interface Columns {
  readonly connectorId?: number | undefined
  readonly evseId?: number | undefined
  readonly transactionId?: string | undefined
}

export interface FromChargePoint {
  readonly action: string
  /** OCPP-DR4: never refused, always answered with a CALLRESULT. */
  readonly billing: boolean
  /** Its own rule answers whatever the payload holds, also in strict mode (CERT-C1). */
  readonly judgesItself: boolean
  /** OCPP-DR9: of a registered and accepted charge point also taken before it booted here. */
  readonly beforeBoot: boolean
  readonly input: (request: Payload, context: TranslationContext) => Input
  readonly answer: (request: Payload, outcome: Outcome, context: AnswerContext) => Payload
  /** `raw`, the payload's text, keeps transaction ids above 2^53 exact (OCPP-DR3). */
  readonly columns: (request: Payload, outcome: Outcome, raw?: string) => Columns
  /** OCPP-RP6: a repetition gets the stored answer; false where it speaks of now. Twice processed, nothing changes. */
  readonly repeatable: boolean
}

export interface ToChargePoint {
  readonly action: string
  readonly columns: (request: Payload) => Columns
  /** B03.FR, SESSION-O4: allowed while the registration is Pending. */
  readonly allowedWhilePending: boolean
  /** OIDC-C11: what whoever sends this very request must have; the request need not be valid. */
  readonly capability: (request: Payload) => Capability
  /** Of those of which a station takes so many items at once (SESSION-O11). */
  readonly list?: ListInRequest | undefined
}

/** OCPP-VA1: what happens to a call that does not match the schema (docs/ocpp.md). */
export type ValidationMode = 'strict' | 'lenient' | 'off'

export type ValidatedCall =
  | {
      readonly ok: true
      /** Repaired payload (OCPP-VA3); equal to the original when nothing had to be repaired. */
      readonly payload: Payload
      /** What the schema said against it, when it was accepted all the same (OCPP-VA1). */
      readonly schemaErrors?: string | undefined
    }
  | { readonly ok: false; readonly code: ErrorCode; readonly description: string }

export interface RemoteStartOrder {
  readonly idToken: { readonly id: string; readonly type: string }
  readonly remoteStartId: number
  readonly evseId?: number | undefined
  readonly connectorId?: number | undefined
}

export interface LogOrder {
  readonly type: 'diagnostics' | 'security'
  readonly requestId: number
  readonly location: string
  readonly fromAt?: number | undefined
  readonly toAt?: number | undefined
}

export interface FirmwareOrder {
  readonly requestId: number
  readonly location: string
  readonly retrieveAt: number
  readonly certificate?: string | undefined
  readonly signature?: string | undefined
}

export interface Maintenance {
  readonly getLog: (order: LogOrder) => OutgoingCall
  readonly updateFirmware: (order: FirmwareOrder) => OutgoingCall
  /** How far an update is. */
  readonly askProgress: (update: { readonly isSigned: boolean }) => OutgoingCall
}

/** When the charge point begins to use its new password. */
export type PasswordTaken = 'now' | 'afterReboot'

/** Network profiles of a station, as its device model tells them (CERT-C26). */
export interface NetworkSlots {
  /** For the new profile. */
  readonly slot: number
  /** Slots behind the new one, the one in use first. */
  readonly priority: readonly number[]
  readonly ocppInterface?: string | undefined
}

/** What a step towards a higher security profile may need to know (CERT-C25). */
export interface ProfileOrder {
  readonly securityProfile: number
  /** Without the identity. */
  readonly csmsUrl: string
  /** PEM; absent: the charge point must know the server's root already. */
  readonly root?: string | undefined
  /** Absent: its model does not tell. */
  readonly network?: NetworkSlots | undefined
}

export type ProfileStepCall = OutgoingCall

export interface RaiseProfile {
  /** In their order. */
  readonly steps: (order: ProfileOrder) => readonly ProfileStep[]
  readonly call: (step: ProfileStep, order: ProfileOrder) => ProfileStepCall | undefined
  /** `reconnects`: no more is needed. `scheduled`: it is done when the station is idle. */
  readonly answer: (step: ProfileStep, response: Payload) => 'done' | 'reconnects' | 'scheduled' | 'refused'
}

/** What the other rooms may ask of a version: none of them compares its name (law 4). */
interface Abilities {
  /** The intent that sets one value of the station. */
  readonly setting: IntentKind
  /** How a request names where a car charges. */
  readonly outlet: 'connectorId' | 'evseId'
  /** A remote start carries the driver's own token, so that the same card may stop the charge (SESSION-A5). */
  readonly startsWithOwnToken: boolean
  /** OCPP-T3: why no charge point of this identity can speak the version. */
  readonly identityFault: (identity: string) => string | undefined
  /** The certificate type of the root by which a charge point knows this server. */
  readonly serverRoot: string
  /** Requests of GetInstalledCertificateIds that together ask for every root. */
  readonly rootQueries: readonly Payload[]
}

export interface OcppVersion extends Maintenance {
  readonly abilities: Abilities
  readonly raiseProfile: RaiseProfile
  readonly protocol: Protocol
  readonly fromChargePoint: Readonly<Record<string, FromChargePoint>>
  readonly toChargePoint: Readonly<Record<string, ToChargePoint>>
  /** The code that answers an unknown action, or one of the wrong side. Undefined: a charge point may send it. */
  readonly refuseAction: (action: string) => ErrorCode | undefined
  /** Inbound CALL (OCPP-VA1 to OCPP-VA3, OCPP-EC1). */
  readonly validateCall: (action: string, payload: unknown, mode: ValidationMode) => ValidatedCall
  /** Outbound CALL: strict always (OCPP-RP13). Returns the faults, empty when valid. */
  readonly validateRequest: (
    action: string,
    payload: unknown,
  ) => readonly { readonly pointer: string; readonly message: string }[]
  /** The answer to one of our CALLs against its schema; faults are logged, never refused. */
  readonly validateResponse: (action: string, payload: unknown) => string | undefined
  /** This version's spelling of a situation (OCPP-EC1). */
  readonly code: (situation: Situation) => ErrorCode | undefined
  readonly remoteStart: (order: RemoteStartOrder) => OutgoingCall
  readonly remoteStop: (transactionId: string) => OutgoingCall
  /** `accepted` and, for 2.0.1, the transaction it names (SESSION-O7). */
  readonly readRemoteAnswer: (response: Payload) => {
    readonly accepted: boolean
    readonly transactionId?: string | undefined
  }
  /** A decision's request as a CALL, or undefined where the version has none. */
  readonly ask: (request: Request) => OutgoingCall | undefined
  /** The answer to such a CALL as an input, when it carries one (GetTransactionStatus). */
  readonly readAskAnswer: (call: OutgoingCall, response: Payload) => Input | undefined
  /** What the answer to any of our CALLs tells, whoever asked (SIGNED-K3). */
  readonly readReported: (call: OutgoingCall, response: Payload) => Input | undefined
  /** Asks for a SignCertificate (CERT-C20). */
  readonly certificateTrigger: OutgoingCall
  /** OCPP-AU6: passwords that a ChangeConfiguration or SetVariables sets, each with its place; the last one counts. */
  readonly newPasswords: (call: OutgoingCall) => readonly { readonly pointer: string; readonly password: string }[]
  readonly setPassword: (password: string) => OutgoingCall
  /** As the answer to such a call spells it; undefined: it says nothing of the password. */
  readonly passwordStatus: (call: OutgoingCall, response: Payload) => string | undefined
  /** What the answer to such a call says of the password; undefined: it was not taken. */
  readonly passwordTaken: (call: OutgoingCall, response: Payload) => PasswordTaken | undefined
  /** How what is wanted of a charge point is carried to it (INTENT-A1). */
  readonly intents: IntentsOnWire
  readonly deviceModel: DeviceModelOnWire
  /** Limits of the charge (CHARGING-P1). */
  readonly charging: ChargingOnWire
  readonly localLists: LocalListsOnWire
  readonly reservations: ReservationsOnWire
  readonly costs: CostsOnWire
  /** What it knows of a customer; left out: this version has no message for it (DRIVER-I1). */
  readonly askForCustomer?: (request: Pick<CustomerRequest, 'requestId' | 'asked'>) => OutgoingCall
}
