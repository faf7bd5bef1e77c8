/** Makes or cancels reservations (RESERVATION-A1): the same number again replaces (H01.FR.02). */
import { isWaiting } from '../../domain/intents/states.ts'
import type { Reservation } from '../../domain/reservations/records.ts'
import { nextCall } from '../../domain/reservations/rules.ts'
import { orderCall } from '../outbound/order-call.ts'
import { isReachable } from './may-send.ts'
import type { Subject, Task } from './subject.ts'

interface Due extends Task {
  readonly reservation: Reservation
  readonly step: 'reserve' | 'cancel'
}

export const reservations: Subject<Due> = {
  name: 'reservations',
  records: ['reservations'],
  purposes: ['reservation'],
  due(station, now) {
    const all = station.state?.records.all('reservations') ?? []
    if (all.length === 0 || !isReachable(station)) return []
    return all.flatMap((reservation): readonly Due[] => {
      const step = nextCall(reservation, now)
      const { reservationId } = reservation
      const isCalled = station.state?.records
        .all('outgoing_calls')
        .some(({ purpose }) => purpose.kind === 'reservation' && purpose.call.reservationId === reservationId)
      return step && !isCalled ? [{ key: String(reservationId), reservation, step }] : []
    })
  },
  dueAgainAt(station, now) {
    const waiting = (station.state?.records.all('reservations') ?? []).filter(
      ({ state, nextAttemptAt }) => (state === 'requested' || state === 'active') && isWaiting(nextAttemptAt, now),
    )
    return waiting.length === 0 ? undefined : Math.min(...waiting.map(({ nextAttemptAt }) => nextAttemptAt))
  },
  async order(context, { id: stationId, version }, { reservation, step }) {
    if (!version) return
    const { reservationId, asked: order } = reservation
    const { reserve, cancel } = version.reservations
    const call = step === 'reserve' ? reserve(reservationId, order) : cancel(reservationId)
    const purpose = { kind: 'reservation', call: { reservationId, step } } as const
    await orderCall(context, { stationId, call, purpose, expiresAt: order.expiresAt })
  },
}
