/** Monitors of variables (2.0.1 N02 to N08): desired ones, stations' own, their events (MONITOR-A1 to MONITOR-A8). */

import type { ComponentName, ReportedValue } from '../device-model/records.ts'
import { nameText } from '../device-model/variable-names.ts'
import type { Fault } from '../message-log/fault.ts'
import { flag, type InputsOf, integer, json, optional, type RecordOf, record, since, text } from '../records/record.ts'
import type { Selector } from '../records/selector.ts'

/** As OCPP 2.0.1 names them (MonitorEnumType). */
export const MONITOR_TYPES = ['UpperThreshold', 'LowerThreshold', 'Delta', 'Periodic', 'PeriodicClockAligned'] as const
export type MonitorType = (typeof MONITOR_TYPES)[number]

/** The variable that a monitor watches or an event is about. */
export interface MonitoredVariable {
  readonly component: ComponentName
  readonly variable: { readonly name: string; readonly instance?: string | undefined }
}

/** What is watched. `value` is a limit, a difference, or for the periodic types seconds. */
export interface Monitor extends MonitoredVariable {
  readonly type: MonitorType
  readonly value: number
  /** 0 is the most urgent, 9 the least. */
  readonly severity: number
  /** While a transaction runs only. */
  readonly transaction: boolean
}

/** The desired value of an intent of the kind `monitor`: the monitor, or that it is removed. */
export interface DesiredMonitor extends Monitor {
  readonly clear?: true | undefined
}

/** Monitors for many charge points. */
export const monitorSets = record('monitor_sets', {
  key: ['accountId', 'name'],
  columns: {
    accountId: text(),
    name: text(),
    selector: json<Selector>(),
    monitors: json<readonly Monitor[]>(),
    revision: integer(),
    createdAt: integer(),
    updatedAt: integer(),
    /** Whose application it is of: it ends with the grant (OIDC-C12). Absent: a person's. */
    grantId: since(2, optional(text())),
  },
  upgrades: [(older) => older],
})

export type MonitorSet = RecordOf<typeof monitorSets>

/** A monitor that a charge point is known to have. */
export const stationMonitors = record('station_monitors', {
  key: ['chargePointId', 'id'],
  columns: {
    chargePointId: text(),
    /** Given by the charge point: it is changed and cleared by this number. */
    id: integer(),
    /** Key of the intent that set it, in lower case. */
    key: text(),
    monitor: json<Monitor>(),
    /** Set by us; the others came with the charge point. */
    isOurs: flag(),
    /** The newest report that had it. */
    seenIn: optional(integer()),
    updatedAt: integer(),
  },
  loadedWith: 'chargePoint',
})

export type StationMonitor = RecordOf<typeof stationMonitors>

interface NotifiedEvent extends MonitoredVariable {
  readonly eventId?: number | undefined
  readonly trigger?: string | undefined
  readonly type?: string | undefined
  readonly value?: string | undefined
  /** The eventId of the event that caused it, which need not be known here. */
  readonly cause?: number | undefined
  readonly cleared?: boolean | undefined
  readonly techCode?: string | undefined
  readonly techInfo?: string | undefined
  readonly transactionId?: string | undefined
  readonly monitorId?: number | undefined
}

/** Events of NotifyEvent, by charge point, the newest first. */
export const stationEvents = record('station_events', {
  key: ['chargePointId', 'newness', 'id'],
  columns: {
    chargePointId: text(),
    /** The time of the event below zero, so that the newest one is the first. */
    newness: integer(),
    /** The same for the same event, however often it is sent. */
    id: text(),
    componentName: text(),
    event: json<NotifiedEvent>(),
    receivedAt: integer(),
  },
  indexes: [['receivedAt'], ['chargePointId', 'componentName', 'newness', 'id']],
  writtenOnce: true,
  age: 'receivedAt',
})

export type StationEvent = RecordOf<typeof stationEvents>

/** How many events a charge point sent (MONITOR-A8). */
export const eventTallies = record('event_tallies', {
  key: ['chargePointId'],
  columns: {
    chargePointId: text(),
    /** Since the epoch. */
    hour: integer(),
    kept: integer(),
    /** Since ever: they are in the log alone. */
    dropped: integer(),
  },
  loadedWith: 'chargePoint',
})

/** Of a report, in the order in which it names them. */
export interface ReportedMonitor extends Monitor {
  readonly id: number
}

/** An event with the id that the same event always has, and its time (ms since the epoch). */
export interface ReceivedEvent {
  readonly id: string
  readonly at: number
  readonly event: NotifiedEvent
}

/** A charge point's reports about its monitors; rules.ts decides what follows. */
export type MonitorInput = InputsOf<{
  /** A NotifyEvent: values of variables, and the events themselves. */
  eventsNotified: {
    batch: string
    values: readonly ReportedValue[]
    events: readonly ReceivedEvent[]
    /** More events were in the message than are kept of one. */
    dropped: number
  }
  /** A page of a report of monitors, ordered by us or by another party. */
  monitorPage: {
    requestId?: number | undefined
    sequence?: number | undefined
    isLast: boolean
    monitors: readonly ReportedMonitor[]
  }
}>

/** Monitors that no charge point could have (MONITOR-A1). */
export function monitorFaults(monitors: readonly Monitor[]): readonly Fault[] {
  const faults: Fault[] = []
  const seen = new Set<string>()
  monitors.forEach((monitor, at) => {
    const add = (member: string, code: string, message: string): void =>
      void faults.push({ pointer: `/monitors/${at}/${member}`, code, message })
    const key = monitorKey(monitor).toLowerCase()
    if (seen.has(key)) add('type', 'duplicate_key', 'stands twice for this variable with this severity')
    seen.add(key)
    const { component, type, value } = monitor
    if (component.connectorId !== undefined && component.evseId === undefined) {
      add('component/connectorId', 'invalid_value', 'needs its evseId')
    }
    const isPeriod = type === 'Periodic' || type === 'PeriodicClockAligned'
    if (isPeriod && !(Number.isInteger(value) && value > 0))
      add('value', 'invalid_value', 'is a number of seconds above 0')
    if (type === 'Delta' && value < 0) add('value', 'invalid_value', 'is how far the variable moves, so not below 0')
  })
  return faults
}

/**
 * MONITOR-A2: `Component.Variable#UpperThreshold/5`: a charge point has one for a variable, a type and a severity
 * (N04).
 */
export function monitorKey({
  component,
  variable,
  type,
  severity,
}: MonitoredVariable & { readonly type: string; readonly severity: number }): string {
  return `${nameText({ component, variable, attribute: 'Actual' })}#${type}/${severity}`
}

/** What it does, beside what it is called. */
export function monitorText({ value, transaction }: Pick<Monitor, 'value' | 'transaction'>): string {
  return transaction ? `${value} in transactions` : String(value)
}
