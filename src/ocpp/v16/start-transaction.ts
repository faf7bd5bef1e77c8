import type { Activity, StationTime } from '../../domain/ports/sessions.ts'
import { hasOwnTime } from '../../domain/sessions/draft.ts'
import type { Payload } from '../payload.ts'
import { stationTime } from '../station-time.ts'
import { integer, placeNumber, registerMilliWh, text } from '../translate/payload.ts'
import { columns, fromChargePoint, idTagInfo, idToken } from './from-charge-point.ts'

/** OCPP 1.6 §4.8. Billing: a refused tag still gets a transaction, as energy may have flowed (SESSION-A4, OCPP-DR8). */
export const startTransaction = fromChargePoint('StartTransaction', {
  effect: 'transaction and session, or the pending remote start becomes one',
  billing: true,
  input: (request, { receivedAt, messageId }) => {
    const at = stationTime(request.timestamp, receivedAt)
    return {
      kind: 'started',
      connectorId: placeNumber(request.connectorId) ?? 0,
      idToken: idToken(request.idTag),
      at,
      startKey: startKey(request, at),
      messageId,
      registerMilliWh: registerMilliWh(request.meterStart),
      reservationId: integer(request.reservationId),
    }
  },
  answer: (_request, { transactionId, authorisation }) => ({
    transactionId: Number(transactionId ?? 0),
    idTagInfo: idTagInfo(authorisation),
  }),
  columns: (request, { transactionId }) => ({ connectorId: columns(request).connectorId, transactionId }),
})

/** OCPP-DR7: stable over repetitions of a start with new message ids; spellings of its time do not count. */
function startKey(request: Payload, at: StationTime): string {
  const time = hasOwnTime(at) ? at.occurredAt : (text(request.timestamp) ?? '')
  return [
    integer(request.connectorId) ?? 0,
    (text(request.idTag) ?? '').toLowerCase(),
    registerMilliWh(request.meterStart) ?? text(request.meterStart) ?? '',
    time,
  ].join('|')
}

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
