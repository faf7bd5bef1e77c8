/** How a version carries intents and the device model: its calls, and the meaning of their answers. */

import type { ChargingOrder, ChargingProfile, RateUnit, ReportedSchedule } from '../../domain/charging/profile.ts'
import type { ListAnswer, ListEntry } from '../../domain/local-lists/records.ts'
import type {
  FoundValue,
  IntentAnswer,
  IntentKind,
  MessageLimits,
  ReportAsk,
  ReportCall,
  ReportedValue,
  ReportSubject,
  VariableName,
} from '../../domain/ports/blocks.ts'
import type { FrozenTariff } from '../../domain/ports/sessions.ts'
import type { ReservationOrder } from '../../domain/reservations/records.ts'
import { integer, type OutgoingCall, type Payload, reasonOf, text } from './payload.ts'

/** Contains secrets in clear. */
export interface IntentToSend {
  readonly key: string
  readonly desired: unknown
  readonly variable?: VariableName | undefined
  /** The station's number of a monitor. */
  readonly monitorId?: number | undefined
}

export interface CarryingCall {
  readonly call: OutgoingCall
  readonly keys: readonly string[]
}

export interface IntentOnWire {
  /** In calls within the station's limits (CONFIG-A3). */
  readonly set: (intents: readonly IntentToSend[], limits: MessageLimits) => readonly CarryingCall[]
  /** By key. */
  readonly readAnswer: (
    keys: readonly string[],
    call: OutgoingCall,
    response: Payload,
  ) => Readonly<Record<string, IntentAnswer>>
  /** Absent: the answer is the only proof. */
  readonly readBack?: {
    readonly calls: (intents: readonly IntentToSend[], limits: MessageLimits) => readonly CarryingCall[]
    readonly found: (
      keys: readonly string[],
      call: OutgoingCall,
      response: Payload,
    ) => Readonly<Record<string, FoundValue>>
  }
}

/** Absent: this version has no message for such a kind (INTENT-A4). */
export type IntentsOnWire = Readonly<Partial<Record<IntentKind, IntentOnWire>>>

interface ReportCalls {
  readonly calls: readonly ReportCall[]
  readonly needsRequestId: boolean
  /** Values outside the report no longer exist. */
  readonly isWhole: boolean
}

type ReportAnswer =
  | { readonly outcome: 'accepted' }
  | { readonly outcome: 'empty' }
  | { readonly outcome: 'values'; readonly values: readonly ReportedValue[] }
  | { readonly outcome: 'rejected'; readonly reason: string }

export interface DeviceModelOnWire {
  /** Undefined: this version has no such report. */
  readonly reportCalls: (ask: ReportAsk, limits: MessageLimits, asksInTens: boolean) => ReportCalls | undefined
  /** A report is one call, whatever its length. */
  readonly isAskedAtOnce: boolean
  /** Splits a call for all keys, which some stations do not survive (DEVICE-A6); undefined for any other call. */
  readonly inTens: (call: OutgoingCall, limits: MessageLimits) => readonly ReportCall[] | undefined
  /** For all monitors or display messages, without a requestId; absent: this version has none (MONITOR-A5). */
  readonly subjectReports?: Readonly<Record<ReportSubject, ReportCall>> | undefined
  readonly readReportAnswer: (response: Payload) => ReportAnswer
  /** Empty for most calls. */
  readonly readValues: (call: OutgoingCall, response: Payload) => readonly ReportedValue[]
  /** `waits`: until no charge is active. */
  readonly reset: { readonly call: OutgoingCall; readonly waits: boolean }
}

/** How a version carries charging profiles: its calls, and the meaning of their answers. */
export interface ChargingOnWire {
  /** A TxProfile must name its transaction, an absolute schedule its start. */
  readonly isStrict: boolean
  /** @param phases of the EVSE: of periods that name none, where the version has them named */
  readonly set: (evseId: number, profile: ChargingProfile, phases?: number) => OutgoingCall
  /** Replaces the limit of a Dynamic profile; absent: this version has none (OCPP21-C1). */
  readonly update?: (profileId: number, limit: number) => OutgoingCall
  readonly clear: (profileId: number) => OutgoingCall
  /** Clears profiles of any origin, where installed ones cannot be listed. */
  readonly clearAll?: OutgoingCall | undefined
  readonly composite: (evseId: number, durationSeconds: number, unit?: RateUnit) => OutgoingCall
  /** Lists installed profiles, of one EVSE or all; absent in 1.6. */
  readonly list?: (requestId: number, evseId?: number) => OutgoingCall
  /** Asks for smart charging variables of the device model. */
  readonly abilities: OutgoingCall
  /** Sets a configuration key or variable to a number; undefined: not a valid name. */
  readonly setKey: (key: string, value: string) => OutgoingCall | undefined
  /** As for `abilities`. */
  readonly readKey: (key: string) => OutgoingCall | undefined
  /** A raw command's effect on charging profiles; undefined: none. */
  readonly readOrder: (call: OutgoingCall) => ChargingOrder | undefined
  /** This version's spelling of a pointer into such a command. */
  readonly pointer: (pointer: string, call: OutgoingCall) => string
  readonly readComposite: (response: Payload) => ReportedSchedule | undefined
}

/** How a version carries the cost of an active charge (DRIVER-C1). */
export interface CostFacts {
  readonly transactionId: string
  /** As the API shows it. */
  readonly cost: number
  readonly currency: string
  readonly tariff?: FrozenTariff | undefined
  readonly isIdle: boolean
  /** The register, where known. */
  readonly meterWh?: number | undefined
  readonly at: number
}

export interface CostsOnWire {
  readonly running: (facts: CostFacts) => OutgoingCall
  /** Absent: the answer to the end of the charge has it. */
  readonly final?: (facts: CostFacts) => OutgoingCall
  readonly readAnswer: (response: Payload) => 'accepted' | 'refused' | 'unsupported'
}

/** How a version carries reservations (RESERVATION-A1). */
export interface ReservationsOnWire {
  readonly reserve: (reservationId: number, order: ReservationOrder) => OutgoingCall
  readonly cancel: (reservationId: number) => OutgoingCall
  /** What the version cannot say of it, beside its schema. */
  readonly fault: (order: ReservationOrder) => { readonly pointer: string; readonly message: string } | undefined
  /** The variable that says, by `true`, that any connector may be kept (RESERVATION-A2). */
  readonly anyPlace: { readonly key: string; readonly name: string }
}

/** How a version carries local lists: its calls, and the meaning of their answers (LIST-A3). */
export interface LocalListsOnWire {
  readonly askVersion: OutgoingCall
  /** Asks for the limits of its device model. */
  readonly askLimits: OutgoingCall
  readonly readVersion: (response: Payload) => number | undefined
  /** Undefined: this version cannot express it. */
  readonly entry: (entry: ListEntry, isGone: boolean) => Payload | undefined
  readonly send: (version: number, isFull: boolean, entries: readonly Payload[]) => OutgoingCall
}

/** What a status means, in any case; one that is not named is a refusal. Undefined: the station said none. */
export function answerBy(
  status: unknown,
  statusInfo: unknown,
  meanings: Readonly<Record<string, IntentAnswer['outcome'] | 'duplicate'>>,
): IntentAnswer | undefined {
  const said = text(status)?.toLowerCase()
  if (said === undefined) return undefined
  const meaning = Object.hasOwn(meanings, said) ? meanings[said] : undefined
  if (meaning === 'accepted' || meaning === 'rebootRequired') return { outcome: meaning }
  const reason = reasonOf(status, statusInfo)
  if (meaning === 'duplicate') return { outcome: 'rejected', reason, isDuplicate: true }
  return { outcome: meaning ?? 'rejected', reason }
}

/** The same words in both versions; 1.6 has one more. */
export function readListAnswer({ status }: Payload): ListAnswer {
  const said = text(status)?.toLowerCase()
  return said === 'accepted' ? 'accepted' : said === 'notsupported' ? 'unsupported' : 'refused'
}

/** A list without entries is left out (2.0.1 D01.FR.04). */
export function sendLocalList(
  version: object,
  isFull: boolean,
  localAuthorizationList: readonly Payload[],
): OutgoingCall {
  const some = localAuthorizationList.length > 0 && { localAuthorizationList }
  return { method: 'SendLocalList', request: { ...version, updateType: isFull ? 'Full' : 'Differential', ...some } }
}

/** 1.6 sends -1 where it has no lists. */
export function versionIn(value: unknown): number | undefined {
  const version = integer(value)
  return version === undefined || version < 0 ? undefined : version
}
