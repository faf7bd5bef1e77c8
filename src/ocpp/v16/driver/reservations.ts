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
  fault: ({ connectorType, idToken, groupId = '' }) => {
    if (connectorType !== undefined) return { pointer: '/connectorType', message: 'is not known to OCPP 1.6' }
    const [pointer] = [...(idToken.length > 20 ? ['/idToken'] : []), ...(groupId.length > 20 ? ['/groupId'] : [])]
    return pointer === undefined ? undefined : { pointer, message: 'has more than the 20 characters of OCPP 1.6' }
  },
  anyPlace: { key: 'chargepoint.reserveconnectorzerosupported', name: 'ReserveConnectorZeroSupported' },
}
