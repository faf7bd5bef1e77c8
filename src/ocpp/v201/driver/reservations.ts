/** H01, H02: an EVSE, or none for any of them. */
import { sentTime } from '../../translate/payload.ts'
import type { ReservationsOnWire } from '../../translate/reservations-on-wire.ts'

export const reservations: ReservationsOnWire = {
  reserve: (id, { evseId, connectorType, idToken, idTokenType, groupId, expiresAt }) => ({
    method: 'ReserveNow',
    request: {
      id,
      expiryDateTime: sentTime(expiresAt),
      idToken: { idToken, type: idTokenType },
      evseId,
      connectorType,
      ...(groupId !== undefined && { groupIdToken: { idToken: groupId, type: 'Central' } }),
    },
  }),
  cancel: (reservationId) => ({ method: 'CancelReservation', request: { reservationId } }),
  fault: ({ connectorId }) => {
    if (connectorId === undefined) return undefined
    const message = 'is not known to OCPP 2.0.1, which keeps an evseId, perhaps with a connectorType'
    return { pointer: '/connectorId', message }
  },
  anyPlace: { key: 'reservationctrlr.nonevsespecific', name: 'ReservationCtrlr.NonEvseSpecific' },
}
