/** Variables, reports and batches that wait (DEVICE-A1 to DEVICE-A9). */

import { flag, type InputsOf, integer, json, optional, type RecordOf, record, since, text } from '../records/record.ts'
import type { MeterInput } from '../signed-values/records.ts'

/** A component of a charge point, perhaps of one EVSE or connector (numbers from 1). */
export interface ComponentName {
  readonly name: string
  readonly instance?: string | undefined
  readonly evseId?: number | undefined
  readonly connectorId?: number | undefined
}

/** One attribute of a variable. A configuration key of OCPP 1.6 is a variable of the component `ChargePoint`. */
export interface VariableName {
  readonly component: ComponentName
  readonly variable: { readonly name: string; readonly instance?: string | undefined }
  /** `Actual`, `Target`, `MinSet` or `MaxSet`. */
  readonly attribute: string
}

/** What a report says of a variable beside its value: type, unit, limits, and whether it can be set (DEVICE-A1). */
export interface Characteristics {
  readonly mutability?: string | undefined
  readonly dataType?: string | undefined
  readonly unit?: string | undefined
  readonly minLimit?: number | undefined
  readonly maxLimit?: number | undefined
  readonly valuesList?: string | undefined
  readonly persistent?: boolean | undefined
  readonly constant?: boolean | undefined
  readonly supportsMonitoring?: boolean | undefined
}

/** As a message has it; a secret value is masked already (DEVICE-A7). */
export interface ReportedValue extends VariableName, Characteristics {
  readonly value?: string | undefined
}

/** Attributes of variables with their newest values, by charge point and whole name. */
export const variables = record('variables', {
  key: ['chargePointId', 'key'],
  columns: {
    chargePointId: text(),
    /** Its whole name in lower case (names.ts): names are compared without case. */
    key: text(),
    accountId: text(),
    componentName: text(),
    variableName: text(),
    name: json<VariableName>(),
    value: optional(text()),
    characteristics: json<Characteristics>(),
    /** A complete report no longer had it. */
    gone: flag(),
    /** The newest full report that had it. */
    seenIn: optional(integer()),
    updatedAt: integer(),
  },
  indexes: [
    ['accountId', 'chargePointId', 'key'],
    ['accountId', 'variableName', 'chargePointId', 'key'],
    ['accountId', 'componentName', 'variableName', 'chargePointId', 'key'],
  ],
})

export type StoredVariable = RecordOf<typeof variables>

/** How much a station takes at once; absent: it did not say. */
export type NumericLimit =
  | 'setItems'
  | 'setBytes'
  | 'getItems'
  | 'getBytes'
  | 'reportItems'
  | 'reportBytes'
  | 'maxKeys'
  | 'setMonitors'
  | 'setMonitorBytes'
  | 'clearMonitors'
  /** Of a SendLocalList, and of the whole list. */
  | 'listItems'
  | 'listBytes'
  | 'listEntries'
  /** 1 or 0: whether it shows what a charge costs, and whether that is switched on (DRIVER-C1). */
  | 'costAvailable'
  | 'costEnabled'
  /** The same of tariffs (DRIVER-C4). */
  | 'tariffAvailable'
  | 'tariffEnabled'
  /** Prices that it takes for each of energy, time and the rest; 1 or 0: with conditions (OCPP21-C4). */
  | 'tariffElements'
  | 'tariffConditions'
  /** Limits of a transaction that it enforces: bits of domain/sessions/limits/at-station.ts (OCPP21-C3). */
  | 'chargeLimits'

/** What a station takes in one message, and what it does by itself. */
export type MessageLimits = Readonly<Partial<Record<NumericLimit, number | undefined>>> & {
  /** ISO 4217, in which it calculates. */
  readonly tariffCurrency?: string | undefined
}

/** A charge point's device model as a whole, and when it is asked for again. */
export const deviceModels = record('device_models', {
  key: ['chargePointId'],
  columns: {
    chargePointId: text(),
    reportDueAt: optional(integer()),
    /** That the newest of these reports was asked of; absent: none was, or the station named none. */
    firmwareVersion: optional(text()),
    failures: integer(),
    /** OCPP 1.6: it did not answer when it was asked for all keys, with this firmware (DEVICE-A6). */
    asksInTens: flag(),
    limits: json<MessageLimits>(),
    variableCount: integer(),
    /** When it is asked next which monitors it has (MONITOR-A5). */
    monitorsDueAt: since(2, optional(integer())),
    monitorFailures: since(2, optional(integer())),
    /** The same of the messages on its display (DRIVER-M4). */
    displayDueAt: since(3, optional(integer())),
    displayFailures: since(3, optional(integer())),
  },
  loadedWith: 'chargePoint',
  upgrades: [(older) => older, (older) => older],
})

export type DeviceModel = RecordOf<typeof deviceModels>

/** Absent: a report of variables. */
export type ReportSubject = 'monitors' | 'displayMessages'

/** `running` until its last page is in place; then how it ended. */
export type ReportState = 'running' | 'complete' | 'incomplete' | 'rejected'

/** Sequence numbers from the first to the last, both included. */
export type SequenceRange = readonly [first: number, last: number]

/** A CALL that is part of a report. */
export interface ReportCall {
  readonly method: string
  readonly request: Readonly<Record<string, unknown>>
}

/** Reports that were asked of charge points, by charge point and requestId. */
export const reports = record('reports', {
  key: ['chargePointId', 'id'],
  columns: {
    chargePointId: text(),
    id: integer(),
    state: text<ReportState>(),
    reason: optional(text()),
    /** It has every variable, so what it leaves out is gone. */
    isWhole: flag(),
    isAutomatic: flag(),
    toAsk: json<readonly ReportCall[]>(),
    askedAt: optional(integer()),
    /** When something of it came last, its answer included. */
    heardAt: optional(integer()),
    seen: json<readonly SequenceRange[]>(),
    /** Of the page that says that it is the last. */
    lastSequence: optional(integer()),
    /** Everything came, or nothing more will: what is not put in place yet is, and then this is its state. */
    ending: optional(text<ReportState>()),
    truncated: flag(),
    variableCount: integer(),
    createdAt: integer(),
    updatedAt: integer(),
    subject: since(2, optional(text<ReportSubject>())),
    /** Whose application asked for it; absent: the account's own, or we did. */
    grantId: since(3, optional(text())),
  },
  indexes: [['state']],
  loadedWith: 'chargePoint',
  upgrades: [(older) => older, (older) => older],
})

export type Report = RecordOf<typeof reports>

/** Values of one message, committed with it, and put among the variables a moment later in parts (DEVICE-A4). */
export const valueBatches = record('value_batches', {
  key: ['chargePointId', 'batch'],
  columns: {
    chargePointId: text(),
    batch: text(),
    reportId: optional(integer()),
    told: json<readonly ReportedValue[]>(),
    at: integer(),
  },
})

export type ValueBatch = RecordOf<typeof valueBatches>

/** OCPP 1.6: charge points that were asked for all keys and did not answer, until they do (DEVICE-A6). */
export const unansweredReports = record('unanswered_reports', {
  key: ['chargePointId'],
  columns: {
    chargePointId: text(),
    count: integer(),
  },
  loadedWith: 'chargePoint',
})

/** As nodes of the version before know it, which read it (STORE-N17). Nothing here uses it; it goes with the next. */
export const stationModels = record('station_models', {
  key: ['vendor', 'model'],
  columns: { vendor: text(), model: text(), asksInTens: flag() },
})

/** Models of an account that drop their connection when they are asked for all keys (DEVICE-A6). */
export const modelQuirks = record('model_quirks', {
  key: ['accountId', 'vendor', 'model', 'firmwareVersion'],
  columns: {
    accountId: text(),
    /** Each empty where the charge point does not say it. */
    vendor: text(),
    model: text(),
    firmwareVersion: text(),
    /** Id of the charge point that did so twice. */
    provedBy: text(),
    at: integer(),
  },
})

export type ModelQuirk = RecordOf<typeof modelQuirks>

/** Inputs of rules.ts. */
export type DeviceModelInput = InputsOf<{
  reportRequested: {
    /** Of 2.0.1 without their requestId, which the report gives them. */
    calls: readonly ReportCall[]
    needsRequestId: boolean
    isWhole: boolean
    isAutomatic: boolean
    subject?: ReportSubject | undefined
    grantId?: string | undefined
  }
  reportAsked: { id: number }
  reportAnswered: {
    id: number
    answer:
      | { readonly outcome: 'accepted' }
      | { readonly outcome: 'empty' }
      /** OCPP 1.6: the answer is the report, or a part of it. */
      | { readonly outcome: 'values'; readonly batch: string; readonly values: readonly ReportedValue[] }
      | { readonly outcome: 'rejected'; readonly reason: string }
      | {
          readonly outcome: 'failed'
          readonly reason: string
          readonly isUnsent: boolean
          readonly isDropped: boolean
        }
    /** Of a call for all keys that was not answered: the call, and what is asked instead (DEVICE-A6). */
    whole?: { readonly call: ReportCall; readonly inTens: readonly ReportCall[] } | undefined
  }
  /** A page of a report of 2.0.1, of ours or of another party's. */
  reportPage: {
    requestId?: number | undefined
    sequence?: number | undefined
    isLast: boolean
    batch: string
    values: readonly ReportedValue[]
    /** Public keys of meters among them (SIGNED-K3). */
    meterKeys?: MeterInput | undefined
  }
  valuesReported: { batch: string; values: readonly ReportedValue[] }
  /** A part of a batch is among the variables; the records of it are given. */
  valuesPlaced: {
    at: number
    placed: readonly {
      readonly key: string
      readonly value?: string | undefined
      readonly isWriteOnly: boolean
    }[]
    rows: readonly StoredVariable[]
    added: number
    isTruncated: boolean
    reportId?: number | undefined
    limits?: MessageLimits | undefined
    batch?: string | undefined
  }
  /** Everything of it is among the variables, and what it left out is marked. */
  reportPlaced: { id: number }
  variablesGone: { rows: readonly StoredVariable[] }
  reportInterrupted: { id: number }
}>

/** By what a mark of a model is found: its vendor, model and firmware (DEVICE-A6). */
export function modelNameOf({
  vendor = '',
  model = '',
  firmwareVersion = '',
}: {
  readonly vendor?: string | undefined
  readonly model?: string | undefined
  readonly firmwareVersion?: string | undefined
}): Pick<ModelQuirk, 'vendor' | 'model' | 'firmwareVersion'> {
  return { vendor, model, firmwareVersion }
}
