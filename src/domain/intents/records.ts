/** What is desired of a charge point until it is so: one row per variable, key or other thing (INTENT-A1). */

import type { ReportedValue, VariableName } from '../device-model/records.ts'
import type { DailyHours } from '../records/daily-hours.ts'
import { flag, type InputsOf, integer, json, optional, type RecordOf, record, since, text } from '../records/record.ts'

/** What an intent can set. */
export const INTENT_KINDS = [
  'variable',
  'configurationKey',
  'monitor',
  'localList',
  'limit',
  'displayMessage',
  'firmware',
  'certificate',
  'securityProfile',
  'tariff',
] as const
export type IntentKind = (typeof INTENT_KINDS)[number]

/** From `pending` until it is so (`verified`) or is not tried any more (INTENT-A2). */
export const INTENT_STATES = [
  'pending',
  'sent',
  'applied',
  'verified',
  'rebootRequired',
  'rejected',
  'unsupported',
  'conflict',
  'expired',
] as const
export type IntentState = (typeof INTENT_STATES)[number]

/** When a charge point may be restarted so that what it accepted takes effect (CONFIG-A8). */
export type RebootPolicy = 'never' | 'onIdle' | 'window'

/** On whose behalf an intent is set. */
export interface IntentSource {
  readonly configuration?: string | undefined
  /** Of a monitor: all sets that contain it. */
  readonly monitors?: readonly string[] | undefined
  readonly rebootPolicy?: RebootPolicy | undefined
  readonly window?: DailyHours | undefined
}

/** With what its device model says of it, once it was sent. */
export interface IntendedVariable extends VariableName {
  /** It is a list whose order has no meaning (CONFIG-A5). */
  readonly isUnordered?: true | undefined
}

/** Desired settings of charge points, by charge point, kind and key. */
export const intents = record('intents', {
  key: ['chargePointId', 'kind', 'key'],
  columns: {
    chargePointId: text(),
    kind: text<IntentKind>(),
    key: text(),
    accountId: text(),
    /** The value; sealed where it is a secret. */
    desired: json<unknown>(),
    isSecret: flag(),
    /** Of the kinds that set a value in the device model. */
    variable: optional(json<IntendedVariable>()),
    revision: integer(),
    appliedRevision: optional(integer()),
    state: text<IntentState>(),
    reason: optional(text()),
    attempts: integer(),
    /** Of one that is `pending`: when it is sent. Of one that is `applied`: when it is read back. */
    nextAttemptAt: optional(integer()),
    expiresAt: optional(integer()),
    /** Public id of the command that carried it. */
    commandId: optional(text()),
    /** Firmware for which it was found impossible: with another one it is tried again. */
    firmwareVersion: optional(text()),
    /** When it was set again because the station had another value (CONFIG-A7). */
    drifts: json<readonly number[]>(),
    resetAt: optional(integer()),
    source: optional(json<IntentSource>()),
    updatedAt: integer(),
    /** Whose application it is of: it ends with the grant (OIDC-C13). */
    grantId: since(2, optional(text())),
  },
  indexes: [
    ['grantId'],
    ['state', 'expiresAt'],
    ['accountId', 'chargePointId', 'kind', 'key'],
    ['accountId', 'state', 'chargePointId', 'kind', 'key'],
    ['accountId', 'kind', 'chargePointId', 'key'],
    ['accountId', 'state', 'kind', 'chargePointId', 'key'],
  ],
  loadedWith: 'chargePoint',
  upgrades: [(older) => older],
})

export type Intent = RecordOf<typeof intents>

/** An order for an intent. */
export interface Want {
  readonly kind: IntentKind
  readonly key: string
  readonly desired: unknown
  readonly isSecret?: true | undefined
  readonly variable?: VariableName | undefined
  readonly expiresAt?: number | undefined
  readonly source?: IntentSource | undefined
  readonly grantId?: string | undefined
}

/** Names one intent of a charge point. */
export interface IntentName {
  readonly kind: IntentKind
  readonly key: string
}

/** An intent as a command carried it. */
export interface CarriedIntent extends IntentName {
  readonly revision: number
}

/** What the station said of one of them. */
export interface IntentAnswer {
  readonly outcome: 'accepted' | 'rebootRequired' | 'rejected' | 'unsupported'
  readonly reason?: string | undefined
  readonly monitorId?: number | undefined
  /** Rejected because the station has another monitor like it, or another tariff under its id. */
  readonly isDuplicate?: true | undefined
}

/** What a station was found to have; `unreadable`: it does not tell. */
export type FoundValue = { readonly value: string } | 'unreadable'

/** What happens to intents of one charge point; rules.ts decides what follows. */
export type IntentInput = InputsOf<{
  intentsRequested: { wants: readonly Want[] }
  intentsWithdrawn: { intents: readonly IntentName[] }
  /** What configurations and monitor sets desire among these names; what they no longer do is withdrawn (CONFIG-A4). */
  configurationsSettled: { wants: readonly Want[]; among: readonly string[] }
  intentsSent: {
    step: 'set' | 'read'
    intents: readonly CarriedIntent[]
    commandId: string
    /** Keys of those that are lists without an order. */
    unordered?: readonly string[] | undefined
  }
  intentsAnswered: { intents: readonly CarriedIntent[]; answers: Readonly<Record<string, IntentAnswer>> }
  /** The answer was missing or said nothing of them. `isUnsent`: the command never left. */
  intentsFailed: {
    step: 'set' | 'read'
    intents: readonly CarriedIntent[]
    reason: string
    isUnsent: boolean
  }
  intentsRead: {
    intents: readonly CarriedIntent[]
    found: Readonly<Record<string, FoundValue>>
    /** All values in the answer, for the device model. */
    reported?: { readonly batch: string; readonly values: readonly ReportedValue[] } | undefined
  }
  /** They cannot be sent to this station as it is (CONFIG-A6). */
  intentsJudged: { intents: readonly CarriedIntent[]; answers: Readonly<Record<string, IntentAnswer>> }
  /** A new connection was heard: what waits is due whatever was planned (INTENT-A5). */
  intentsReleased: unknown
  intentsOverdue: unknown
  resetSentForIntents: unknown
}>

/** Tariffs in the form in which stations reckon with them (OCPP21-C4). */

/** Prices in the currency's unit, without tax. The intent's key is the id under which the station keeps it. */
export interface DesiredTariff {
  readonly currency: string
  readonly perKwh: number
  /** Between start and stop. */
  readonly perMinute: number
  readonly perSession: number
  /** On top of `perMinute`. */
  readonly idlePerMinute: number
  readonly taxPercent?: number | undefined
  /** Nothing is idle before the first charging, which takes a condition to say. */
  readonly isIdleAfterCharging: boolean
  /** Only where it is another one: then the tariff is not sent. */
  readonly stationCurrency?: string | undefined
  /** No longer desired: the station is to forget it. */
  readonly clear?: true | undefined
}

/** What the answer to a card may carry: the id under which the station knows it, and its content. */
export interface DriverTariff {
  readonly id: string
  readonly desired: DesiredTariff
}
