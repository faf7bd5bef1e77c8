import type { Payload } from '../../src/ocpp/payload.ts'
import type { Reservation } from '../model/reservations.ts'
import type { CommandTarget } from './target.ts'

export function reserve(target: CommandTarget, order: Reservation): Payload {
  const status = target.reservations.reserve(order)
  if (status === 'Accepted') target.afterAnswer(() => target.reservations.show())
  return { status }
}

export function cancelReservation(target: CommandTarget, id: number): Payload {
  if (!target.reservations.cancel(id)) return { status: 'Rejected' }
  target.afterAnswer(() => target.reservations.show())
  return { status: 'Accepted' }
}
