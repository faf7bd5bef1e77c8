import { integer, json, optional, type RecordOf, record, since, text } from '../records/record.ts'
import type { Selector } from '../records/selector.ts'
import { oneLine } from '../typed-text.ts'

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

/** Of the mails about alerts. */
export type Language = 'en' | 'de'

interface KindWords {
  readonly title: string
  readonly reported: (facts: AlertFacts) => string
}

/** Titles and sentences of mails and pages, for each kind. */
export const WORDS: Readonly<Record<AlertKind, Readonly<Record<Language, KindWords>>>> = {
  offline: {
    en: { title: 'Offline', reported: (facts) => `${station(facts)} is offline` },
    de: { title: 'Offline', reported: (facts) => `${station(facts)} ist offline` },
  },
  faulted: {
    en: { title: 'Faulted', reported: (facts) => `${station(facts)} is faulted${fault(facts, 'connector')}` },
    de: { title: 'Gestört', reported: (facts) => `${station(facts)} ist gestört${fault(facts, 'Anschluss')}` },
  },
  errorRate: {
    en: {
      title: 'Error rate',
      reported: ({ percent }) => `${percent ?? 0} % of the messages of charge points are answered with an error`,
    },
    de: {
      title: 'Fehlerquote',
      reported: ({ percent }) =>
        `${percent ?? 0} % der Nachrichten von Ladepunkten werden mit einem Fehler beantwortet`,
    },
  },
  sessionWithoutEnergy: {
    en: {
      title: 'Session without energy',
      reported: (facts) => `${station(facts)} charges without energy (session ${named(facts.sessionId)})`,
    },
    de: {
      title: 'Ladevorgang ohne Energie',
      reported: (facts) => `${station(facts)} lädt ohne Energie (Ladevorgang ${named(facts.sessionId)})`,
    },
  },
  webhookFailing: {
    en: { title: 'Webhook failing', reported: ({ url }) => `The webhook ${named(url)} cannot be delivered to` },
    de: { title: 'Webhook gestört', reported: ({ url }) => `Der Webhook ${named(url)} ist nicht zustellbar` },
  },
  disk: {
    en: {
      title: 'Disk',
      reported: ({ mebibytes = 0, diskHolds }) =>
        `${diskHolds === 'files' ? 'The folder of firmware and logs' : 'The server'} has ${mebibytes} MiB of disk left`,
    },
    de: {
      title: 'Speicherplatz',
      reported: ({ mebibytes = 0, diskHolds }) =>
        `${diskHolds === 'files' ? 'Der Ordner für Firmware und Protokolle' : 'Der Server'} hat noch ${mebibytes} MiB Speicherplatz`,
    },
  },
  clock: {
    en: {
      title: 'Clock',
      reported: (facts) =>
        facts.stationId === undefined
          ? `The server’s clock is ${Math.abs(facts.seconds ?? 0)} s behind its newest message`
          : `The clock of ${station(facts)} is wrong by ${Math.abs(facts.seconds ?? 0)} s`,
    },
    de: {
      title: 'Uhr',
      reported: (facts) =>
        facts.stationId === undefined
          ? `Die Uhr des Servers liegt ${Math.abs(facts.seconds ?? 0)} s hinter seiner neuesten Nachricht`
          : `Die Uhr von ${station(facts)} geht um ${Math.abs(facts.seconds ?? 0)} s falsch`,
    },
  },
  certificateFailed: {
    en: { title: 'Certificate failed', reported: (facts) => `${station(facts)} got no certificate${because(facts)}` },
    de: { title: 'Zertifikat fehlt', reported: (facts) => `${station(facts)} bekam kein Zertifikat${because(facts)}` },
  },
}

function station({ stationId, stationName }: AlertFacts): string {
  return stationName === undefined ? named(stationId) : `${named(stationId)} (${named(stationName)})`
}

function fault({ connectors = [], errorCode }: AlertFacts, noun: string): string {
  const place = connectors.filter((number) => number > 0).join(', ')
  const parts = [...(place ? [`${noun} ${place}`] : []), ...(errorCode === undefined ? [] : [named(errorCode)])]
  return parts.length === 0 ? '' : `: ${parts.join(', ')}`
}

function because({ reason }: AlertFacts): string {
  return reason === undefined ? '' : `: ${oneLine(reason, 200)}`
}

function named(text: string | undefined): string {
  return oneLine(text ?? '', 100)
}
