/** The timeline of a charge point as the API shows it (TIMELINE-A7). */
import { z } from '@hono/zod-openapi'
import { TIMELINE_KINDS } from '../../domain/timeline/records.ts'
import { listOf, pageParameters, queryInstant, time } from '../schemas/common.ts'

const EntrySchema = z
  .object({
    id: z.string(),
    at: time(),
    kind: z.enum(TIMELINE_KINDS).openapi({ description: 'May grow.' }),
    count: z.int().optional().openapi({ description: 'It happened so often, from `at` to `lastAt`.' }),
    lastAt: time().optional(),
    protocol: z.string().optional(),
    code: z.int().optional().openapi({ description: 'Of `disconnected`: the close code of RFC 6455.' }),
    reason: z.string().optional().openapi({
      description: 'Of `disconnected`: the text beside the code. Of `refused`: a name for programs, may grow.',
    }),
    detail: z.string().optional(),
    vendor: z.string().optional(),
    model: z.string().optional(),
    serialNumber: z.string().optional(),
    firmwareVersion: z.string().optional(),
    registrationStatus: z.string().optional(),
    evseId: z.int().optional(),
    connectorId: z.int().optional(),
    status: z.string().optional().openapi({ description: 'Of a connector, or of a command.' }),
    previousStatus: z.string().optional(),
    errorCode: z.string().optional(),
    method: z.string().optional(),
    direction: z.enum(['in', 'out']).optional(),
    transactionId: z.string().optional(),
    error: z.object({ code: z.string(), description: z.string() }).optional(),
    sessionId: z.string().optional(),
    state: z
      .string()
      .optional()
      .openapi({ description: 'Of a session or an intent, as it is now; what a reservation became.' }),
    reservationId: z.int().optional().openapi({ description: 'The number under which the charge point knows it.' }),
    intentKind: z.string().optional().openapi({ description: 'What kind of setting is desired.' }),
    key: z.string().optional().openapi({ description: 'Of an intent.' }),
    revision: z.int().optional(),
    commandId: z.string().optional().openapi({ description: 'Of an intent: the command that carried it last.' }),
    type: z.string().optional().openapi({ description: 'Of `security`.' }),
  })
  .openapi('ChargePointTimelineEntry')

export type TimelineEntry = z.infer<typeof EntrySchema>

export const ChargePointTimelineSchema = listOf('ChargePointTimeline', EntrySchema)

export const timelineQuery = z.strictObject({
  from: queryInstant('Only what happened at or after this time.').optional(),
  to: queryInstant('Only what happened before this time.').optional(),
  ...pageParameters,
})
