import { isObject, list, object, text } from '../translate/payload.ts'
import type { Payload } from '../version.ts'
import { columns } from './columns.ts'
import { fromChargePoint } from './from-charge-point.ts'
import { connectorStatus } from './status-notification.ts'

/** OCPP 2.0.1 N07, G01. May stand in for StatusNotification: the newest AvailabilityState of a connector is taken over. */
export const notifyEvent = fromChargePoint('NotifyEvent', {
  effect: 'stored; AvailabilityState of a connector counts as its status',
  input: (request, context) => {
    const event = availabilityEvent(request)
    if (!event) return { kind: 'noted' }
    const evse = object(object(event.component).evse)
    return connectorStatus(
      {
        status: event.actualValue,
        evseId: evse.id,
        connectorId: evse.connectorId ?? 1,
        timestamp: event.timestamp,
      },
      context,
    )
  },
  columns: (request, _outcome, raw) => {
    const event = availabilityEvent(request) ?? object(list(request.eventData)[0])
    return columns({ evse: object(event.component).evse, transactionId: event.transactionId }, raw)
  },
})

function availabilityEvent(request: Payload): Payload | undefined {
  return list(request.eventData).filter(isObject).findLast(isConnectorAvailability)
}

function isConnectorAvailability(event: Payload): boolean {
  return (
    text(object(event.component).name)?.toLowerCase() === 'connector' &&
    text(object(event.variable).name)?.toLowerCase() === 'availabilitystate'
  )
}
