/** Storage of webhooks, tariffs and settlements. What an event causes is stored with the event (HOOK-F3). */

import type { StoredOf } from '../resources/field.ts'
import type { fields, TariffRates } from '../tariffs/fields.ts'
import type { FrozenTariff } from './sessions.ts'

/** One logical event (HOOK-W5 to HOOK-W7); the body's bytes never change. */
export interface EventRecord {
  readonly id: string
  readonly accountId: string
  readonly type: string
  readonly subject: string
  /** Who may see this charge point may see the event. */
  readonly chargePointId: string
  /** `figures` matter until newer ones come (HOOK-M4); `updates: transitions` leaves them out. */
  readonly kind: 'transition' | 'settlement' | 'figures'
  readonly time: number
  readonly body: string
  /** The command rows that caused it (HOOK-B2 cause chain). */
  readonly causes: readonly number[]
}

/** An event with the keys by which its deliveries are ordered and replaced (domain/ports/storage-webhooks.ts). */
export interface NewEvent extends Omit<EventRecord, 'body'> {
  /** JSON; its envelope is made around it (domain/events/emission.ts). */
  readonly data: string
  readonly orderKey: string
  readonly coalesceKey?: string | undefined
  /** Subscriptions of the account that are sent it whatever they chose. */
  readonly alsoTo?: readonly string[] | undefined
}

/** One signing secret, encrypted. */
export interface SealedSecret {
  readonly sealed: string
  /** Set when a newer one took over: both sign until then. */
  readonly expiresAt?: number | undefined
}

/** A new secret takes over; until the overlap ends the newest of those before signs as well. */
export interface SecretRotation {
  readonly sealed: string
  readonly at: number
  readonly overlapMs: number
}

/** `revoked`: it ended with the grant that owns it, and does not come back. */
export type SubscriptionStatus = 'active' | 'disabled' | 'revoked'

/** `gone`: 410 was answered; `failing`: HOOK-R5; `owner`: by request; `operator`: a grant's, by the account. */
export type DisabledReason = 'gone' | 'failing' | 'owner' | 'operator'

/** A webhook: where events are sent, which ones, and how its receiver has answered of late. */
export interface Subscription {
  readonly id: string
  readonly accountId: string
  /** Owned by a grant; absent: by the account (HOOK-S3). */
  readonly grantId?: string | undefined
  /** Pushes to this roaming partner (OCPI-A2): shown with it, and no webhook of an owner. */
  readonly partnerId?: string | undefined
  readonly url: string
  readonly description?: string | undefined
  /** Names of the event types that it is sent (HOOK-E2). */
  readonly events: readonly string[]
  readonly updates: 'all' | 'transitions'
  /** HOOK-W8; absent: our own. Fixed at creation, since the secret is written for it. */
  readonly signatureScheme?: 'standard-webhooks' | undefined
  /** HOOK-S6: the receiver consented to deliveries; absent: it was not asked. */
  readonly verify?: 'cloudevents' | undefined
  readonly ratePerMinute?: number | undefined
  readonly chargePointIds?: readonly string[] | undefined
  readonly status: SubscriptionStatus
  readonly disabledReason?: DisabledReason | undefined
  readonly disabledAt?: number | undefined
  /** Newest first. */
  readonly secrets: readonly SealedSecret[]
  readonly consecutiveFailures: number
  readonly attemptsSinceSuccess: number
  /** The first failure since the last success (HOOK-R5). */
  readonly failingSince?: number | undefined
  readonly lastSuccessAt?: number | undefined
  readonly lastError?: string | undefined
  /** Retry-After holds everything back (HOOK-R2) but what is ordered singly (HOOK-R8). May be over. */
  readonly pausedUntil?: number | undefined
  /** How long the pause was to last (HOOK-F7). */
  readonly pausedForMs?: number | undefined
  /** How long its answers take of late (HOOK-F1). */
  readonly answerMs?: number | undefined
  readonly createdAt: number
}

/** The account itself, or one grant of it; neither sees the other's. */
export interface SubscriptionOwner {
  readonly accountId: string
  readonly grantId?: string | undefined
}

/** What its owner sets of a webhook. */
export interface SubscriptionChange
  extends ChangeOf<
    Pick<Subscription, 'url' | 'description' | 'events' | 'updates' | 'verify' | 'ratePerMinute' | 'chargePointIds'>
  > {
  readonly rotation?: SecretRotation | undefined
}

/** `held`: its webhook is disabled (HOOK-R5). `superseded`: a newer event took its place (HOOK-M4). */
export type DeliveryState = 'pending' | 'in_flight' | 'succeeded' | 'failed' | 'held' | 'superseded' | 'cancelled'

/** One event on its way to one webhook. */
export interface Delivery {
  readonly id: string
  readonly subscriptionId: string
  readonly eventId: string
  readonly type: string
  readonly subject: string
  readonly kind: EventRecord['kind'] | 'test'
  readonly state: DeliveryState
  readonly attempts: number
  readonly dueAt: number
  /** A test, or a redelivery: leaves first, and goes through a pause (HOOK-R8). Until its next attempt. */
  readonly ordered: boolean
  readonly createdAt: number
  readonly finishedAt?: number | undefined
}

/** Why an attempt got no answer, or one that could not be used. */
export type AttemptError =
  | 'timeout'
  | 'connect_failed'
  | 'name_not_resolved'
  | 'address_refused'
  | 'tls_failed'
  | 'connection_lost'
  | 'malformed_answer'
  | 'redirect'
  | 'status'
  | 'interrupted'

/** One HTTP request to a receiver and what came of it; `error` or `status` says it. */
export interface Attempt {
  readonly number: number
  readonly at: number
  readonly durationMs: number
  readonly url: string
  readonly status?: number | undefined
  readonly error?: AttemptError | undefined
  /** Of a redirect, which is never followed (HOOK-R2). */
  readonly location?: string | undefined
  /** First 16 KiB of the answer. */
  readonly answer?: string | undefined
  /** As sent, the signature redacted. */
  readonly requestHeaders: Readonly<Record<string, string>>
}

/** A delivery that is ours to send now. */
export interface ClaimedDelivery
  extends Pick<Delivery, 'id' | 'subscriptionId' | 'eventId' | 'attempts' | 'type' | 'kind' | 'subject'>,
    Pick<Subscription, 'accountId' | 'partnerId' | 'url' | 'signatureScheme' | 'secrets'> {
  /** Attempts that belong to an earlier schedule (HOOK-R8). */
  readonly earlierAttempts: number
  readonly body: string
}

/** Due deliveries are claimed for sending, so that no other node sends them. */
export interface ClaimOrder {
  readonly now: number
  /** After this the claim is void and the delivery due again (HOOK-F4). */
  readonly leaseUntil: number
  readonly after?: string | undefined
}

/** What was handed out. */
export interface Claims {
  readonly deliveries: readonly ClaimedDelivery[]
  /** Subscriptions that ended with their grants (HOOK-S3): to be aligned. */
  readonly revoked: readonly string[]
  readonly last?: string | undefined
}

/** What an attempt means for its delivery. */
export interface FinishedAttempt {
  readonly deliveryId: string
  readonly subscriptionId: string
  readonly attempt: Attempt
  readonly state: 'succeeded' | 'pending' | 'failed' | 'gone'
  /** Of `pending`. What lies between the time of recording and this one is what was planned (HOOK-F7). */
  readonly dueAt?: number | undefined
  readonly pausedUntil?: number | undefined
}

/** A webhook that was disabled, and why. */
export interface DisabledSubscription {
  readonly id: string
  readonly reason: DisabledReason
}

/** A page of the deliveries of one webhook. */
export interface DeliveryQuery {
  readonly subscriptionId: string
  readonly state?: DeliveryState | undefined
  /** Of these charge points, and tests; all unless given. */
  readonly chargePointIds?: readonly string[] | undefined
  /** Newest first, strictly below this position. */
  readonly belowPosition?: number | undefined
  readonly limit: number
}

/** A delivery with its place in the list, which is the cursor of the next page. */
export interface ListedDelivery extends Delivery {
  readonly position: number
}

/** How much waits, of all accounts: for /metrics and health. */
export interface DeliveryStatistics {
  readonly due: number
  /** For the time of their next attempt. */
  readonly waiting: number
  readonly inFlight: number
  readonly held: number
  readonly oldestDueAt?: number | undefined
}

/** A page of the events of an account, the oldest first. */
export interface EventQuery {
  readonly accountId: string
  /** Absent: all of the account. */
  readonly chargePointIds?: readonly string[] | undefined
  readonly type: string
  readonly afterId?: string | undefined
  /** Recorded at or after this time. */
  readonly from?: number | undefined
  readonly limit: number
}

/** COST-L5: append-only; the session's figures are those of its last entry. */
export interface SettlementEntry {
  readonly sessionId: string
  readonly number: number
  readonly costMicros?: number | undefined
  readonly currency?: string | undefined
  readonly energyMilliWh: number
  readonly at: number
  readonly by: string
  readonly reason?: string | undefined
}

/** The current version; sessions that run keep the one they started with. */
export type Tariff = FrozenTariff & StoredOf<typeof fields> & { readonly accountId: string }

export type { TariffRates }

/** Orders of owners, and the work of the delivery loop. `undefined`: it does not exist. */
export interface WebhookWrites {
  createSubscription(subscription: Subscription, limit: number): Promise<'created' | 'exists' | 'too_many'>
  /** `null` removes. A changed URL ends the probing of HOOK-R6 and a pause. */
  updateSubscription(id: string, change: SubscriptionChange): Promise<Subscription | 'exists' | undefined>
  /** Gone at once; what is not sent yet is cancelled in steps (HOOK-F5). */
  deleteSubscription(id: string, now: number): Promise<boolean>
  disableSubscription(id: string, reason: DisabledReason, at: number): Promise<Subscription | undefined>
  /** Held deliveries become due, or are cancelled (HOOK-R5). `limit` is the most active ones of an owner (HOOK-S2). */
  enableSubscription(
    id: string,
    resume: 'held' | 'skip',
    now: number,
    limit: number,
  ): Promise<Subscription | 'too_many' | undefined>
  /** Due now, under its old id (HOOK-W7), with the whole schedule before it, and through a pause (HOOK-R8). */
  redeliver(subscriptionId: string, deliveryId: string, now: number): Promise<Delivery | 'busy' | undefined>
  /** Makes finished deliveries of events between `from` and `to` due again, with whole schedules; says how many. */
  replayDeliveries(order: {
    readonly subscriptionId: string
    readonly from: number
    readonly to: number
    readonly state?: DeliveryState | undefined
    readonly now: number
  }): Promise<number>
  /** An event for one subscription only, outside the feed (HOOK-S4). */
  createTestDelivery(subscriptionId: string, event: EventRecord, now: number): Promise<Delivery | undefined>
  claimDeliveries(order: ClaimOrder): Promise<Claims>
  /** @returns the subscriptions that these attempts disabled (HOOK-R5): to be aligned */
  finishAttempts(finished: readonly FinishedAttempt[], now: number): Promise<readonly DisabledSubscription[]>
  /**
   * In steps: what waits is held while its webhook is disabled, due with a whole schedule when it is active, cancelled
   * after its end. Of all webhooks, deleted ones included, unless one is named: a kill may have interrupted.
   */
  alignDeliveries(now: number, subscriptionId?: string): Promise<void>
  /**
   * HOOK-F7: after the clock was put back, in steps: due times and pauses move earlier by as much, never later than
   * planned, counted from now. At a start `backMs` is 0: unknown.
   */
  pullInDeliveries(order: { readonly now: number; readonly backMs: number }): Promise<void>
  /** In flight is due, its attempt counted (HOOK-F4): these at an orderly end, all when a lone server starts. */
  releaseDeliveries(now: number, ids?: readonly string[]): Promise<number>
  /** Deletes at most `limit` rows that are past their time (HOOK-F6) and says how many. */
  deleteOldDeliveries(now: number, limit: number): Promise<number>
  createTariff(tariff: Tariff): Promise<'created' | 'exists'>
  /** @param isWhole members that are absent are removed */
  updateTariff(
    accountId: string,
    id: string,
    values: TariffRates,
    at: number,
    isWhole?: boolean,
  ): Promise<Tariff | undefined>
  deleteTariff(accountId: string, id: string, at: number): Promise<boolean>
}

/** Lists and look-ups of webhooks, events, settlements and tariffs. */
export interface WebhookReads {
  listSubscriptions(owner: SubscriptionOwner): Promise<readonly Subscription[]>
  /** Those that grants of the account own, revoked ones aside; by id, ascending. */
  listGrantSubscriptions(query: {
    readonly accountId: string
    readonly afterId?: string | undefined
    readonly limit: number
  }): Promise<readonly Subscription[]>
  findSubscription(id: string): Promise<Subscription | undefined>
  /** Newest first. */
  listDeliveries(query: DeliveryQuery): Promise<readonly ListedDelivery[]>
  findDelivery(
    subscriptionId: string,
    id: string,
  ): Promise<
    { readonly delivery: Delivery; readonly event: EventRecord; readonly attempts: readonly Attempt[] } | undefined
  >
  deliveryStatistics(now: number): Promise<DeliveryStatistics>
  /** Oldest first; `unknown` when there is no event `afterId` (any more). */
  listEvents(query: EventQuery): Promise<readonly EventRecord[] | 'unknown'>
  /** Oldest first. */
  listSessionEvents(sessionId: string): Promise<readonly EventRecord[]>
  listSettlements(sessionId: string): Promise<readonly SettlementEntry[]>
  /** By id, ascending. */
  listTariffs(accountId: string): Promise<readonly Tariff[]>
  findTariff(accountId: string, id: string): Promise<Tariff | undefined>
}

/** A change of a record: what is given replaces what was, `null` removes an optional attribute. */
export type ChangeOf<Record> = {
  readonly [Name in keyof Record]?: Record[Name] | (undefined extends Record[Name] ? null : never) | undefined
}

/** Whose id the subject of an event is; the API shows it under the name that this thing has everywhere. */
export type EventSubject = 'session' | 'chargePoint'

/** One event as the decision that causes it says it; id, time and place are added when it is recorded. */
export interface EventData {
  /** A name of the registry (src/domain/events/registry.ts), such as `session.updated`. */
  readonly type: string
  /** Id of the session or charge point that it is about. */
  readonly subject: string
  /** Of events with one key a subscription is sent one at a time, the oldest first (HOOK-F2). */
  readonly orderKey: string
  /** It replaces untried `figures` of its type, subject and this key (HOOK-M4). Absent: nothing. */
  readonly coalesceKey?: string | undefined
  /** As it is sent; the declaration's schema describes it. */
  readonly data: unknown
  /** As in `NewEvent`. */
  readonly alsoTo?: readonly string[] | undefined
}
