import type { ConnectorReport } from '../../domain/sessions/decision.ts'
import { stationTime } from '../station-time.ts'
import type { InboundRules } from '../translate/message.ts'
import { oneOf, placeNumber, text } from '../translate/payload.ts'
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
  newestWins?: true,
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
    newestWins,
  }
}

/** OCPP 2.0.1 G01. Always answered (OCPP-VA1); without a status it is only stored. */
export const statusNotification = statusNotificationWith()

/** @param newestWins another message of this version brings statuses, too, and may be overtaken (OCPP21-B1) */
export function statusNotificationWith(newestWins?: true): InboundRules {
  return {
    effect: 'connector status; never moves a session by itself',
    repeatable: false,
    input: ({ connectorStatus: status, evseId, connectorId, timestamp }, context) => {
      const report = connectorReport({ status, evseId, connectorId, timestamp }, context, newestWins)
      return report ? { kind: 'connectorStatus', ...report } : { kind: 'noted' }
    },
  }
}
