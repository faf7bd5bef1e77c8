import { event, timeSchema, type Zod } from '../event-declaration.ts'
import { isoTime } from '../iso-time.ts'
import { RESERVATION_STATES, type Reservation } from '../reservations/records.ts'

export const reservationSchema = (z: Zod) =>
  z
    .strictObject({
      id: z.string(),
      evseControllerId: z.string(),
      reservationId: z.int().openapi({ description: 'The number under which the charge point knows it.' }),
      state: z.enum(RESERVATION_STATES).openapi({
        description:
          'requested: not answered yet. active: the charge point keeps it. rejected: it does not. used: a charge has begun. removed: the charge point gave it up.',
      }),
      reason: z.string().optional().openapi({ description: 'In the word of the charge point.' }),
      sessionId: z.string().optional().openapi({ description: 'The charge that used it.' }),
      evseId: z.int().optional(),
      connectorId: z.int().optional(),
      idToken: z.string().optional().openapi({
        description: 'Not for an application that did not order the reservation, and in none of its events.',
      }),
      idTokenType: z.string().optional(),
      groupId: z.string().optional(),
      connectorType: z.string().optional(),
      expiresAt: timeSchema(z),
      createdAt: timeSchema(z),
      updatedAt: timeSchema(z),
    })
    .openapi('Reservation')

/** Who may charge: none of an application that did not order the reservation. */
const CARD = ['idToken', 'idTokenType', 'groupId'] as const

export function representReservation(one: Reservation) {
  const { id, chargePointId, reservationId, state, reason, sessionId, asked, createdAt, updatedAt } = one
  const { expiresAt, ...kept } = asked
  return {
    id,
    evseControllerId: chargePointId,
    reservationId,
    state,
    reason,
    sessionId,
    ...kept,
    expiresAt: isoTime(expiresAt),
    createdAt: isoTime(createdAt),
    updatedAt: isoTime(updatedAt),
  }
}

export const reservationUpdated = event('reservation.updated', {
  about: 'chargePoint',
  readBy: 'chargers:control',
  withheld: CARD,
  subject: (reservation: Reservation) => reservation.chargePointId,
  coalesceKey: undefined,
  data: reservationSchema,
  represent: representReservation,
  sample: ({ accountId, chargePointId, now, id }): Reservation => ({
    chargePointId,
    accountId,
    reservationId: 7,
    id,
    state: 'active',
    isCancelling: false,
    nextAttemptAt: now,
    asked: { connectorId: 1, idToken: '04A2B3C4', idTokenType: 'ISO14443', expiresAt: now + 900_000 },
    expiresAt: now + 900_000,
    changes: [],
    createdAt: now,
    updatedAt: now,
  }),
  documentation: {
    component: 'ReservationEvent',
    summary: 'A reservation changed its state',
    description: 'Sent when it is ordered, accepted, refused, used, given up, cancelled or over.',
  },
})

export const RESERVATION_EVENTS = [reservationUpdated] as const
