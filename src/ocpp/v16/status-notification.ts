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
 * OCPP 1.6 §4.9. Always answered (OCPP-VA1); without a status or a valid connector it is only stored.
 * Without a time it is about now, so it never counts as a repetition: message ids may restart at 1.
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
