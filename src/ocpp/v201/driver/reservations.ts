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
  anyPlace: 'reservationctrlr.nonevsespecific',
}
