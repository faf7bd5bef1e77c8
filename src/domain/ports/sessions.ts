/** Immutable records of the domain. Energy in milli-Wh, money in micro-units, times in ms since the epoch (UTC). */

import type { PartnerOfSession, SealedLocation } from '../partners/records.ts'
import type { Settlement, VatNumberCheck } from '../payments/records.ts'
import type { KnownRecords } from '../records/records.ts'
import type { StationLimits, StationTerms } from '../sessions/limits/records.ts'
import type { PublicKeyText } from '../signed-values/records.ts'
import type { END_REASONS, SESSION_STATES } from '../states.ts'
import type { TariffRates } from '../tariffs/fields.ts'
import type { Authorisation, Budget, ChargeLimits, IdTokenRef } from './id-tokens.ts'

export type SessionState = (typeof SESSION_STATES)[number]
export type EndReason = (typeof END_REASONS)[number]

/** SESSION-S2: internal findings, shown on the timeline, never in the Session body. */
export type Flag =
  | 'inferred'
  | 'inferredTx'
  | 'meterAnomaly'
  | 'estimated'
  | 'conflict'
  | 'suspect'
  | 'recovered'
  | 'incomplete'
  | 'badClock'
  | 'historical'
  | 'unknownConnector'
  | 'unrelatedStopToken'
  | 'late'

/** A charge point's own time, repaired (ENERGY-W1, ENERGY-W2). `occurredAt` is the one to use. */
export interface StationTime {
  readonly occurredAt: number
  readonly receivedAt: number
  /** The text as the charge point sent it; absent when it sent none. */
  readonly original?: string | undefined
  /** The original was unusable or impossible and `occurredAt` is our receipt time. */
  readonly repaired?: true | undefined
  /** The charge point says that the message waited until it was connected. */
  readonly isQueued?: true | undefined
}

/** One sampled value as it crossed the wire, with the version's defaults filled in; sessions/energy judges it. */
export interface Sample {
  readonly at: StationTime
  /** Text as sent ("12.3", "NaN", "OCMF|…"); a JSON number is turned into text without loss. */
  readonly value: string
  readonly measurand: string
  readonly context: string
  readonly location: string
  readonly phase?: string | undefined
  readonly unit: string
  /** Power of ten (2.0.1 unitOfMeasure.multiplier); 0 otherwise. */
  readonly multiplier: number
  /** Signed meter data, byte-exact (ENERGY-N5). */
  readonly signed?: SignedData | undefined
}

/** Those of its order and of its card, as they were when it began (SESSION-L2). */
export interface SessionLimits extends ChargeLimits {
  /** It counts for the budget of this card, in lower case. */
  readonly budgetOf?: string | undefined
  /** In the day and month of this time, where it was heard of later; absent: when the session was made. */
  readonly budgetAt?: number | undefined
  /** Its messages come from a queue, and its end may be among them: until then no clock stops it. */
  readonly queuedUntil?: number | undefined
}

/** Why a charge was stopped: milli-watt-hours, micro-units or milliseconds. */
export interface LimitReached {
  readonly kind: 'energy' | 'cost' | 'duration'
  readonly limit: number
  readonly reached: number
  /** It was a budget. */
  readonly per?: Budget['per'] | undefined
}

/** A remote start that waits for its transaction (SESSION-A5, SESSION-O7, SESSION-O8). */
export interface RemoteStart {
  /** 1.6: the single-use virtual idTag we send; 2.0.1: the token we send. Upper case, at most 20 characters. */
  readonly virtualIdToken: string
  /** 2.0.1: positive int32, never reused. */
  readonly remoteStartId: number
  readonly groupId?: string | undefined
  /** The group is the card that it was ordered for, which has none of its own (SESSION-A5). */
  readonly isCardGroup?: true | undefined
  readonly requestedAt: number
  /** The session fails (`expired`) when nothing matched by then. */
  readonly expiresAt: number
  readonly matched?: true | undefined
}

/** What only the transaction of a remote start can know: our single-use token, or our number. */
export type RemoteStartSign = { readonly virtualIdToken: string } | { readonly remoteStartId: number }

/** Where the energy of a session stood: station time, milli-watt-hours. */
export type CoursePoint = readonly [at: number, energyMilliWh: number]

/** A tariff version frozen at session start (COST-CO1, COST-L1). */
export interface FrozenTariff extends TariffRates {
  readonly tariffId: string
  readonly version: number
  /** Whose wall clock its elements mean (TARIFF-A1). */
  readonly timeZone?: string | undefined
  /** Added to its prices; absent: not known here. */
  readonly taxPercent?: number | undefined
  /** Of the card: it goes before those of places (TARIFF-A1). */
  readonly isOfDriver?: true | undefined
}

/** What the API and the webhooks show, plus the internal facts behind it. */
export interface Session {
  readonly id: string
  readonly accountId: string
  readonly chargePointId: string
  readonly state: SessionState
  readonly energyMilliWh: number
  readonly externalReference?: string | undefined
  readonly cost?: { readonly micros: number; readonly currency: string } | undefined
  readonly settlementCount?: number | undefined
  readonly startedAt?: number | undefined
  readonly stoppedAt?: number | undefined
  readonly createdAt: number
  /** Rises with every change of the public representation: the weak ETag (API-G2). */
  readonly version: number

  readonly evseId?: number | undefined
  readonly connectorId?: number | undefined
  /** The card it was ordered for, or that its transaction began with (CONSOLE-C2); never a token of our own. */
  readonly idToken?: string | undefined
  readonly transactionId?: string | undefined
  readonly endReason?: EndReason | undefined
  readonly suspendedBy?: 'ev' | 'evse' | undefined
  readonly flags: readonly Flag[]
  readonly remoteStart?: RemoteStart | undefined
  /** A stop was first asked for at this time, or the remote start was cancelled (SESSION-S9). */
  readonly stopRequestedAt?: number | undefined
  /** It is sent again until then (SESSION-S10). Absent in older records: domain/sessions/orders/stop-request.ts. */
  readonly stopWantedUntil?: number | undefined
  /** When a stop was accepted or said to be under way, the newest; it only ends from then on (SESSION-S3). */
  readonly stopAcceptedAt?: number | undefined
  /** An operator settled the cost by hand: automatic corrections keep it (HOOK-M5). */
  readonly costFixed?: true | undefined
  readonly tariff?: FrozenTariff | undefined
  /** What its registers say, where that cannot have flowed and is not billed; until it is settled (ENERGY-N7). */
  readonly suspectMilliWh?: number | undefined
  /** Milliseconds spent suspended after the first charging, as far as the cost counts them. */
  readonly idleMs?: number | undefined
  /** Envelope time of this session's last event (HOOK-W6) and the state of its figure events (HOOK-M1 to HOOK-M3). */
  readonly lastEventAt?: number | undefined
  readonly figuresSentAt?: number | undefined
  readonly figuresDueAt?: number | undefined
  readonly limits?: SessionLimits | undefined
  /** Of its order, else of its card, where charges share what there is: greater first (GROUP-S2). */
  readonly priority?: number | undefined
  readonly limitReached?: LimitReached | undefined
  /** What its charge point acknowledged last that it shows (DRIVER-C2). */
  readonly shownCost?: { readonly micros: number; readonly at: number } | undefined
  /** Completed under an account that settles by itself: the next tick from then on settles it (COST-L4). */
  readonly settlementDueAt?: number | undefined
  /** OCPP 2.1: what its station enforces and reckons by itself. */
  readonly atStation?: StationTerms | undefined
  /** What its charge point reported of its payment, and when (OCPP21-C7). */
  readonly payment?: (Settlement & { readonly at: number }) | undefined
  /** Whose customer charges (OCPI-A3, OCPI-A4). */
  readonly partner?: PartnerOfSession | undefined
  /** Of a partner's customer: where it began, as it was then, and which settlement its newest CDR is of (OCPI-A5). */
  readonly place?: SealedLocation | undefined
  readonly billed?: number | undefined
}

/** Position in the station's order, station time, what it did from then on; more where others were folded into it. */
export type ActivityEntry = readonly [order: number, at: number, activity: Activity, folded?: FoldedActivities]

/** What an entry and those that followed it came to (SESSION-S7); domain/sessions/states/folded-activities.ts. */
interface FoldedActivities {
  /** Position, station time and activity of the last one. */
  readonly last: number
  readonly until: number
  readonly activity: Activity
  readonly chargedAt?: number | undefined
  /** End of the suspension that the first one began. It is in neither sum. */
  readonly opening?: number | undefined
  /** Milliseconds suspended until the first charging among them: idle if it had charged before. */
  readonly before: number
  /** Milliseconds suspended after it. */
  readonly after: number
  /** Begin of the suspension that lasts at the end. */
  readonly since?: number | undefined
}

/** The protocol's fact. Keyed by (chargePointId, transactionId); `meter` and `sequence` belong to their own rules. */
export interface Transaction<Meter = unknown> {
  readonly chargePointId: string
  readonly transactionId: string
  readonly sessionId: string
  readonly open: boolean
  readonly evseId?: number | undefined
  readonly connectorId?: number | undefined
  readonly idToken?: IdTokenRef | undefined
  readonly stopIdToken?: IdTokenRef | undefined
  /** Group of the token that started it: tokens of the same group may stop it (TOKEN-Z3). */
  readonly groupId?: string | undefined
  readonly startedAt: StationTime
  readonly stoppedAt?: StationTime | undefined
  readonly stopReason?: string | undefined
  readonly endedBy?: 'station' | 'orphanRule' | undefined
  /** The register as the station's stop named it; the start's own is in the meter (ENERGY-N4, SESSION-A14). */
  readonly stopRegisterMilliWh?: number | undefined
  /** What it did, in the station's own order; domain/sessions/states/activities.ts. */
  readonly activities?: readonly ActivityEntry[] | undefined
  /** OCPP-DR7: business key of the start, and what was answered to it. */
  readonly startKey?: string | undefined
  readonly startOutcome?: Outcome | undefined
  readonly startMessageId?: string | undefined
  /** Digest of the stop's facts: tells an equal repetition from a conflicting one (SESSION-A12). */
  readonly stopDigest?: string | undefined
  /** SESSION-B2 to SESSION-B5: sequence numbers seen, as sorted inclusive ranges, with the newest messages' digests. */
  readonly sequence?:
    | {
        readonly ranges: readonly (readonly [number, number])[]
        readonly digests: readonly (readonly [number: number, digest: string])[]
        readonly highest: number
        readonly ended?: number | undefined
        /** Station time of the newest event: decides where a number was used twice. */
        readonly newestAt?: number | undefined
        /** Where the count began again (SESSION-B2): its numbers stand in the order from `base` on, since `began`. */
        readonly base?: number | undefined
        readonly began?: number | undefined
        /** The count before that; of those before it nothing is kept. */
        readonly before?:
          | {
              readonly ranges: readonly (readonly [number, number])[]
              readonly base: number
              readonly began?: number | undefined
            }
          | undefined
      }
    | undefined
  readonly meter: Meter
  /** Only where its tariff has elements; domain/sessions/figures/course.ts. */
  readonly course?: readonly CoursePoint[] | undefined
  readonly lastSignOfLifeAt: number
  readonly suspectSince?: number | undefined
  /** SESSION-B5: the station said that messages of it still wait in its queue; the orphan rule waits until then. */
  readonly queueExpectedUntil?: number | undefined
  /** The one that had this number before; domain/sessions/transactions/samples.ts. */
  readonly earlier?: EarlierTransaction | undefined
  /** Station time of the start that closed it (SESSION-A6). */
  readonly followedAt?: number | undefined
  readonly authorised: boolean
  readonly flags: readonly Flag[]
}

/** A transaction that gave up its number to another one (SESSION-B1). */
export interface EarlierTransaction {
  /** The key it is kept under now. */
  readonly transactionId: string
  /** Station time: what was said later is about the transaction that has the number now. */
  readonly until: number
  /** It spoke of times beyond that (a clock set back since): up to then digests tell its own messages. */
  readonly overlapsUntil?: number | undefined
}

/** Newest status of one connector. 1.6: connectorId only (0 = the station); 2.0.1: evseId and connectorId. */
export interface Connector {
  readonly evseId?: number | undefined
  readonly connectorId: number
  readonly status: string
  readonly errorCode?: string | undefined
  readonly vendorErrorCode?: string | undefined
  readonly info?: string | undefined
  readonly updatedAt: number
  /** `updatedAt` is by the station's clock and not by ours. Not stored: what was read back believes whatever comes. */
  readonly byStation?: true | undefined
}

/** What it says of itself when it boots. */
export interface NamePlate {
  readonly vendor?: string | undefined
  readonly model?: string | undefined
  readonly serialNumber?: string | undefined
  readonly firmwareVersion?: string | undefined
}

/** What the charge point reported about itself; written by the core only. */
export interface ChargePointStatus extends NamePlate {
  readonly protocol?: string | undefined
  /** The last BootNotification that was answered Accepted (OCPP-DR9, OCPP-DR10). */
  readonly bootedAt?: number | undefined
  readonly lastSeenAt?: number | undefined
  /** ENERGY-N3: this station's MeterValues count from the start of the session. */
  readonly relativeMeter?: boolean | undefined
  /** Milliseconds that its clock was ahead of ours when it changed last; negative: behind (ENERGY-W3). */
  readonly clockAheadMs?: number | undefined
}

/** Everything a decision about one charge point may read. Maps are never mutated by decisions. */
export interface ChargePointState {
  readonly chargePointId: string
  readonly accountId: string
  readonly registrationStatus: 'Accepted' | 'Pending' | 'Rejected'
  /** CERT-C13; absent: `contains`. */
  readonly subjectCheck?: 'contains' | 'exact' | 'off' | undefined
  readonly status: ChargePointStatus
  /** Keyed by `connectorKey`. */
  readonly connectors: ReadonlyMap<string, Connector>
  /** Open ones, and whatever `lookups` asked for. Keyed by transactionId. */
  readonly transactions: ReadonlyMap<string, Transaction>
  /** Sessions of those transactions and every non-terminal one. Keyed by id. */
  readonly sessions: ReadonlyMap<string, Session>
  /** Of blocks: those that are loaded with their charge point. */
  readonly records: KnownRecords
}

/** What the state machine sees in a connector status or a chargingState, whatever the version calls it. */
export type Activity =
  | 'available'
  | 'preparing'
  | 'charging'
  | 'suspendedEv'
  | 'suspendedEvse'
  | 'finishing'
  | 'connected'
  | 'idle'
  | 'reserved'
  | 'unavailable'
  | 'faulted'
  | 'other'

/** What the answer to the charge point (or to the API) is made of. */
export interface Outcome {
  readonly authorisation?: Authorisation | undefined
  /** Given by us for `started`. */
  readonly transactionId?: string | undefined
  readonly registration?: 'Accepted' | 'Pending' | 'Rejected' | undefined
  readonly sessionId?: string | undefined
  /** SESSION-B8, COST-CO2: the amount that the session shows; 0 = nothing to pay, absent = unknown. */
  readonly totalCost?: number | undefined
  /** OCPP21-B4: the same with tax; absent: no rate of tax is known. */
  readonly grossCost?: number | undefined
  /** OCPP21-C3: what the station is to enforce from now on. */
  readonly transactionLimit?: StationLimits | undefined
  /** Whether a certificate is going to be made (CERT-C1). */
  readonly signing?: { readonly isAccepted: boolean; readonly reason?: string | undefined } | undefined
  readonly reportId?: number | undefined
  /** TIMELINE-T1: what a vendor's message is answered. */
  readonly transfer?: { readonly status: string; readonly data?: unknown } | undefined
  /** The present limit of a Dynamic profile; absent: it is none of ours (OCPP21-C2). */
  readonly scheduleLimit?: number | undefined
  /** OCPP21-C7: of a payment that was settled, if we make receipts. */
  readonly receipt?: { readonly id?: string | undefined; readonly url: string } | undefined
  /** OCPP21-C8: absent where no service is asked. */
  readonly vatNumberCheck?: VatNumberCheck | undefined
  /** The API's inputs may be refused: the code of the problem, e.g. `session_ended`. */
  readonly refused?: string | undefined
}

/** Signed meter data as a message carries it; what is kept of it is a record (domain/signed-values/records.ts). */
export type { PublicKeyText }

/** Every text byte for byte as it was sent (ENERGY-N5, SIGNED-F1). */
export interface SignedData {
  readonly data: string
  /** Of context and data: equal for the same value sent again. */
  readonly digest: string
  readonly encodingMethod?: string | undefined
  readonly signingMethod?: string | undefined
  /** Absent: the station sent none, or an empty one. Then it is the meter's (SIGNED-K1). */
  readonly publicKey?: PublicKeyText | undefined
}
