import type { StationTime } from '../../domain/ports/sessions.ts'
import { hasOwnTime } from '../../domain/sessions/own-time.ts'
import type { Payload } from '../payload.ts'
import { stationTime } from '../station-time.ts'
import { integer, placeNumber, registerMilliWh, text } from '../translate/payload.ts'
import { columns, fromChargePoint } from './from-charge-point.ts'
import { idTagInfo, idToken } from './id-tag-info.ts'

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
