/** How a version carries intents and the device model: its calls, and the meaning of their answers. */
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
import type { OutgoingCall, Payload } from '../payload.ts'

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
