/** Reservations: a connector is kept for a card until a time (RESERVATION-A1). */
import { flag, type InputsOf, integer, json, optional, type RecordOf, record, text } from '../records/record.ts'

/** `requested` and `active` may become another one; the others are how it ended. */
export const RESERVATION_STATES = [
  'requested',
  'active',
  'rejected',
  'used',
  'expired',
  'cancelled',
  'removed',
] as const

export type ReservationState = (typeof RESERVATION_STATES)[number]

/** What is kept, and for whom. */
export interface ReservationOrder {
  readonly evseId?: number | undefined
  readonly connectorId?: number | undefined
  readonly idToken: string
  readonly idTokenType: string
  readonly groupId?: string | undefined
  readonly connectorType?: string | undefined
  readonly expiresAt: number
}

/** Of each charge point, by the number under which it knows them. */
export const reservations = record('reservations', {
  key: ['chargePointId', 'reservationId'],
  columns: {
    chargePointId: text(),
    reservationId: integer(),
    accountId: text(),
    id: text(),
    asked: json<ReservationOrder>(),
    state: text<ReservationState>(),
    reason: optional(text()),
    sessionId: optional(text()),
    /** It was cancelled; the charge point has not confirmed that yet. */
    isCancelling: flag(),
    /** Of calls that led to nothing. */
    nextAttemptAt: integer(),
    /** Each state with its time, for the timeline. */
    changes: json<readonly (readonly [state: ReservationState, at: number])[]>(),
    expiresAt: integer(),
    createdAt: integer(),
    updatedAt: integer(),
    grantId: optional(text()),
  },
  indexes: [['id'], ['expiresAt']],
  loadedWith: 'chargePoint',
})

export type Reservation = RecordOf<typeof reservations>

/** A call for a reservation. */
export interface ReservationCall {
  readonly reservationId: number
  readonly step: 'reserve' | 'cancel'
}

/** What happens to a reservation. */
export type ReservationInput = InputsOf<{
  reservationOrdered: {
    id: string
    reservationId: number
    order: ReservationOrder
    grantId?: string | undefined
  }
  reservationCancelled: { reservationId: number }
  reservationAnswered: {
    call: ReservationCall
    /** `failed`: its outcome is unknown. */
    answer: 'accepted' | 'refused' | 'failed'
    reason?: string | undefined
  }
  reservationReported: { reservationId: number; status: string }
}>
