/** One decision's contract: what happened, what else it may know, what comes out (records: ports/sessions.ts). */
import type { DataTransferAnswer, DataTransferInput } from '../data-transfers/records.ts'
import type { Question } from '../outgoing-calls/records.ts'
import type { PartnerOfSession, PartnersOfToken, PartnerVerdict } from '../partners/records.ts'
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
  SessionLimits,
  SignedData,
  StationTime,
  Transaction,
} from '../ports/sessions.ts'
import type { EventData } from '../ports/storage-webhooks.ts'
import type { InputsOf } from '../records/record.ts'
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
  | InputsOf<{
      booted: NamePlate
      noted: unknown
      authorise: {
        idToken: IdTokenRef
        /** What its partner answered, where it was asked (OCPI-A10). */
        verdict?: PartnerVerdict | undefined
      }
      connectorStatus: ConnectorReport
      /** Several in one message (2.0.1 NotifyEvent), in its order. */
      connectorStatuses: {
        reports: readonly ConnectorReport[]
        /** The events themselves, and values of the device model in the same message. */
        known?: Omit<Extract<BlockInput, { readonly kind: 'eventsNotified' }>, 'kind'> | undefined
      }
      /** A start whose number we give (1.6 StartTransaction). */
      started: {
        connectorId: number
        idToken: IdTokenRef
        registerMilliWh?: number | undefined
        reservationId?: number | undefined
        at: StationTime
        /** OCPP-DR7, computed by the edge. */
        startKey: string
        /** SESSION-A2: a station may give a retry another time, under the id of its first try. */
        messageId?: string | undefined
        verdict?: PartnerVerdict | undefined
      }
      /** Samples, perhaps with a transaction (1.6 MeterValues; 2.0.1 MeterValues outside transactions). */
      sampled: {
        evseId?: number | undefined
        connectorId: number
        /** Absent when the station sent none, null, 0 or -1. */
        transactionId?: string | undefined
        samples: readonly Sample[]
      }
      /** An end of a transaction whose number we gave (1.6 StopTransaction). */
      stopped: {
        transactionId?: string | undefined
        registerMilliWh?: number | undefined
        at: StationTime
        reason: string
        idToken?: IdTokenRef | undefined
        samples: readonly Sample[]
        digest: string
        /** What stays the same when the stop comes again under another number (SESSION-A13), computed by the edge. */
        stopKey: string
      }
      /** One message of a transaction that the station numbers itself (2.0.1 TransactionEvent). */
      transactionEvent: {
        event: 'started' | 'updated' | 'ended'
        transactionId: string
        sequenceNumber: number
        trigger: string
        at: StationTime
        activity?: Activity | undefined
        evseId?: number | undefined
        connectorId?: number | undefined
        idToken?: IdTokenRef | undefined
        remoteStartId?: number | undefined
        reservationId?: number | undefined
        stoppedReason?: string | undefined
        samples: readonly Sample[]
        /** Present: the station takes limits in the answer (OCPP21-C3). */
        atStation?: ReportedTerms | undefined
        /** Hash of the payload (SESSION-B2). */
        digest: string
        verdict?: PartnerVerdict | undefined
      }
      remoteStartRequested: {
        sessionId: string
        evseId?: number | undefined
        connectorId?: number | undefined
        externalReference?: string | undefined
        /** The card that it is for. */
        idToken?: string | undefined
        limits?: SessionLimits | undefined
        /** Of the card. */
        tariff?: FrozenTariff | undefined
        priority?: number | undefined
        partner?: PartnerOfSession | undefined
        remoteStart: RemoteStart
      }
      remoteStartAnswered: {
        sessionId: string
        outcome: 'accepted' | 'rejected' | 'timeout' | 'dropped'
        transactionId?: string | undefined
      }
      remoteStopRequested: { sessionId: string }
      remoteStopAnswered: { sessionId: string; outcome: 'accepted' | 'rejected' | 'timeout' | 'dropped' }
      /** 2.0.1 GetTransactionStatus answered (SESSION-B5, SESSION-B12). */
      transactionStatusAnswered: { transactionId: string; ongoing?: boolean | undefined; messagesInQueue: boolean }
      /** A settlement or correction from the API (COST-L2, COST-L3, COST-CO3). Figures left out keep their value. */
      settled: {
        sessionId: string
        costMicros?: number | undefined
        currency?: string | undefined
        energyMilliWh?: number | undefined
      }
      /** TOKEN-Z6: with the charges of other charge points. */
      budgetUsedUp: { sessionId: string; reached: LimitReached }
      /** Time passed: remote starts expire, orphans close. */
      tick: unknown
      /** The registration is about to be deleted: the end of what is open will never be reported. */
      removed: unknown
    }>
  /** A vendor's message, perhaps with signed meter values in it. */
  | (DataTransferInput & { readonly signed?: SignedValuesSent | undefined })
  | SessionLimitsChanged
  | CostAnswered
  | PaymentSettled
  | VatNumberChecked
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
