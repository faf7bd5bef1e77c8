/** What happened to a session, and which commands made it so (API-B2). */
import { z } from '@hono/zod-openapi'
import { time } from '../../application/schemas/common.ts'
import { SessionSchema, sessionParams } from '../../application/schemas/sessions.ts'
import { timelineOf } from '../../application/session-timeline.ts'
import type { Api } from '../api-parts.ts'
import { resource } from '../resource.ts'
import { visibleSession } from './sessions.ts'

const CauseSchema = z.strictObject({
  id: z.string().openapi({ description: 'The command, as in the search.' }),
  createdAt: time(),
  method: z.string().optional().openapi({ description: 'Absent when the command is past its retention.' }),
  direction: z.enum(['in', 'out']).optional(),
  messageId: z.string().optional(),
})

const EventEntrySchema = z
  .strictObject({
    type: z.literal('event'),
    at: time(),
    eventId: z.string(),
    kind: z.enum(['transition', 'settlement', 'figures']),
    session: SessionSchema,
    causes: z.array(CauseSchema),
  })
  .openapi('TimelineEvent')

const SettlementEntrySchema = z
  .strictObject({
    type: z.literal('settlement'),
    at: time(),
    number: z.int(),
    energyKwh: z.number(),
    cost: z.number().optional(),
    currency: z.string().optional(),
    by: z.string(),
    reason: z.string().optional(),
  })
  .openapi('TimelineSettlement')

/** SESSION-S2: facts that the Session body never has. */
const FindingsSchema = z.object({
  endReason: z.enum(['normal', 'deauthorized', 'interrupted', 'rejected', 'expired', 'cancelled']).optional().openapi({
    description:
      'Why the session ended; `interrupted`: no end was reported, its figures are the last known; `cancelled`: it was stopped before it began.',
  }),
  suspendedBy: z.enum(['ev', 'evse']).optional(),
  flags: z.array(z.string()).openapi({
    description:
      'What was odd about its messages, such as `meterAnomaly`, `estimated`, `conflict`, `badClock`; may grow.',
    example: ['inferred'],
  }),
})

const TimelineSchema = z
  .object({
    data: z.array(z.discriminatedUnion('type', [EventEntrySchema, SettlementEntrySchema])),
    meta: FindingsSchema,
  })
  .openapi('SessionTimeline')

export function addTimeline(api: Api): void {
  const timeline = resource(api, { tag: 'Sessions', path: '/2/sessions/{sessionId}/timeline' })
  timeline.get('', 'getSessionTimeline', 'List events and settlements of a session, oldest first, with their causes', {
    params: sessionParams,
    ok: [TimelineSchema, 'The timeline'],
    async handle({ principal, params }) {
      const { id, endReason, suspendedBy, flags } = await visibleSession(api, principal, params.sessionId)
      return { data: await timelineOf(api, id), meta: { endReason, suspendedBy, flags } }
    },
  })
}
