/** `session.updated` is a snapshot whenever state, settlement or figures change (HOOK-M8). */

import { event, type MadeUp, timeSchema, type Zod } from '../event-declaration.ts'
import type { Session } from '../ports/sessions.ts'
import { representSession, suspectEnergyKwh } from '../sessions/figures/representation.ts'
import { SESSION_STATES } from '../states.ts'

const sessionShape = (z: Zod) => ({
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

const sample = ({ id, accountId, chargePointId, now }: MadeUp): Session => ({
  id,
  accountId,
  chargePointId,
  state: 'charging',
  energyMilliWh: 1_234_000,
  startedAt: now,
  createdAt: now,
  version: 1,
  flags: [],
})

export const sessionUpdated = event('session.updated', {
  about: 'session',
  subject: (session: Session) => session.id,
  coalesceKey: (session) => session.id,
  data: (z) => z.strictObject(sessionShape(z)).openapi('Session'),
  represent: representSession,
  sample,
  documentation: {
    component: 'SessionEvent',
    summary: 'A session changed',
    description: 'Sent when a session changes state, when it is settled or corrected, and when its figures change.',
  },
})

export const SESSION_EVENTS = [sessionUpdated] as const

/** ENERGY-N7: beside the snapshot, whose attributes are fixed. */
export const sessionSuspect = event('session.suspect', {
  about: 'session',
  subject: (session: Session) => session.id,
  coalesceKey: undefined,
  data: (z) => z.strictObject({ ...sessionShape(z), suspectEnergyKwh: z.number() }).openapi('SuspectSession'),
  represent: (session) => ({ ...representSession(session), suspectEnergyKwh: suspectEnergyKwh(session) ?? 0 }),
  sample: (made): Session => ({ ...sample(made), state: 'completed', suspectMilliWh: 7_783_903_000 }),
  documentation: {
    component: 'SuspectSessionEvent',
    summary: 'The energy of a session is suspect',
    description:
      'Sent when the registers of a charge say more than can have flowed (`suspectEnergyKwh`). It is not billed, and the account’s own settlement waits: settle the session.',
  },
})

export const SUSPECT_EVENTS = [sessionSuspect] as const
