import type { ConnectorReport } from '../../domain/sessions/decision.ts'
import { stationTime } from '../station-time.ts'
import type { InboundRules } from '../translate/message.ts'
import { oneOf, type Payload, placeNumber, text } from '../translate/payload.ts'
import type { TranslationContext } from '../version.ts'

/** `Occupied` says only that the connector is taken; what the car does comes with TransactionEvent. */
const activityOf = oneOf(['available', 'reserved', 'unavailable', 'faulted'])

const statusOf = oneOf(['Available', 'Occupied', 'Reserved', 'Unavailable', 'Faulted'])

interface Reported {
  readonly status: unknown
  readonly evseId: unknown
  readonly connectorId: unknown
  readonly timestamp: unknown
}

/** A connector's status (G01, or NotifyEvent with AvailabilityState); undefined: none. */
export function connectorReport(
  report: Reported,
  { receivedAt }: Pick<TranslationContext, 'receivedAt'>,
): ConnectorReport | undefined {
  // Lists are filtered by it, and the value of a variable keeps to no schema.
  const status = statusOf(report.status) ?? text(report.status)
  const evseId = placeNumber(report.evseId)
  const connectorId = placeNumber(report.connectorId ?? 0)
  const isPlace = connectorId !== undefined && (evseId !== undefined || (report.evseId ?? undefined) === undefined)
  if (status === undefined || !isPlace) return undefined
  return {
    connectorId,
    status,
    activity: activityOf(status) ?? 'other',
    at: stationTime(report.timestamp, receivedAt),
    evseId,
  }
}

/** OCPP 2.0.1 G01. Always answered (OCPP-VA1); without a status it is only stored. */
export const statusNotification: InboundRules = {
  effect: 'connector status; never moves a session by itself',
  repeatable: false,
  input: (request: Payload, context) => {
    const report = connectorReport(
      {
        status: request.connectorStatus,
        evseId: request.evseId,
        connectorId: request.connectorId,
        timestamp: request.timestamp,
      },
      context,
    )
    return report ? { kind: 'connectorStatus', ...report } : { kind: 'noted' }
  },
}
