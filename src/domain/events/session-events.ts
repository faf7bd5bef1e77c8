/**
 * The events about sessions. `session.updated` is a snapshot whenever state, settlement or figures change (HOOK-M8).
 */
import type { Session, SessionState } from '../ports/sessions.ts'
import { representSession } from '../sessions/figures/representation.ts'
import { event, timeSchema } from './declaration.ts'

export const SESSION_STATES = [
  'pending',
  'charging',
  'suspended',
  'finishing',
  'completed',
  'failed',
] as const satisfies readonly SessionState[]

export const sessionUpdated = event('session.updated', {
  about: 'session',
  subject: (session: Session) => session.id,
  coalesceKey: (session) => session.id,
  data: (z) =>
    z
      .strictObject({
        id: z.string(),
        evseControllerId: z.string(),
        state: z.enum(SESSION_STATES),
        externalReference: z.string().optional(),
        energyKwh: z.number().openapi({ description: 'Energy so far in kilowatt-hours, three decimals.' }),
        cost: z.number().optional().openapi({ description: 'Excluding VAT. 0: free. Absent: unknown.' }),
        currency: z.string().optional().openapi({ description: 'ISO 4217; present whenever cost is.' }),
        settlementCount: z.int().optional().openapi({ description: 'Absent before the first settlement.' }),
        startedAt: timeSchema(z).optional(),
        stoppedAt: timeSchema(z).optional(),
      })
      .openapi('Session'),
  represent: representSession,
  sample: ({ id, accountId, chargePointId, now }): Session => ({
    id,
    accountId,
    chargePointId,
    state: 'charging',
    energyMilliWh: 1_234_000,
    startedAt: now,
    createdAt: now,
    version: 1,
    flags: [],
  }),
  documentation: {
    component: 'SessionEvent',
    summary: 'A session changed',
    description: 'Sent when a session changes state, when it is settled or corrected, and when its figures change.',
  },
})

export const SESSION_EVENTS = [sessionUpdated] as const
