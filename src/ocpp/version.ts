/** What an OCPP version offers, so that no other code depends on it: `v16/` and `v201/` export one each. */

import type { CertificateType } from '../domain/certificates/records.ts'
import type { VatNumberQuestion } from '../domain/payments/records.ts'
import type { CustomerRequest, IntentKind, VariableName } from '../domain/ports/blocks.ts'
import type { Capability } from '../domain/ports/capability.ts'
import type { Protocol } from '../domain/ports/core.ts'
import type { Outcome } from '../domain/ports/sessions.ts'
import type { ProfileStep } from '../domain/profile-jobs/records.ts'
import type { Input, Request } from '../domain/sessions/decision.ts'
import type {
  ChargingOnWire,
  CostsOnWire,
  DeviceModelOnWire,
  IntentsOnWire,
  LocalListsOnWire,
  ReservationsOnWire,
} from './translate/blocks-on-wire.ts'
import type { ListInRequest } from './translate/parts.ts'
import type { OutgoingCall, Payload } from './translate/payload.ts'

/** OCPP-J error codes; each version has its own subset and spelling (OCPP-EC1). */
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

/** Faults outside a payload; each version has its own code for them (error-codes.ts). */
export type Situation = 'notAccepted' | 'internal' | 'unreadable' | 'syntax' | 'unknownMessageType'

export interface TranslationContext {
  readonly receivedAt: number
  /** The payload's text: integers above 2^53 are read from here (OCPP-DR3). */
  readonly raw: string
  /** SHA-256 (hex, shortened) of the payload text, or of the given facts; computed on demand. */
  readonly digest: (facts?: string) => string
  readonly messageId: string
}

export interface AnswerContext {
  readonly now: number
  readonly heartbeatIntervalSeconds: number
  /** For a Pending or Rejected station, before it boots again. */
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
  /** Answered by its own rule whatever the payload holds, also in strict mode (CERT-C1). */
  readonly judgesItself: boolean
  /** Sent as message type 6, which is never answered (OCPP21-A1). */
  readonly isSend: boolean
  /** OCPP-DR9: accepted before a boot, from a registered and accepted charge point. */
  readonly beforeBoot: boolean
  readonly input: (request: Payload, context: TranslationContext) => Input
  readonly answer: (request: Payload, outcome: Outcome, context: AnswerContext) => Payload
  /** What a service of the operator, if there is one, is asked before the answer (OCPP21-C8); undefined: nothing. */
  readonly question?: ((request: Payload) => VatNumberQuestion | undefined) | undefined
  /** `raw`, the payload's text, keeps transaction ids above 2^53 exact (OCPP-DR3). */
  readonly columns: (request: Payload, outcome: Outcome, raw?: string) => Columns
  /** OCPP-RP6: a repetition gets the stored answer; false where the answer is about now, and processing idempotent. */
  readonly repeatable: boolean
}

export interface ToChargePoint {
  readonly action: string
  readonly columns: (request: Payload) => Columns
  /** B03.FR, SESSION-O4: allowed while the registration is Pending. */
  readonly allowedWhilePending: boolean
  /** OIDC-C11: what the caller needs for this very request, valid or not. */
  readonly capability: (request: Payload) => Capability
  /** Set if stations limit the items of its list (SESSION-O11). */
  readonly list?: ListInRequest | undefined
}

/** OCPP-VA1: how calls that do not match the schema are treated (docs/ocpp.md). */
export type ValidationMode = 'strict' | 'lenient' | 'off'

export type ValidatedCall =
  | {
      readonly ok: true
      /** Repaired (OCPP-VA3); the original when nothing had to be repaired. */
      readonly payload: Payload
      /** Faults of an accepted call (OCPP-VA1). */
      readonly schemaErrors?: string | undefined
    }
  | ({ readonly ok: false } & AnswerFault)

export interface AnswerFault {
  readonly code: ErrorCode
  readonly description: string
}

interface RemoteStartOrder {
  readonly idToken: { readonly id: string; readonly type: string }
  readonly remoteStartId: number
  readonly evseId?: number | undefined
  readonly connectorId?: number | undefined
}

interface LogOrder {
  readonly type: 'diagnostics' | 'security'
  readonly requestId: number
  readonly location: string
  readonly fromAt?: number | undefined
  readonly toAt?: number | undefined
}

interface FirmwareOrder {
  readonly requestId: number
  readonly location: string
  readonly retrieveAt: number
  readonly certificate?: string | undefined
  readonly signature?: string | undefined
}

interface SignedForStation {
  readonly chain: string
  readonly type?: CertificateType | undefined
  /** As the station sent it; other versions have none. */
  readonly stationRequestId?: number | undefined
}

/** When the charge point begins to use its new password. */
export type PasswordTaken = 'now' | 'afterReboot'

/** A station's network profiles in its device model (CERT-C26). */
export interface NetworkSlots {
  /** For the new profile. */
  readonly slot: number
  /** The charge point may use it as it is, so it refuses to have it changed (B09.FR.22). */
  readonly isInPriority: boolean
  /** After the new one, the one in use first. */
  readonly priority: readonly number[]
  /** Which `slotVariables` of the new one can be set. */
  readonly writable: readonly string[]
  readonly ocppInterface?: string | undefined
}

/** For steps to a higher security profile (CERT-C25). */
export interface ProfileOrder {
  readonly securityProfile: number
  readonly identity?: string | undefined
  /** Without the identity. */
  readonly csmsUrl: string
  /** PEM; absent: the charge point must already have the server's root. */
  readonly root?: string | undefined
  /** Absent: not in the model. */
  readonly network?: NetworkSlots | undefined
}

/** A value that is only for stations whose variable has it in its list. */
export interface ListedOption {
  readonly pointer: string
  readonly clause: string
  readonly value: string
  readonly variable: VariableName
}

export interface RaiseProfile {
  readonly steps: (order: ProfileOrder) => readonly ProfileStep[]
  /** Undefined: there is nothing to do in this step. */
  readonly call: (step: ProfileStep, order: ProfileOrder) => OutgoingCall | undefined
  /** Of `NetworkConfiguration[slot]`, for stations that have network profiles in their device model (OCPP21-B10). */
  readonly slotVariables?: readonly string[]
  /** The key of the variable that allows the way back from profile 3 to 2; absent: there is none. */
  readonly lowersBy?: string
  /** `reconnects`: nothing more to do. `scheduled`: done when the station is idle. */
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
  /** Message types 5 (an answer that could not be used) and 6 (SEND) exist (OCPP21-A1). */
  readonly hasSend: boolean
}

export interface OcppVersion {
  readonly abilities: Abilities
  readonly getLog: (order: LogOrder) => OutgoingCall
  readonly updateFirmware: (order: FirmwareOrder) => OutgoingCall
  readonly askProgress: (update: { readonly isSigned: boolean }) => OutgoingCall
  readonly raiseProfile: RaiseProfile
  readonly protocol: Protocol
  readonly fromChargePoint: Readonly<Record<string, FromChargePoint>>
  readonly toChargePoint: Readonly<Record<string, ToChargePoint>>
  /** The code for an unknown action, or one of the wrong direction. Undefined: allowed. */
  readonly refuseAction: (action: string) => ErrorCode | undefined
  /** Inbound CALL (OCPP-VA1 to OCPP-VA3, OCPP-EC1). */
  readonly validateCall: (action: string, payload: unknown, mode: ValidationMode) => ValidatedCall
  /** Outbound CALL: always strict (OCPP-RP13). @returns faults */
  readonly validateRequest: (
    action: string,
    payload: unknown,
  ) => readonly { readonly pointer: string; readonly message: string }[]
  /** The answer to one of our CALLs; faults are logged, never refused. */
  readonly validateResponse: (action: string, payload: unknown) => string | undefined
  /** Why an answer to one of our CALLs cannot be used, where the version lets us say so (OCPP21-A2). */
  readonly refuseAnswer: (action: string, payload: unknown, mode: ValidationMode) => AnswerFault | undefined
  /** This version's code for a situation (OCPP-EC1). */
  readonly code: (situation: Situation) => ErrorCode | undefined
  readonly remoteStart: (order: RemoteStartOrder) => OutgoingCall
  readonly remoteStop: (transactionId: string) => OutgoingCall
  /** `accepted` and, for 2.0.1, the transaction it names (SESSION-O7). */
  readonly readRemoteAnswer: (response: Payload) => {
    readonly accepted: boolean
    readonly transactionId?: string | undefined
  }
  /** A decision's request as a CALL; undefined where the version has none. */
  readonly ask: (request: Request) => OutgoingCall | undefined
  /** The answer to such a CALL as an input, if any (GetTransactionStatus). */
  readonly readAskAnswer: (call: OutgoingCall, response: Payload) => Input | undefined
  /** Values in the answer to any of our CALLs, asked for or not (SIGNED-K3). */
  readonly readReported: (call: OutgoingCall, response: Payload) => Input | undefined
  /** What was signed, to the station that asked for it (CERT-C1, OCPP21-B9). */
  readonly certificateSigned: (certificate: SignedForStation) => OutgoingCall
  /** Asks for a SignCertificate (CERT-C20). */
  readonly certificateTrigger: OutgoingCall
  /** OCPP-AU6: passwords that a ChangeConfiguration or SetVariables sets, each with its place; the last one counts. */
  readonly newPasswords: (call: OutgoingCall) => readonly { readonly pointer: string; readonly password: string }[]
  readonly setPassword: (password: string) => OutgoingCall
  /** As spelled in the answer to such a call; undefined: not about the password. */
  readonly passwordStatus: (call: OutgoingCall, response: Payload) => string | undefined
  /** The outcome in the answer to such a call; undefined: refused. */
  readonly passwordTaken: (call: OutgoingCall, response: Payload) => PasswordTaken | undefined
  /** How desired state is sent (INTENT-A1). */
  readonly intents: IntentsOnWire
  readonly deviceModel: DeviceModelOnWire
  /** Limits of the charge (CHARGING-P1). */
  readonly charging: ChargingOnWire
  readonly localLists: LocalListsOnWire
  readonly reservations: ReservationsOnWire
  readonly costs: CostsOnWire
  /** Brings about an answer that carries changed limits (OCPP21-C3); absent: the version's stations enforce none. */
  readonly transactionTrigger?: (evseId: number | undefined) => OutgoingCall
  /** Customer data; absent: this version has no message for it (DRIVER-I1). */
  readonly askForCustomer?: (request: Pick<CustomerRequest, 'requestId' | 'asked'>) => OutgoingCall
  /** What the station must list in its device model before it is asked for it (OCPP21-B12). */
  readonly listedOption?: (call: OutgoingCall) => ListedOption | undefined
  /** What a station is expected to refuse, for the caller to read: it is sent all the same (OCPP21-D3). */
  readonly warnings?: (call: OutgoingCall) => readonly string[]
  /** A driver pays for this EVSE on a web page; absent: this version has no message for it (OCPP21-C6). */
  readonly webPaymentStarted?: (evseId: number, timeoutSeconds: number) => OutgoingCall
}
