/** The events about intents (INTENT-A9). */

import { event, timeSchema, type Zod } from '../event-declaration.ts'
import { INTENT_KINDS, INTENT_STATES, type Intent } from '../intents/records.ts'
import { isoTime } from '../iso-time.ts'
import { RESERVATION_STATES, type Reservation } from '../reservations/records.ts'

/** Stands for a secret value. */
const HIDDEN = '***'

export const intentSchema = (z: Zod) =>
  z
    .strictObject({
      id: z.string(),
      evseControllerId: z.string(),
      kind: z.enum(INTENT_KINDS),
      key: z.string().openapi({
        description:
          'What is set: a configuration key, or `Component[instance].Variable[instance]` with `/evse/connector/` in front where there is one.',
      }),
      desired: z.unknown().openapi({ description: 'The desired value; *** where it is a secret.' }),
      revision: z.int().openapi({ description: 'Rises with each new desired value.' }),
      appliedRevision: z.int().optional().openapi({ description: 'The newest one that the station accepted.' }),
      state: z.enum(INTENT_STATES).openapi({
        description:
          'pending: waits to be sent. sent: its command is under way. applied: accepted. verified: read back and found so. rebootRequired: takes effect with a restart. rejected: the station, or what is known of it, does not allow it. unsupported: it has no such thing. conflict: it keeps another value. expired: not sent in time.',
      }),
      reason: z.string().optional(),
      attempts: z.int(),
      nextAttemptAt: timeSchema(z).optional(),
      expiresAt: timeSchema(z).optional(),
      commandId: z.string().optional().openapi({ description: 'The command that carried it last.' }),
      updatedAt: timeSchema(z),
    })
    .openapi('Intent')

export function representIntent(intent: Intent) {
  const { chargePointId, kind, key, desired, isSecret, revision, appliedRevision, state, reason, attempts } = intent
  const { nextAttemptAt, expiresAt, commandId, updatedAt } = intent
  return {
    id: `${chargePointId}/${kind}/${key}`,
    evseControllerId: chargePointId,
    kind,
    key,
    desired: isSecret ? HIDDEN : desired,
    revision,
    appliedRevision,
    state,
    reason,
    attempts,
    nextAttemptAt: isoTime(nextAttemptAt),
    expiresAt: isoTime(expiresAt),
    commandId,
    updatedAt: isoTime(updatedAt),
  }
}

export const intentChanged = event('intent.changed', {
  about: 'chargePoint',
  subject: (intent: Intent) => intent.chargePointId,
  coalesceKey: undefined,
  data: intentSchema,
  represent: representIntent,
  sample: ({ accountId, chargePointId, now }): Intent => ({
    chargePointId,
    accountId,
    kind: 'configurationKey',
    key: 'MeterValueSampleInterval',
    desired: '60',
    isSecret: false,
    revision: 1,
    appliedRevision: 1,
    state: 'verified',
    attempts: 1,
    drifts: [],
    updatedAt: now,
  }),
  documentation: {
    component: 'IntentEvent',
    summary: 'An intent for a charge point changed its state',
    description:
      'Sent when an intent is ordered, sent, accepted, found applied, refused, given up or changed; not when it is tried again.',
  },
})

export const INTENT_EVENTS = [intentChanged] as const

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
