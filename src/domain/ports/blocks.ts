/** What the rules of blocks are given, and what an order for one of them is. */
import type { ComponentName } from '../device-model/records.ts'
import type { Question } from '../outgoing-calls/records.ts'
import type { BlockInput, RecordChange, RecordKey, RecordKind, RecordOfKind } from '../records/records.ts'
import type { SessionLimitsChanged } from '../sessions/limits/records.ts'
import type { ChargePointState } from './sessions.ts'
import type { EventData } from './storage-webhooks.ts'

/** An input of one kind. */
export type InputOf<Kind extends BlockInput['kind']> = Extract<BlockInput, { readonly kind: Kind }>

/** A decision being made: a rule reads the state and says what changes; all is committed before an answer. */
export interface BlockDraft {
  /** Before this decision. */
  readonly state: ChargePointState
  readonly now: number
  /** Of each phase of an EVSE. */
  readonly voltage: number
  /** The log's row of the message that is decided upon; absent where it is none. */
  readonly commandId: number | undefined
  /** As this decision left it so far. */
  record<Kind extends RecordKind>(kind: Kind, key: RecordKey<Kind>): RecordOfKind<Kind> | undefined
  changeRecord(change: RecordChange): void
  /** Asked of the charge point after the commit, if its version can be asked that. */
  ask(question: Question): void
  /** When this location changes: never the same time twice. @param at at the earliest */
  changeTime(locationId: string, at: number): number
  /** Stored with the change; its subscribers are sent it. */
  tell(event: EventData): void
}

/** For one charge point of this account. */
export interface BlockOrder {
  readonly accountId: string
  readonly chargePointId: string
  readonly input: BlockInput | SessionLimitsChanged
}

export type { DesiredName } from '../configuration/records.ts'
export type { CustomerRequest } from '../customer-information/records.ts'
export type {
  ComponentName,
  MessageLimits,
  NumericLimit,
  ReportCall,
  ReportedValue,
  ReportSubject,
  VariableName,
} from '../device-model/records.ts'
export type { DesiredMessage, DisplayMessage } from '../display-messages/records.ts'
export type { FoundValue, IntentAnswer, IntentKind } from '../intents/records.ts'
export type { DesiredMonitor, ReceivedEvent, ReportedMonitor } from '../monitors/records.ts'

/** What a report is to contain. */
export interface ReportAsk {
  readonly base?: 'FullInventory' | 'ConfigurationInventory' | 'SummaryInventory' | undefined
  readonly criteria?: readonly string[] | undefined
  readonly componentVariables?:
    | readonly {
        readonly component: ComponentName
        readonly variable?: { readonly name: string; readonly instance?: string | undefined } | undefined
      }[]
    | undefined
}

/** A charge point is to report its variables. */
export interface ReportOrder {
  readonly accountId: string
  readonly chargePointId: string
  readonly ask: ReportAsk
  readonly grantId?: string | undefined
}

/** The report that was ordered; its id is found again among the reports. */
export interface ReportOrdered {
  readonly id: number
}

/** Configurations are applied again to these charge points. */
export interface ConfigurationOrder {
  readonly accountId: string
  readonly chargePointIds: readonly string[]
  /** Names of the intents that may be others now (intents/states.ts); absent: any of them. */
  readonly names?: readonly string[] | undefined
}
