/** 1.6 §5.2, §5.13: a connector, or 0 for any of them. */
import { sentTime } from '../../translate/payload.ts'
import type { ReservationsOnWire } from '../../translate/reservations-on-wire.ts'

export const reservations: ReservationsOnWire = {
  reserve: (reservationId, { evseId, connectorId = evseId ?? 0, idToken, groupId, expiresAt }) => ({
    method: 'ReserveNow',
    request: {
      connectorId,
      expiryDate: sentTime(expiresAt),
      idTag: idToken,
      reservationId,
      parentIdTag: groupId,
    },
  }),
  cancel: (reservationId) => ({ method: 'CancelReservation', request: { reservationId } }),
  anyPlace: 'chargepoint.reserveconnectorzerosupported',
}
