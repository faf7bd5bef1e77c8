/** The public Session (API-B3) and the orders about sessions. */
import { z } from '@hono/zod-openapi'
import { SESSION_STATES, sessionUpdated } from '../../events/session-events.ts'
import { cursorParameter, limitParameter, listOf, queryInstant } from './common.ts'
import { dataSchema } from './webhooks.ts'

export { SESSION_STATES }

/** A webhook's `data` and an answer of the API are one schema (API-G1). */
export const SessionSchema = dataSchema(sessionUpdated)

export const SessionListSchema = listOf('SessionList', SessionSchema)

export const sessionParams = z.object({ sessionId: z.string() })

export const sessionConditions = z.object({
  'If-None-Match': z.string().optional().openapi({ description: 'An ETag that is known already.', example: 'W/"7"' }),
})

export const sessionQuery = z.strictObject({
  evseControllerId: z.string().optional(),
  state: z.enum(SESSION_STATES).optional(),
  from: queryInstant('Only sessions created at or after this time.').optional(),
  to: queryInstant('Only sessions created before this time.').optional(),
  limit: limitParameter,
  cursor: cursorParameter,
})

/** OCPP numbers connectors from 1; 0 would be the station itself. */
const place = z
  .int()
  .min(1)
  .max(2 ** 31 - 1)

export const StartSessionSchema = z
  .strictObject({
    evseControllerId: z.string(),
    connectorId: place.optional(),
    evseId: place.optional(),
    idToken: z.string().min(1).max(36).optional().openapi({
      description:
        'The card that the session is for; it must not be blocked or expired, and may stop the session. OCPP 2.0.1 charge points are sent it; those of 1.6 a tag of our own for this one session.',
    }),
    externalReference: z.string().min(1).max(255).optional(),
    ttl: z.int().min(1).max(60).optional().openapi({
      description: 'Seconds to wait for a charge point that is away; without it such an order is refused.',
    }),
  })
  .openapi('StartSession')
