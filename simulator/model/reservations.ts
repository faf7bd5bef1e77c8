/**
 * Reservations of connectors, or of whichever is free. Each one ends by its use, its time or its cancellation, or
 * because its connector is out of service (1.6 §5.13, 2.0.1 H01 to H04).
 */
import type { Clock, Protocol } from '../../src/domain/ports/core.ts'
import type { StationTime } from '../time/simulated-time.ts'
import type { Outlet } from './connector.ts'
import type { Call, Token } from './facts.ts'

export interface Reservation {
  readonly id: number
  readonly connectorId?: number
  readonly idToken: string
  readonly groupId?: string
  readonly until: number
}

type ReserveStatus = 'Accepted' | 'Faulted' | 'Occupied' | 'Rejected' | 'Unavailable'

interface ReservationContext {
  readonly protocol: Protocol
  readonly outlets: readonly Outlet[]
  readonly clock: Pick<Clock, 'now'>
  readonly time: Pick<StationTime, 'after'>
  readonly groupOf: (token: Token) => string | undefined
  readonly notify: (call: Call) => Promise<void>
  readonly settleStatus: (connectorId: number) => Promise<void>
}

type Place = Pick<Outlet, 'connectorId' | 'operative' | 'fault' | 'plugged' | 'transaction' | 'awaited'>

function isIdle({ operative, fault, plugged, transaction, awaited }: Place): boolean {
  return operative && !fault && !plugged && !transaction && !awaited
}

/** Free connectors without a reservation of their own. */
function freePlaces<P extends Place>(places: readonly P[], reserved: readonly Reservation[]): readonly P[] {
  const taken = new Set(reserved.map(({ connectorId }) => connectorId))
  return places.filter((place) => isIdle(place) && !taken.has(place.connectorId))
}

/** A reservation of the same number is replaced. */
export function reserveStatus(
  places: readonly Place[],
  reserved: readonly Reservation[],
  { id, connectorId, until }: Reservation,
  now: number,
): ReserveStatus {
  const others = reserved.filter((other) => other.id !== id)
  const desired = places.filter((place) => connectorId === undefined || place.connectorId === connectorId)
  if (until <= now || desired.length === 0) return 'Rejected'
  const anywhere = others.filter((other) => other.connectorId === undefined).length
  const free = freePlaces(places, others)
  const isFree = connectorId === undefined || free.some((place) => place.connectorId === connectorId)
  if (isFree && free.length > anywhere) return 'Accepted'
  if (desired.every(({ fault }) => fault)) return 'Faulted'
  return desired.every(({ operative, fault }) => !operative || fault) ? 'Unavailable' : 'Occupied'
}

export type Reservations = ReturnType<typeof createReservations>

export function createReservations(parts: ReservationContext) {
  const { outlets, protocol, clock, time } = parts
  let reserved: readonly Reservation[] = []
  let isReviewing = false

  /** 1.6 §3.11 and §5.13, H01: for one card, or for the cards of one group. */
  const isFor = ({ idToken, groupId }: Reservation, token: Token): boolean =>
    idToken.toLowerCase() === token.id.toLowerCase() || (groupId !== undefined && groupId === parts.groupOf(token))
  const ofAny = () => reserved.filter(({ connectorId }) => connectorId === undefined)
  const ofOutlet = ({ connectorId }: Outlet) => reserved.find((reservation) => reservation.connectorId === connectorId)

  /** 2.0.1 stations say that one ended without use; 1.6 has only the status. */
  const end = async (id: number, update: 'Expired' | 'Removed'): Promise<void> => {
    if (!reserved.some((reservation) => reservation.id === id)) return
    reserved = reserved.filter((reservation) => reservation.id !== id)
    if (protocol !== 'ocpp1.6') {
      const request = { reservationId: id, reservationUpdateStatus: update }
      await parts.notify({ method: 'ReservationStatusUpdate', request })
    }
    await show()
  }
  const isLost = ({ connectorId }: Reservation): boolean =>
    outlets
      .filter((outlet) => connectorId === undefined || outlet.connectorId === connectorId)
      .every(({ operative, fault }) => !operative || fault !== undefined)
  const show = async (): Promise<void> => {
    for (const { connectorId, status } of outlets)
      if (status === 'Available' || status === 'Reserved') await parts.settleStatus(connectorId)
  }

  return {
    show,
    reserve(order: Reservation): ReserveStatus {
      const status = reserveStatus(outlets, reserved, order, clock.now())
      if (status !== 'Accepted') return status
      reserved = [...reserved.filter(({ id }) => id !== order.id), order]
      time.after(order.until - clock.now(), () => (reserved.includes(order) ? end(order.id, 'Expired') : undefined))
      return status
    },
    cancel(id: number): boolean {
      const before = reserved.length
      reserved = reserved.filter((reservation) => reservation.id !== id)
      return reserved.length < before
    },
    /** The reservation that holds the connector. */
    holding(outlet: Outlet): Reservation | undefined {
      const own = ofOutlet(outlet)
      if (own || !isIdle(outlet)) return own
      const any = ofAny()
      return any.length >= freePlaces(outlets, reserved).length ? any[0] : undefined
    },
    /** Also while it is being paid for by its QR code (2.1 C25). */
    isFromOthers(outlet: Outlet, token: Token): boolean {
      if ((outlet.paymentUntil ?? 0) > clock.now() && token.type !== 'DirectPayment') return true
      const own = ofOutlet(outlet)
      if (own) return !isFor(own, token)
      const others = ofAny().filter((reservation) => !isFor(reservation, token))
      const left = freePlaces(outlets, reserved).filter((place) => place !== outlet)
      return others.length > left.length
    },
    use(outlet: Outlet, token: Token): Reservation | undefined {
      const used = ofOutlet(outlet) ?? ofAny().find((reservation) => isFor(reservation, token))
      reserved = reserved.filter((reservation) => reservation !== used)
      return used
    },
    async review(): Promise<void> {
      if (isReviewing || reserved.length === 0) return
      isReviewing = true
      for (const reservation of reserved.filter(isLost)) await end(reservation.id, 'Removed')
      await show()
      isReviewing = false
    },
  }
}
