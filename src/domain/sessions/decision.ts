/** One decision's contract: what happened, what else it may know, what comes out (records: ports/sessions.ts). */
import type { DataTransferAnswer, DataTransferInput } from '../data-transfers/records.ts'
import type { Question } from '../outgoing-calls/records.ts'
import type { PartnersOfToken, PartnerVerdict } from '../partners/records.ts'
import type { PaymentSettled, VatNumberChecked } from '../payments/records.ts'
import type { IdToken, IdTokenRef } from '../ports/id-tokens.ts'
import type {
  Activity,
  ChargePointStatus,
  Connector,
  FrozenTariff,
  LimitReached,
  NamePlate,
  Outcome,
  RemoteStart,
  RemoteStartSign,
  Sample,
  Session,
  SignedData,
  StationTime,
  Transaction,
} from '../ports/sessions.ts'
import type { EventData } from '../ports/storage-webhooks.ts'
import type { BlockInput, RecordChange } from '../records/records.ts'
import type { CostAnswered } from '../running-costs/records.ts'
import type { TariffVersion } from '../tariffs/fields.ts'
import type { TariffLocation } from '../tariffs/places.ts'
import type { ReportedTerms, SessionLimitsChanged } from './limits/records.ts'

/** With the status as the station spelled it (enum case repaired). */
export interface ConnectorReport extends Omit<Connector, 'updatedAt' | 'byStation'> {
  /** OCPP21-B1: of two reports of one station the newer time counts. */
  readonly newestWins?: true | undefined
  readonly activity: Activity
  readonly at: StationTime
}

/** One thing that happened, version-neutral: from OCPP messages, requests to the API, or the core's clock. */
export type Input =
  | ({ readonly kind: 'booted' } & NamePlate)
  | { readonly kind: 'noted' }
  | {
      readonly kind: 'authorise'
      readonly idToken: IdTokenRef
      /** What its partner answered, where it was asked (OCPI-A10). */
      readonly verdict?: PartnerVerdict | undefined
    }
  | ({ readonly kind: 'connectorStatus' } & ConnectorReport)
  /** Several in one message (2.0.1 NotifyEvent), in its order. */
  | {
      readonly kind: 'connectorStatuses'
      readonly reports: readonly ConnectorReport[]
      /** The events themselves, and values of the device model in the same message. */
      readonly known?: Omit<Extract<BlockInput, { readonly kind: 'eventsNotified' }>, 'kind'> | undefined
    }
  /** A start whose number we give (1.6 StartTransaction). */
  | {
      readonly kind: 'started'
      readonly connectorId: number
      readonly idToken: IdTokenRef
      readonly registerMilliWh?: number | undefined
      readonly reservationId?: number | undefined
      readonly at: StationTime
      /** OCPP-DR7, computed by the edge. */
      readonly startKey: string
      /** SESSION-A2: a station may give a retry another time, under the id of its first try. */
      readonly messageId?: string | undefined
      readonly verdict?: PartnerVerdict | undefined
    }
  /** Samples, perhaps with a transaction (1.6 MeterValues; 2.0.1 MeterValues outside transactions). */
  | {
      readonly kind: 'sampled'
      readonly evseId?: number | undefined
      readonly connectorId: number
      /** Absent when the station sent none, null, 0 or -1. */
      readonly transactionId?: string | undefined
      readonly samples: readonly Sample[]
    }
  /** An end of a transaction whose number we gave (1.6 StopTransaction). */
  | {
      readonly kind: 'stopped'
      readonly transactionId?: string | undefined
      readonly registerMilliWh?: number | undefined
      readonly at: StationTime
      readonly reason: string
      readonly idToken?: IdTokenRef | undefined
      readonly samples: readonly Sample[]
      readonly digest: string
      /** What stays the same when the stop comes again under another number (SESSION-A13), computed by the edge. */
      readonly stopKey: string
    }
  /** One message of a transaction that the station numbers itself (2.0.1 TransactionEvent). */
  | {
      readonly kind: 'transactionEvent'
      readonly event: 'started' | 'updated' | 'ended'
      readonly transactionId: string
      readonly sequenceNumber: number
      readonly trigger: string
      readonly at: StationTime
      readonly activity?: Activity | undefined
      readonly evseId?: number | undefined
      readonly connectorId?: number | undefined
      readonly idToken?: IdTokenRef | undefined
      readonly remoteStartId?: number | undefined
      readonly reservationId?: number | undefined
      readonly stoppedReason?: string | undefined
      readonly samples: readonly Sample[]
      /** Present: the station takes limits in the answer (OCPP21-C3). */
      readonly atStation?: ReportedTerms | undefined
      /** Hash of the payload (SESSION-B2). */
      readonly digest: string
      readonly verdict?: PartnerVerdict | undefined
    }
  /** A vendor's message, perhaps with signed meter values in it. */
  | (DataTransferInput & { readonly signed?: SignedValuesSent | undefined })
  /** With the tariff of its card. */
  | ({ readonly kind: 'remoteStartRequested'; readonly sessionId: string; readonly remoteStart: RemoteStart } & Pick<
      Session,
      'evseId' | 'connectorId' | 'externalReference' | 'idToken' | 'limits' | 'tariff' | 'priority' | 'partner'
    >)
  | {
      readonly kind: 'remoteStartAnswered'
      readonly sessionId: string
      readonly outcome: 'accepted' | 'rejected' | 'timeout' | 'dropped'
      readonly transactionId?: string | undefined
    }
  | { readonly kind: 'remoteStopRequested'; readonly sessionId: string }
  | SessionLimitsChanged
  | CostAnswered
  | PaymentSettled
  | VatNumberChecked
  | {
      readonly kind: 'remoteStopAnswered'
      readonly sessionId: string
      readonly outcome: 'accepted' | 'rejected' | 'timeout' | 'dropped'
    }
  /** 2.0.1 GetTransactionStatus answered (SESSION-B5, SESSION-B12). */
  | {
      readonly kind: 'transactionStatusAnswered'
      readonly transactionId: string
      readonly ongoing?: boolean | undefined
      readonly messagesInQueue: boolean
    }
  /** A settlement or correction from the API (COST-L2, COST-L3, COST-CO3). Figures left out keep their value. */
  | {
      readonly kind: 'settled'
      readonly sessionId: string
      readonly costMicros?: number | undefined
      readonly currency?: string | undefined
      readonly energyMilliWh?: number | undefined
    }
  /** TOKEN-Z6: with the charges of other charge points. */
  | { readonly kind: 'budgetUsedUp'; readonly sessionId: string; readonly reached: LimitReached }
  /** Time passed: remote starts expire, orphans close. */
  | { readonly kind: 'tick' }
  /** The registration is about to be deleted: the end of what is open will never be reported. */
  | { readonly kind: 'removed' }
  | BlockInput

/** Signed meter values that came outside the messages of their transaction (DataTransfer). */
export interface SignedValuesSent {
  readonly transactionId?: string | undefined
  readonly mention: Mention
  readonly evseId?: number | undefined
  readonly connectorId?: number | undefined
  readonly values: readonly (Pick<Sample, 'at' | 'context'> & { readonly signed: SignedData })[]
}

/** Something to ask of the charge point as a consequence; the core sends it when the connection and version allow. */
export type Request = Question

/** New versions of touched records. Absent may be spelled `undefined`: objects of one shape are faster. */
export interface Changes {
  readonly status?: ChargePointStatus | undefined
  readonly connectors?: readonly Connector[] | undefined
  readonly transactions?: readonly Transaction[] | undefined
  readonly sessions?: readonly Session[] | undefined
  readonly idTokens?: readonly IdToken[] | undefined
  /** Records of blocks; applied in order. */
  readonly records?: readonly RecordChange[] | undefined
  /** What happened beside that; a session's own event follows from how the session changed (HOOK-E1). */
  readonly events?: readonly EventData[] | undefined
}

export interface Decision {
  readonly outcome: Outcome
  readonly changes: Changes
  readonly requests?: readonly Request[] | undefined
}

/** What a decision needs from outside besides the state; all of it injected. */
export interface DecisionContext {
  readonly now: number
  /** The log's row of the message that is decided upon; absent where it is none. */
  readonly commandId?: number | undefined
  /** Next number of the transaction sequence (SESSION-A3). */
  readonly nextTransactionId: () => string
  readonly newSessionId: (now: number) => string
  /** Tokens named by the input, by lower-case id. */
  readonly idTokens: ReadonlyMap<string, IdToken>
  /** The same of partners; absent: the account has none. */
  readonly partnerTokens?: ReadonlyMap<string, PartnersOfToken> | undefined
  readonly unknownIdTokens: 'accept' | 'reject'
  /** TOKEN-Z7: of those with a budget. */
  readonly isUsedUp?: ((idToken: IdToken) => boolean) | undefined
  /** TIMELINE-T1: of the vendors that the input names. */
  readonly transferAnswer?: ((vendorId: string) => DataTransferAnswer | undefined) | undefined
  /** LOCATION-A3: EVSEs of one location may change in the same millisecond. */
  readonly changeTime?: ((locationId: string, at: number) => number) | undefined
  readonly tariff?: FrozenTariff | undefined
  /** OCPP21-C9: of drivers, which the station could not read. */
  readonly refusedTariffs?: ReadonlySet<string> | undefined
  /** Where its EVSEs stand in locations, with the tariffs that their connectors name (TARIFF-A1). */
  readonly places?: readonly TariffLocation[] | undefined
  /** COST-L7: the newest first, where the message may begin a session late. */
  readonly tariffVersions?: readonly TariffVersion[] | undefined
  /** The account settles what completes (COST-L4). */
  readonly automaticSettlement?: true | undefined
  readonly settings: SessionSettings
}

export interface SessionSettings {
  /** Of each phase, where limits are counted in watts. */
  readonly voltage: number
  /** Whose days and months budgets have (TOKEN-Z6). */
  readonly timeZone: string
  /** SESSION-A5, SESSION-O7: how long a remote start waits for its transaction. */
  readonly remoteStartTimeoutMs: number
  /** SESSION-A15: how long a suspect transaction waits before it is closed. */
  readonly orphanTimeoutMs: number
  /** SESSION-A15: no sign of life for this long closes a transaction. */
  readonly silenceTimeoutMs: number
  /** SESSION-A4: refuse a second session of one token. */
  readonly refuseConcurrentTransactions: boolean
  /** OCPP21-C7: where drivers find receipts, with `{pspRef}`; absent: we make none. */
  readonly receiptUrl?: string | undefined
}

/** Which of the transactions of one number a message means. */
export interface Mention {
  /** Its number is one that we gave (1.6): no transaction that a station numbered is meant. */
  readonly ours?: true | undefined
  /** Station time; absent: now, so the newest one. */
  readonly at?: number | undefined
  readonly sequenceNumber?: number | undefined
  readonly digest?: string | undefined
  readonly ends?: boolean | undefined
}

/** What must be loaded before `decide` may run on an input. */
export interface Lookups {
  readonly transactionIds: readonly string[]
  /** Of several transactions that had one number the one that is meant. */
  readonly mention?: Mention | undefined
  /** Only where none of `transactionIds` is known: the number under which the same stop left its mark (SESSION-A13). */
  readonly otherwise: readonly string[]
  /** Only where neither is known: closed transactions per outlet that a stop without a number may end (SESSION-A16). */
  readonly newestAt?: number | undefined
  /** The session of this remote start, if it is not in memory: it may have expired long ago (SESSION-S5). */
  readonly remoteStart?: RemoteStartSign | undefined
  readonly startKeys: readonly string[]
  readonly sessionIds: readonly string[]
  readonly idTokens: readonly string[]
  /** A session may begin with it: it has the tariff of that time (COST-L7). */
  readonly begunAt: StationTime | undefined
  /** Whose messages are answered as the account said (TIMELINE-T1). */
  readonly vendorId?: string | undefined
}
