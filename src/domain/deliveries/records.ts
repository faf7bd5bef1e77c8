/** Webhooks, and what else is stored beside their deliveries. Times are milliseconds since the epoch. */
import { integer, json, optional, type RecordOf, table, text } from '../records/record.ts'

/** One signing secret, encrypted. */
export interface SealedSecret {
  readonly sealed: string
  /** Set when a newer one took over: both sign until then. */
  readonly expiresAt?: number | undefined
}

/** `revoked`: it ended with the grant that owns it, and does not come back. */
export type SubscriptionStatus = 'active' | 'disabled' | 'revoked'

/** `gone`: 410 was answered; `failing`: HOOK-R5; `owner`: by request; `operator`: a grant's, by the account. */
export type DisabledReason = 'gone' | 'failing' | 'owner' | 'operator'

/** A webhook: where events are sent, which ones, and how its receiver has answered of late. */
export const subscriptions = table({
  id: text(),
  accountId: text(),
  /** Owned by a grant; absent: by the account (HOOK-S3). */
  grantId: optional(text()),
  /** Pushes to this roaming partner (OCPI-A2): shown with it, and no webhook of an owner. */
  partnerId: optional(text()),
  url: text(),
  description: optional(text()),
  /** Names of the event types that it is sent (HOOK-E2). */
  events: json<readonly string[]>(),
  updates: text<'all' | 'transitions'>(),
  /** HOOK-W8; absent: our own. Fixed at creation, since the secret is written for it. */
  signatureScheme: optional(text<'standard-webhooks'>()),
  /** HOOK-S6: the receiver consented to deliveries; absent: it was not asked. */
  verify: optional(text<'cloudevents'>()),
  ratePerMinute: optional(integer()),
  chargePointIds: optional(json<readonly string[]>()),
  status: text<SubscriptionStatus>(),
  disabledReason: optional(text<DisabledReason>()),
  disabledAt: optional(integer()),
  /** Newest first. */
  secrets: json<readonly SealedSecret[]>(),
  consecutiveFailures: integer(),
  attemptsSinceSuccess: integer(),
  /** The first failure since the last success (HOOK-R5). */
  failingSince: optional(integer()),
  lastSuccessAt: optional(integer()),
  lastError: optional(text()),
  /** Retry-After holds everything back (HOOK-R2) but what is ordered singly (HOOK-R8). May be over. */
  pausedUntil: optional(integer()),
  /** How long the pause was to last (HOOK-F7). */
  pausedForMs: optional(integer()),
  /** How long its answers take of late (HOOK-F1). */
  answerMs: optional(integer()),
  createdAt: integer(),
})
export type Subscription = RecordOf<typeof subscriptions>

/** COST-L5: append-only; the session's figures are those of its last entry. */
export const settlements = table({
  sessionId: text(),
  number: integer(),
  costMicros: optional(integer()),
  currency: optional(text()),
  energyMilliWh: integer(),
  at: integer(),
  by: text(),
  reason: optional(text()),
})
export type SettlementEntry = RecordOf<typeof settlements>
