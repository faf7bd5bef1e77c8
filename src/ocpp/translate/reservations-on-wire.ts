/** How a version carries reservations (RESERVATION-A1). */
import type { ReservationOrder } from '../../domain/reservations/records.ts'
import type { OutgoingCall } from '../payload.ts'

export interface ReservationsOnWire {
  readonly reserve: (reservationId: number, order: ReservationOrder) => OutgoingCall
  readonly cancel: (reservationId: number) => OutgoingCall
  /** What the version cannot say of it, beside its schema. */
  readonly fault: (order: ReservationOrder) => { readonly pointer: string; readonly message: string } | undefined
  /** The variable that says, by `true`, that any connector may be kept (RESERVATION-A2). */
  readonly anyPlace: { readonly key: string; readonly name: string }
}
