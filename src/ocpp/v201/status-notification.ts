import type { Activity } from '../../domain/ports/sessions.ts'
import type { ConnectorReport } from '../../domain/sessions/decision.ts'
import { stationTime } from '../station-time.ts'
import type { InboundMessage } from '../translate/message.ts'
import { placeNumber, text } from '../translate/payload.ts'
import type { TranslationContext } from '../version.ts'
import { fromChargePoint } from './from-charge-point.ts'

/** `Occupied` says only that the connector is taken; what the car does comes with TransactionEvent. */
const ACTIVITIES: ReadonlyMap<string, Activity> = new Map([
  ['available', 'available'],
  ['reserved', 'reserved'],
  ['unavailable', 'unavailable'],
  ['faulted', 'faulted'],
])

const STATUSES = ['Available', 'Occupied', 'Reserved', 'Unavailable', 'Faulted']

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
  const said = text(report.status)
  // Lists are filtered by it, and the value of a variable keeps to no schema.
  const status = STATUSES.find((known) => known.toLowerCase() === said?.toLowerCase()) ?? said
  const evseId = placeNumber(report.evseId)
  const connectorId = placeNumber(report.connectorId ?? 0)
  const isPlace = connectorId !== undefined && (evseId !== undefined || (report.evseId ?? undefined) === undefined)
  if (status === undefined || !isPlace) return undefined
  return {
    connectorId,
    status,
    activity: ACTIVITIES.get(status.toLowerCase()) ?? 'other',
    at: stationTime(report.timestamp, receivedAt),
    evseId,
    newestWins,
  }
}

/** OCPP 2.0.1 G01. Always answered (OCPP-VA1); without a status it is only stored. */
export const statusNotification = statusNotificationWith()

/** @param newestWins another message of this version brings statuses, too, and may be overtaken (OCPP21-B1) */
export function statusNotificationWith(newestWins?: true): InboundMessage {
  return fromChargePoint('StatusNotification', {
    effect: 'connector status; never moves a session by itself',
    repeatable: false,
    input: ({ connectorStatus: status, evseId, connectorId, timestamp }, context) => {
      const report = connectorReport({ status, evseId, connectorId, timestamp }, context, newestWins)
      return report ? { kind: 'connectorStatus', ...report } : { kind: 'noted' }
    },
  })
}
