/** Reservations over the API (RESERVATION-A1). */
import type { z } from '@hono/zod-openapi'
import {
  cancelReservation,
  findReservation,
  OrderReservationSchema,
  orderReservation,
  ReservationSchema,
  reservationParams,
} from '../../application/reservations/orders.ts'
import { representReservation } from '../../domain/events/intent-events.ts'
import type { Reservation } from '../../domain/reservations/records.ts'
import { grantOf, type Principal, sees, visibleChargePoint } from '../access/access.ts'
import type { Api } from '../api-parts.ts'
import { resource } from '../resource.ts'
import { notFound, orRefused } from '../respond.ts'

export function addReservations(api: Api): void {
  const common = { tag: 'Reservations', path: '/2/reservations' } as const
  resource(api, common).post('', 'createReservation', 'Reserve a charge point or a part of it', {
    description:
      'The charge point is asked to keep an EVSE, a connector or any of them for an id token. It is refused for one that is away. The reservation is requested until the charge point has answered; reservation.updated tells each change.',
    body: OrderReservationSchema,
    problems: [404, 409, 422],
    begun: [ReservationSchema, 'The requested reservation'],
    async handle({ principal, body }) {
      const { evseControllerId, ...order } = body as z.output<typeof OrderReservationSchema>
      const chargePoint = await visibleChargePoint(api.reads, principal, evseControllerId)
      return representReservation(orRefused(await orderReservation(api, chargePoint, order, grantOf(principal))))
    },
  })
  const one = resource(api, { ...common, path: `${common.path}/{id}`, params: reservationParams })
  one.get('', 'getReservation', 'Get a reservation', {
    description: 'Of each charge point the newest fifty that are over are kept.',
    ok: [ReservationSchema, 'The reservation'],
    handle: async ({ principal, params: { id } }) => shownTo(principal, await find(api, principal, id)),
  })
  one.delete('', 'cancelReservation', 'Cancel a reservation', {
    description: 'It stands until the charge point has taken it back.',
    problems: [409],
    accepted: [ReservationSchema, 'The reservation as it is now'],
    holds: ({ principal, params: { id } }) => find(api, principal, id),
    handle: async ({ principal, params: { id } }) =>
      representReservation(orRefused(await cancelReservation(api, await find(api, principal, id)))),
  })
}

/** Who may charge is no business of an application that did not order it. */
function shownTo(principal: Principal, one: Reservation): object {
  const { idToken, idTokenType, groupId, ...others } = representReservation(one)
  return principal.kind === 'token' && one.grantId !== principal.grantId
    ? others
    : { ...others, idToken, idTokenType, groupId }
}

async function find(api: Api, principal: Principal, id: string): Promise<Reservation> {
  const found = await findReservation(api, id)
  if (!found || !sees(principal, { accountId: found.accountId, id: found.chargePointId })) throw notFound('reservation')
  return found
}
