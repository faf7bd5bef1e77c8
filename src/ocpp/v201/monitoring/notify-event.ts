import { createHash } from 'node:crypto'
import { MONITOR_TYPES, type ReportedMonitor } from '../../../domain/monitors/records.ts'
import type { ReceivedEvent, VariableName } from '../../../domain/ports/blocks.ts'
import type { ConnectorReport } from '../../../domain/sessions/decision.ts'
import { maskPart } from '../../mask.ts'
import type { Payload } from '../../payload.ts'
import { stationTime } from '../../station-time.ts'
import type { InboundRules } from '../../translate/message.ts'
import { integer, isObject, list, number, object, oneOf, text } from '../../translate/payload.ts'
import type { TranslationContext } from '../../version.ts'
import { columns } from '../from-charge-point.ts'
import { connectorReport } from '../status-notification.ts'
import { readName, valuesOfEvents } from '../variables.ts'

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
