import { integer, json, optional, type RecordOf, record, since, text } from '../records/record.ts'
import type { Selector } from '../records/selector.ts'

/** What a rule can watch, as the API spells it; alert-kinds.ts says what each means (ALERT-R1). */
export const ALERT_KINDS = [
  'offline',
  'faulted',
  'errorRate',
  'sessionWithoutEnergy',
  'webhookFailing',
  'disk',
  'clock',
  'certificateFailed',
] as const

export type AlertKind = (typeof ALERT_KINDS)[number]

/** The recipient: an address for mail, or a webhook of the same account. */
export type AlertTarget = { readonly mail: string } | { readonly webhookId: string }

/** Every day from `from` to `to`, which may lie on the next day; `HH:MM` by the clocks of the time zone. */
export interface QuietHours {
  readonly from: string
  readonly to: string
  readonly timeZone: string
}

/** Further recipients, notified when the alert was not acknowledged so long after it was raised (ALERT-R9). */
export interface Escalation {
  readonly afterSeconds: number
  readonly targets: readonly AlertTarget[]
}

/** What is watched, and who is notified. Deleting a rule leaves the alerts that it raised. */
export const alertRules = record('alert_rules', {
  key: ['accountId', 'id'],
  columns: {
    accountId: text(),
    id: text(),
    name: text(),
    kind: text<AlertKind>(),
    selector: optional(json<Selector>()),
    /** Absent: the default of the kind. */
    afterSeconds: optional(integer()),
    targets: json<readonly AlertTarget[]>(),
    quietHours: optional(json<QuietHours>()),
    createdAt: integer(),
    updatedAt: integer(),
    escalation: since(2, optional(json<Escalation>())),
  },
  upgrades: [(older) => older],
})

export type AlertRule = RecordOf<typeof alertRules>

/** What an alert is about, as far as its kind has it. */
export interface AlertFacts {
  readonly stationId?: string | undefined
  readonly stationName?: string | undefined
  readonly site?: string | undefined
  readonly sessionId?: string | undefined
  readonly webhookId?: string | undefined
  readonly url?: string | undefined
  readonly errorCode?: string | undefined
  /** Of the connectors that are faulted; 0 is the station itself. */
  readonly connectors?: readonly number[] | undefined
  readonly reason?: string | undefined
  readonly percent?: number | undefined
  readonly mebibytes?: number | undefined
  readonly diskHolds?: 'database' | 'files' | undefined
  readonly seconds?: number | undefined
}

/** It outlives its rule, and its station. */
export const alerts = record('alerts', {
  key: ['accountId', 'id'],
  columns: {
    accountId: text(),
    id: text(),
    ruleId: text(),
    ruleName: text(),
    kind: text<AlertKind>(),
    /** Distinguishes the alerts of a rule: id of the station, session or webhook; empty for the server. */
    about: text(),
    state: text<'raised' | 'cleared'>(),
    since: integer(),
    raisedAt: integer(),
    clearedAt: optional(integer()),
    facts: json<AlertFacts>(),
    /** When the targets of its rule's escalation were notified. */
    escalatedAt: since(2, optional(integer())),
  },
  indexes: [['accountId', 'state', 'id'], ['accountId', 'clearedAt'], ['state'], ['clearedAt']],
  age: 'clearedAt',
  upgrades: [(older) => older],
})

export type Alert = RecordOf<typeof alerts>

/** An operator takes care of the alert. Beside it, so that nothing that happens to the alert overwrites this. */
export const alertAcknowledgements = record('alert_acknowledgements', {
  key: ['accountId', 'alertId'],
  columns: {
    accountId: text(),
    alertId: text(),
    at: integer(),
    /** Who, as the audit log names them. */
    by: text(),
  },
  indexes: [['at']],
  age: 'at',
  writtenOnce: true,
})

export type AlertAcknowledgement = RecordOf<typeof alertAcknowledgements>

/** Care of what a charge point has had by then, watched or not (CONSOLE-A23); what begins later needs it again. */
export const stationCare = record('station_care', {
  key: ['chargePointId'],
  columns: {
    chargePointId: text(),
    at: integer(),
    by: text(),
  },
})

export type StationCare = RecordOf<typeof stationCare>

/** One line of a mail that is still to be sent (ALERT-M2). */
export const alertNotices = record('alert_notices', {
  key: ['id'],
  columns: {
    id: text(),
    accountId: text(),
    mail: text(),
    what: text<'begins' | 'escalates' | 'ends'>(),
    dueAt: integer(),
    attempts: integer(),
    createdAt: integer(),
    alert: json<Alert>(),
  },
  indexes: [['dueAt'], ['createdAt']],
  age: 'createdAt',
})

export type AlertNotice = RecordOf<typeof alertNotices>

/** When an address was last written to about a rule: what follows soon after waits for the next mail (ALERT-M7). */
export const alertMailings = record('alert_mailings', {
  key: ['accountId', 'ruleId', 'mail'],
  columns: {
    accountId: text(),
    ruleId: text(),
    mail: text(),
    sentAt: integer(),
  },
  indexes: [['sentAt']],
  age: 'sentAt',
})

export type AlertMailing = RecordOf<typeof alertMailings>
