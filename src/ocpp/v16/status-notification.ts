import type { Activity } from '../../sessions/model.ts'
import { stationTime } from '../station-time.ts'
import { integer, text } from '../translate/payload.ts'
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

/** OCPP 1.6 §4.9. Answered whatever its details are (VA1); without any status there is nothing to note. */
export const statusNotification = fromChargePoint('StatusNotification', {
  effect: 'connector status (0 is the station); moves the session on that connector',
  input: (request, { receivedAt }) => {
    const status = text(request.status)
    if (status === undefined) return { kind: 'noted' }
    const errorCode = text(request.errorCode)
    return {
      kind: 'connectorStatus',
      connectorId: integer(request.connectorId) ?? 0,
      status,
      activity: ACTIVITIES.get(status.toLowerCase()) ?? 'other',
      at: stationTime(request.timestamp, receivedAt),
      ...(errorCode !== undefined && { errorCode }),
    }
  },
})
