/** What a version says of reservations: which calls carry them (RESERVATION-A1). */
import type { ReservationOrder } from '../../domain/reservations/records.ts'
import type { OutgoingCall } from '../payload.ts'

export interface ReservationsOnWire {
  readonly reserve: (reservationId: number, order: ReservationOrder) => OutgoingCall
  readonly cancel: (reservationId: number) => OutgoingCall
  /** Which variable says, by `true`, that any connector may be kept (RESERVATION-A2); in lower case. */
  readonly anyPlace: string
}
