/** What happened to a session, and which commands made it so (B2). */
import { z } from '@hono/zod-openapi'
import { logIdTime, logIdToUuid } from '../../commands/log-id.ts'
import { isoTime } from '../../commands/row.ts'
import { roundCost } from '../../sessions/cost.ts'
import type { SessionEvent } from '../../storage/store.ts'
import type { SettlementEntry } from '../../storage/webhook-store.ts'
import { needsScope } from '../access.ts'
import type { Api } from '../parts.ts'
import { json } from '../respond.ts'
import { json as described, listOf, time } from '../schemas/common.ts'
import { SessionSchema, sessionParams } from '../schemas/sessions.ts'
import { visibleSession } from './sessions.ts'

const CauseSchema = z.strictObject({
  id: z.string().openapi({ description: 'The command, as in the search.' }),
  createdAt: time(),
  method: z.string().optional().openapi({ description: 'Absent when the command is past its retention.' }),
  direction: z.enum(['in', 'out']).optional(),
  messageId: z.string().optional(),
})

const EventEntrySchema = z.strictObject({
  type: z.literal('event'),
  at: time(),
  eventId: z.string(),
  kind: z.enum(['transition', 'settlement', 'figures']),
  session: SessionSchema,
  causes: z.array(CauseSchema),
})

const SettlementEntrySchema = z.strictObject({
  type: z.literal('settlement'),
  at: time(),
  number: z.int(),
  energyKwh: z.number(),
  cost: z.number().optional(),
  currency: z.string().optional(),
  by: z.string(),
  reason: z.string().optional(),
})

const TimelineSchema = listOf('SessionTimeline', z.union([EventEntrySchema, SettlementEntrySchema]))

export function addTimeline(api: Api): void {
  api.endpoints.add({
    method: 'get',
    path: '/2/sessions/{sessionId}/timeline',
    operationId: 'getSessionTimeline',
    tag: 'Sessions',
    summary: 'Events and settlements of a session, oldest first, with their causes',
    access: needsScope('sessions:read', 'chargers:read'),
    params: sessionParams,
    responses: { 200: described(TimelineSchema, 'The timeline') },
    async handle({ principal, params }) {
      const { id } = await visibleSession(api, principal, params.sessionId)
      const events = await api.reads.listSessionEvents(id)
      const settlements = await api.reads.listSettlements(id)
      const shown = [...(await Promise.all(events.map((event) => eventEntry(api, event)))), ...settlements.map(entry)]
      shown.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
      return json({ data: shown, meta: {} })
    },
  })
}

async function eventEntry({ reads, salt }: Api, event: SessionEvent) {
  const { data } = JSON.parse(event.body) as { readonly data: unknown }
  const causes = await Promise.all(
    event.causes.map(async (cause) => {
      const command = await reads.findCommand(event.chargePointId, cause)
      return {
        id: logIdToUuid(cause, salt),
        createdAt: isoTime(logIdTime(cause)),
        ...(command && { method: command.method, direction: command.direction, messageId: command.messageId }),
      }
    }),
  )
  return { type: 'event', at: isoTime(event.time), eventId: event.id, kind: event.kind, session: data, causes }
}

function entry({ number, energyMilliWh, costMicros, currency, at, by, reason }: SettlementEntry) {
  return {
    type: 'settlement',
    at: isoTime(at),
    number,
    energyKwh: Math.round(energyMilliWh / 1000) / 1000,
    ...(costMicros !== undefined && currency !== undefined && { cost: roundCost(costMicros, currency), currency }),
    by,
    ...(reason !== undefined && { reason }),
  }
}
