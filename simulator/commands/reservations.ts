/** ReserveNow and CancelReservation. A reservation ends by its use, its cancellation or its time. */
import type { Payload } from '../../src/ocpp/version.ts'
import type { CommandTarget } from './target.ts'

export interface ReserveOrder {
  readonly id: number
  /** Undefined or 0: any connector. */
  readonly connectorId?: number
  readonly idToken: string
  readonly groupId?: string
  readonly until: number
}

export function reserve(target: CommandTarget, order: ReserveOrder): Payload {
  const wanted = target.outlets.filter(
    (outlet) => !order.connectorId || outlet.connectorId === order.connectorId || outlet.reservation?.id === order.id,
  )
  if (wanted.length === 0) return { status: 'Rejected' }
  const free = wanted.find(
    (outlet) =>
      outlet.operative &&
      !outlet.fault &&
      !outlet.plugged &&
      !outlet.transaction &&
      (!outlet.reservation || outlet.reservation.id === order.id),
  )
  if (!free) {
    if (wanted.every((outlet) => outlet.fault)) return { status: 'Faulted' }
    return { status: wanted.every((outlet) => !outlet.operative) ? 'Unavailable' : 'Occupied' }
  }
  const { id, idToken, groupId, until } = order
  free.reservation = { id, idToken, until, ...(groupId !== undefined && { groupId }) }
  target.afterAnswer(() => target.charging.settleStatus(free.connectorId))
  target.time.after(Math.max(0, until - target.clock.now()), () => release(target, id, 'Expired'))
  return { status: 'Accepted' }
}

export function cancelReservation(target: CommandTarget, id: number): Payload {
  if (!target.outlets.some((outlet) => outlet.reservation?.id === id)) return { status: 'Rejected' }
  target.afterAnswer(() => release(target, id, undefined))
  return { status: 'Accepted' }
}

/** 2.0.1 stations say that a reservation ended without use; 1.6 has only the status. */
async function release(target: CommandTarget, id: number, update: 'Expired' | undefined): Promise<void> {
  const outlet = target.outlets.find((candidate) => candidate.reservation?.id === id)
  if (!outlet) return
  outlet.reservation = undefined
  if (update && target.protocol !== 'ocpp1.6') {
    const request = { reservationId: id, reservationUpdateStatus: update }
    await target.notify({ method: 'ReservationStatusUpdate', request })
  }
  await target.charging.settleStatus(outlet.connectorId)
}
