/** The one event of the service, as subscribers receive it (HOOK-W1, HOOK-W2, HOOK-M8). */
import { z } from '@hono/zod-openapi'
import { time } from './common.ts'
import { SessionSchema } from './sessions.ts'

export const SessionEventSchema = z
  .strictObject({
    specversion: z.literal('1.0'),
    id: z.string().openapi({ description: 'The logical event; stable over retries, for deduplication.' }),
    type: z.literal('session.updated'),
    source: z.literal('service/api'),
    time: time(),
    datacontenttype: z.literal('application/json'),
    data: SessionSchema,
  })
  .openapi('SessionEvent')

export const deliveryHeaders = z.object({
  'Webhook-Timestamp': z
    .string()
    .openapi({ description: 'Unix seconds of the signature; refuse old ones (5 minutes).' }),
  'Webhook-Event': z.literal('session.updated'),
  'Webhook-Signature': z.string().openapi({
    description:
      'Hex HMAC-SHA256 of `<Webhook-Timestamp>.<raw body>` with the whole secret, whsec_ included, as the key. Split at commas and accept any match. With signatureScheme standard-webhooks as that has it.',
  }),
  'Webhook-Delivery': z.string().openapi({ description: 'Stable over retries; unsigned, not for deduplication.' }),
  'Webhook-Attempt': z.string().openapi({ description: 'Counts from 1.' }),
  'Webhook-Id': z.string().optional().openapi({ description: 'The id of the event. With standard-webhooks only.' }),
  'Webhook-Test': z
    .literal('true')
    .optional()
    .openapi({ description: 'The session is made up: somebody asked for a test.' }),
})
