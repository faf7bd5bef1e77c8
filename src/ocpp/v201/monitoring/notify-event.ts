import type { VariableName } from '../../../domain/ports/blocks.ts'
import type { ConnectorReport } from '../../../domain/sessions/decision.ts'
import type { Payload } from '../../payload.ts'
import { isObject, list, object, text } from '../../translate/payload.ts'
import type { TranslationContext } from '../../version.ts'
import { columns } from '../columns.ts'
import { fromChargePoint } from '../from-charge-point.ts'
import { connectorReport } from '../status-notification.ts'
import { valuesOfEvents } from '../variables.ts'
import { receivedEvents } from './received-events.ts'

/** OCPP 2.0.1 N07, G01. May replace StatusNotification, for several connectors at once. */
export const notifyEvent = fromChargePoint('NotifyEvent', {
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
})

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
