/** What a version says of intents and of the device model: which calls carry them, and what the answers mean. */
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

/** An intent as it goes on the wire: a secret is in clear here. */
export interface IntentToSend {
  readonly key: string
  readonly desired: unknown
  readonly variable?: VariableName | undefined
  /** The number under which the station knows a monitor. */
  readonly monitorId?: number | undefined
}

export interface CarryingCall {
  readonly call: OutgoingCall
  readonly keys: readonly string[]
}

export interface IntentOnWire {
  /** In calls that are not longer than the station takes (CONFIG-A3). */
  readonly set: (intents: readonly IntentToSend[], limits: MessageLimits) => readonly CarryingCall[]
  /** By key. */
  readonly readAnswer: (
    keys: readonly string[],
    call: OutgoingCall,
    response: Payload,
  ) => Readonly<Record<string, IntentAnswer>>
  /** Left out: the answer is all that one hears. */
  readonly readBack?: {
    readonly calls: (intents: readonly IntentToSend[], limits: MessageLimits) => readonly CarryingCall[]
    readonly found: (
      keys: readonly string[],
      call: OutgoingCall,
      response: Payload,
    ) => Readonly<Record<string, FoundValue>>
  }
}

/** Left out: this version has no message for such a kind (INTENT-A4). */
export type IntentsOnWire = Readonly<Partial<Record<IntentKind, IntentOnWire>>>

interface ReportCalls {
  readonly calls: readonly ReportCall[]
  readonly needsRequestId: boolean
  /** What it leaves out is gone. */
  readonly isWhole: boolean
}

type ReportAnswer =
  | { readonly outcome: 'accepted' }
  | { readonly outcome: 'empty' }
  | { readonly outcome: 'values'; readonly values: readonly ReportedValue[] }
  | { readonly outcome: 'rejected'; readonly reason: string }

export interface DeviceModelOnWire {
  /** Undefined: this version cannot be asked that. */
  readonly reportCalls: (ask: ReportAsk, limits: MessageLimits, asksInTens: boolean) => ReportCalls | undefined
  /** A report is one call, however much it names. */
  readonly isAskedAtOnce: boolean
  /** In place of a call for all keys that a station does not survive (DEVICE-A6); undefined for any other call. */
  readonly inTens: (call: OutgoingCall, limits: MessageLimits) => readonly ReportCall[] | undefined
  /** Ask for all monitors or display messages, without a requestId; left out: this version has none (MONITOR-A5). */
  readonly subjectReports?: Readonly<Record<ReportSubject, ReportCall>> | undefined
  readonly readReportAnswer: (response: Payload) => ReportAnswer
  /** The values that the answer to a call tells; none for most calls. */
  readonly readValues: (call: OutgoingCall, response: Payload) => readonly ReportedValue[]
  /** Restarts it. `waits`: it does so by itself when nobody charges any more. */
  readonly reset: { readonly call: OutgoingCall; readonly waits: boolean }
}
