import type { Activity } from '../../domain/ports/sessions.ts'
import { stationTime } from '../station-time.ts'
import { placeNumber, text } from '../translate/payload.ts'
import { fromChargePoint } from './from-charge-point.ts'

const ACTIVITIES: ReadonlyMap<string, Activity> = new Map([
  ['available', 'available'],
  ['preparing', 'preparing'],
  ['charging', 'charging'],
  ['suspendedev', 'suspendedEv'],
  ['suspendedevse', 'suspendedEvse'],
  ['finishing', 'finishing'],
  ['reserved', 'reserved'],
  ['unavailable', 'unavailable'],
  ['faulted', 'faulted'],
])

/**
 * OCPP 1.6 §4.9. Answered whatever its details are (OCPP-VA1); without a status, or of a connector that cannot be, it
 * is only kept. Without a time it speaks of now, so it is never taken for a repetition: stations count message ids from
 * 1 again.
 */
export const statusNotification = fromChargePoint('StatusNotification', {
  effect: 'connector status (0 is the station); moves the session on that connector',
  repeatable: false,
  input: (request, { receivedAt }) => {
    const status = text(request.status)
    const connectorId = placeNumber(request.connectorId ?? 0)
    if (status === undefined || connectorId === undefined) return { kind: 'noted' }
    return {
      kind: 'connectorStatus',
      connectorId,
      status,
      activity: ACTIVITIES.get(status.toLowerCase()) ?? 'other',
      at: stationTime(request.timestamp, receivedAt),
      errorCode: text(request.errorCode),
      vendorErrorCode: text(request.vendorErrorCode),
      info: text(request.info),
    }
  },
})
