import { createHash } from 'node:crypto'
import { MONITOR_TYPES, type ReportedMonitor } from '../../domain/monitors/records.ts'
import type { DesiredMonitor, IntentAnswer, ReceivedEvent, VariableName } from '../../domain/ports/blocks.ts'
import type { ConnectorReport } from '../../domain/sessions/decision.ts'
import { maskPart } from '../mask.ts'
import { stationTime } from '../station-time.ts'
import { answerBy, type IntentOnWire, type IntentToSend } from '../translate/blocks-on-wire.ts'
import { carrying } from '../translate/chunks.ts'
import type { InboundRules } from '../translate/message.ts'
import { integer, isObject, list, number, object, oneOf, type Payload, text } from '../translate/payload.ts'
import type { TranslationContext } from '../version.ts'
import { columns } from './from-charge-point.ts'
import { connectorReport } from './status-notification.ts'
import { readName, valuesOfEvents, wireName } from './variables.ts'

/** OCPP 2.0.1 N07, G01. May replace StatusNotification, for several connectors at once. */
export const notifyEvent: InboundRules = {
  effect: 'events are kept; AvailabilityState of a connector counts as its status, other values as its variables',
  input: (request, context) => {
    const reports = availabilityEvents(request).flatMap((event) => reported(event, context) ?? [])
    const values = valuesOfEvents(request).filter((value) => !isAvailability(value))
    const { events, dropped } = receivedEvents(request, context.receivedAt)
    const known = { batch: `event:${context.messageId}`, values, events, dropped }
    if (reports.length > 0) return { kind: 'connectorStatuses', reports, known }
    return events.length > 0 ? { kind: 'eventsNotified', ...known } : { kind: 'noted' }
  },
  columns: (request, _outcome, raw) => {
    const event = availabilityEvents(request).at(-1) ?? object(list(request.eventData)[0])
    return columns({ evse: object(event.component).evse, transactionId: event.transactionId }, raw)
  },
}

/** An EVSE alone has one connector. A connector without its EVSE could be any: no transaction is assumed. */
function reported(event: Payload, context: TranslationContext): ConnectorReport | undefined {
  const evse = object(object(event.component).evse)
  if ((evse.id ?? undefined) === undefined) return undefined
  return connectorReport(
    {
      status: event.actualValue,
      evseId: evse.id,
      connectorId: evse.connectorId ?? 1,
      timestamp: event.timestamp,
    },
    context,
  )
}

function availabilityEvents(request: Payload): readonly Payload[] {
  return list(request.eventData).filter(isObject).filter(isConnectorAvailability)
}

function isAvailability({ component, variable }: VariableName): boolean {
  return component.name.toLowerCase() === 'connector' && variable.name.toLowerCase() === 'availabilitystate'
}

function isConnectorAvailability(event: Payload): boolean {
  return (
    text(object(event.component).name)?.toLowerCase() === 'connector' &&
    text(object(event.variable).name)?.toLowerCase() === 'availabilitystate'
  )
}

// The events of a NotifyEvent as stored (MONITOR-A7).

/** Per message. */
const MAX_EVENTS = 200
const MAX_VALUE_LENGTH = 2500
const MAX_TEXT_LENGTH = 500
const MAX_CODE_LENGTH = 50

function receivedEvents(
  request: Payload,
  receivedAt: number,
): { readonly events: readonly ReceivedEvent[]; readonly dropped: number } {
  const sent = list(request.eventData).filter(isObject)
  const events = sent.slice(0, MAX_EVENTS).flatMap((entry) => received(entry, receivedAt) ?? [])
  return { events, dropped: Math.max(0, sent.length - MAX_EVENTS) }
}

function received(entry: Payload, receivedAt: number): ReceivedEvent | undefined {
  const name = readName(entry, 'Actual')
  if (!name) return undefined
  const value =
    typeof entry.actualValue === 'string' ? entry.actualValue.replaceAll('\u0000', '') : text(entry.actualValue)
  const event = {
    eventId: integer(entry.eventId),
    trigger: shortened(entry.trigger, MAX_CODE_LENGTH),
    type: shortened(entry.eventNotificationType, MAX_CODE_LENGTH),
    component: name.component,
    variable: name.variable,
    value: value?.slice(0, MAX_VALUE_LENGTH),
    cause: integer(entry.cause),
    cleared: typeof entry.cleared === 'boolean' ? entry.cleared : undefined,
    techCode: shortened(entry.techCode, MAX_CODE_LENGTH),
    techInfo: shortened(maskPart(entry.techInfo), MAX_TEXT_LENGTH),
    transactionId: shortened(entry.transactionId, MAX_CODE_LENGTH),
    monitorId: integer(entry.variableMonitoringId),
  }
  const at = stationTime(entry.timestamp, receivedAt).occurredAt
  const digest = createHash('sha256')
    .update(JSON.stringify([entry.timestamp, event]))
    .digest('hex')
    .slice(0, 16)
  return { id: `${event.eventId ?? '-'}-${digest}`, at, event }
}

function shortened(value: unknown, most: number): string | undefined {
  return text(value)?.slice(0, most)
}

const typeOf = oneOf(MONITOR_TYPES)

/** OCPP 2.0.1 N02. Paged like a NotifyReport. */
export const notifyMonitoringReport: InboundRules = {
  effect: 'page of a monitoring report; its monitors are stored, and a complete one is compared with the desired ones',
  input: (request) => {
    const [requestId, sequence] = [integer(request.requestId), integer(request.seqNo)]
    return {
      kind: 'monitorPage',
      requestId,
      sequence,
      isLast: request.tbc !== true,
      monitors: reportedMonitors(request),
    }
  },
}

function reportedMonitors(request: Payload): readonly ReportedMonitor[] {
  return list(request.monitor)
    .filter(isObject)
    .flatMap((entry) => {
      const name = readName(entry, 'Actual')
      if (!name) return []
      const { component, variable } = name
      return list(entry.variableMonitoring)
        .filter(isObject)
        .flatMap((reported): ReportedMonitor[] => {
          const [id, value, severity] = [integer(reported.id), number(reported.value), integer(reported.severity)]
          const type = typeOf(reported.type)
          if (id === undefined || value === undefined || severity === undefined || !type) return []
          return [{ id, component, variable, type, value, severity, transaction: reported.transaction === true }]
        })
    })
}

/** Desired monitors on the wire of 2.0.1 (N04 sets them, N06 clears them). */

export const monitor: IntentOnWire = {
  set: (intents, { setMonitors, setMonitorBytes, clearMonitors }) => [
    ...carrying(
      intents.filter(({ desired }) => !monitorIn(desired).clear),
      {
        method: 'SetVariableMonitoring',
        member: 'setMonitoringData',
        items: setMonitors,
        bytes: setMonitorBytes,
      },
      settingOf,
    ),
    ...carrying(
      intents.filter(({ desired }) => monitorIn(desired).clear),
      { method: 'ClearVariableMonitoring', member: 'id', items: clearMonitors },
      ({ monitorId }) => monitorId,
    ),
  ],
  readAnswer: (keys, { method, request }, response) =>
    method === 'ClearVariableMonitoring'
      ? answersOf(keys, list(request.id).map(integer), response.clearMonitoringResult, ({ id }) => integer(id), CLEARED)
      : answersOf(
          keys,
          list(request.setMonitoringData).map(monitorText),
          response.setMonitoringResult,
          monitorText,
          SET,
        ),
}

const CLEARED = { accepted: 'accepted', notfound: 'accepted' } as const
const SET = {
  accepted: 'accepted',
  unknowncomponent: 'unsupported',
  unknownvariable: 'unsupported',
  unsupportedmonitortype: 'unsupported',
  duplicate: 'duplicate',
} as const

/** With the number of the one that it replaces (N04.FR.11). */
function settingOf({ desired, monitorId }: IntentToSend): Payload {
  const { component, variable, type, value, severity, transaction } = monitorIn(desired)
  return {
    id: monitorId,
    transaction,
    value,
    type,
    severity,
    ...wireName({ component, variable }),
  }
}

/** Results come in any order; unasked ones are ignored, missing ones count as unanswered. */
function answersOf<Name>(
  keys: readonly string[],
  asked: readonly Name[],
  results: unknown,
  nameOf: (result: Payload) => Name,
  meanings: Parameters<typeof answerBy>[2],
): Readonly<Record<string, IntentAnswer>> {
  const named = new Map(asked.map((name, at) => [name, keys[at]]))
  const answers: Record<string, IntentAnswer> = {}
  for (const result of list(results).filter(isObject)) {
    const key = named.get(nameOf(result))
    const answer = answerBy(result.status, result.statusInfo, meanings)
    if (key === undefined || !answer) continue
    const isSet = meanings === SET && answer.outcome === 'accepted'
    answers[key] = isSet ? { ...answer, monitorId: integer(result.id) } : answer
  }
  return answers
}

/** Results name their monitors like the request; names compare case-insensitively. */
function monitorText(named: unknown): string {
  const entry = object(named)
  const name = readName(entry, 'Actual')
  return JSON.stringify([name && wireName(name), text(entry.type), integer(entry.severity)]).toLowerCase()
}

function monitorIn(desired: unknown): DesiredMonitor {
  return desired as DesiredMonitor
}
