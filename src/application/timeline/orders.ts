/** What happened to a charge point as one list, for the API and for the pages (TIMELINE-A7). */

import { z } from '@hono/zod-openapi'
import { representIntent } from '../../domain/events/intent-events.ts'
import type { Intent } from '../../domain/intents/records.ts'
import { isoTime } from '../../domain/iso-time.ts'
import { logIdAt, logIdTime, logIdToUuid } from '../../domain/message-log/log-id.ts'
import type { SearchFilter } from '../../domain/ports/search-filter.ts'
import type { LogReads, Turn } from '../../domain/ports/storage.ts'
import type { Command } from '../../domain/ports/storage-records.ts'
import { allRecords } from '../../domain/records/all-records.ts'
import { HISTORY_KINDS, type HistoryEntry, TIMELINE_KINDS, type TimelineKind } from '../../domain/timeline/records.ts'
import {
  type Found,
  historyPosition,
  mergedPage,
  newestBelow,
  readHistoryPosition,
  type Source,
  type TimelinePage,
  type Window,
} from '../../domain/timeline/sources.ts'
import { versions } from '../../ocpp/versions.ts'
import type { UseCaseContext } from '../context.ts'
import { listOf, pageParameters, queryInstant, time } from '../schemas/common.ts'

interface TimelineContext extends Pick<UseCaseContext, 'reads' | 'salt'> {
  readonly searchLog: (turn: Turn) => Pick<LogReads, 'searchCommands'>
}

interface Line {
  readonly kinds: readonly TimelineKind[]
  readonly source: (place: TimelineContext) => Source
  readonly position: RegExp
}

const LINES: readonly Line[] = [
  { kinds: HISTORY_KINDS, source: history, position: /^\d{1,16}\.\d{1,6}$/ },
  { kinds: ['command'], source: (api) => commands(api, { methods: SENT }), position: /^\d{1,16}$/ },
  { kinds: ['command'], source: refusedCalls, position: /^\d{1,16}$/ },
  { kinds: ['session'], source: sessions, position: /^=?[\w-]{1,64}$/ },
  { kinds: ['intent'], source: intents, position: /^\d{1,16} [\s\S]{1,2000}$/ },
  { kinds: ['reservation'], source: reservations, position: /^\d{1,16} [\s\S]{1,100}$/ },
]

const HISTORY_PAGE = 500

export function chargePointTimeline(
  place: TimelineContext,
  window: Window,
  positions: readonly string[] | undefined,
  limit: number,
): Promise<TimelinePage> {
  const { kinds } = window
  const sources = LINES.map((line): Source => {
    const isAsked = kinds === undefined || line.kinds.some((kind) => kinds.has(kind))
    return isAsked ? line.source(place) : async () => []
  })
  return mergedPage(sources, window, positions, limit)
}

/** Whether its form is that of a page's cursor; an empty text is a source at its end. */
export function isTimelinePosition(value: unknown): value is readonly string[] {
  return (
    Array.isArray(value) &&
    value.length === LINES.length &&
    LINES.every(({ position }, at) => {
      const text: unknown = value[at]
      return typeof text === 'string' && (text === '' || position.test(text))
    })
  )
}

function history({ reads, salt }: TimelineContext): Source {
  return async ({ chargePointId, from, to, kinds }, below, limit) => {
    const id = { from: logIdAt(from ?? 0), below: to === undefined ? undefined : logIdAt(to) }
    const length = kinds ? HISTORY_PAGE : limit
    const entries: HistoryEntry[] = []
    let after = below === undefined ? undefined : readHistoryPosition(below)
    // Entries of other kinds are left out, so that one look may find too few.
    for (;;) {
      const page = await reads.listRecords('connection_history', {
        where: { chargePointId, id },
        newestFirst: true,
        ...(after && { after: { chargePointId, ...after } }),
        limit: length,
      })
      for (const entry of page) if (kinds?.has(entry.kind) ?? true) entries.push(entry)
      after = page.at(-1)
      if (!after || page.length < length || entries.length >= limit) break
    }
    return entries.slice(0, limit).map(({ id, part, kind, details, count, lastAt }) => ({
      at: logIdTime(id),
      position: historyPosition({ id, part }),
      above: historyPosition({ id, part: part + 1 }),
      entry: {
        id: `${logIdToUuid(id, salt)}.${part}`,
        at: isoTime(logIdTime(id)),
        kind,
        ...details,
        ...(count > 1 && { count }),
        lastAt: isoTime(lastAt),
      },
    }))
  }
}

const SENT = [...new Set(Object.values(versions).flatMap(({ toChargePoint }) => Object.keys(toChargePoint)))]

function refusedCalls(api: TimelineContext): Source {
  return commands(api, { excludeMethods: SENT, status: [{ op: 'in', values: ['error'] }] })
}

const LOG_PAGE = 500

function commands({ searchLog, salt }: TimelineContext, filter: SearchFilter): Source {
  return async ({ accountId, chargePointId, from, to }, below, limit) => {
    const log = searchLog({ accountId, lane: 'page' })
    const found: Command[] = []
    let belowId = below === undefined ? undefined : Number(below)
    // Messages of the charge point that are called like ours are left out, so that one look may find too few.
    for (;;) {
      const rows = await log.searchCommands({
        chargePointId,
        fromId: logIdAt(from ?? 0),
        toId: to === undefined ? Number.MAX_SAFE_INTEGER : logIdAt(to),
        belowId,
        filter,
        limit: Math.min(limit, LOG_PAGE),
      })
      for (const row of rows) if (row.direction === 'out' || row.status === 'error') found.push(row)
      belowId = rows.at(-1)?.id
      if (belowId === undefined || rows.length < Math.min(limit, LOG_PAGE) || found.length >= limit) break
    }
    return found.slice(0, limit).map((row) => ({
      at: logIdTime(row.id),
      position: String(row.id),
      above: String(row.id + 1),
      entry: {
        id: logIdToUuid(row.id, salt),
        at: isoTime(logIdTime(row.id)),
        kind: 'command',
        method: row.method,
        direction: row.direction,
        status: row.status,
        connectorId: row.connectorId,
        evseId: row.evseId,
        transactionId: row.transactionId,
        error: row.error && { code: row.error.code, description: row.error.description },
      },
    }))
  }
}

const INCLUSIVE = /^=/

function sessions({ reads }: TimelineContext): Source {
  return async ({ accountId, chargePointId, from, to }, below, limit) => {
    const belowId = below?.replace(INCLUSIVE, '')
    const named = below !== undefined && below !== belowId ? await reads.findSession(below.slice(1)) : undefined
    const first = named?.accountId === accountId && named.chargePointId === chargePointId ? named : undefined
    const rest = await reads.listSessions({
      accountId,
      chargePointIds: [chargePointId],
      from,
      to,
      belowId,
      limit,
    })
    return (first ? [first, ...rest] : rest)
      .slice(0, limit)
      .map(({ id, createdAt, state, connectorId, evseId, transactionId }) => ({
        at: createdAt,
        position: id,
        above: `=${id}`,
        entry: {
          id,
          at: isoTime(createdAt),
          kind: 'session',
          sessionId: id,
          state,
          connectorId,
          evseId,
          transactionId,
        },
      }))
  }
}

/** Each at its last change, as it is now. A charge point has few, so they are read all and put in order here. */
function intents({ reads }: TimelineContext): Source {
  return async ({ chargePointId, from = 0, to = Number.POSITIVE_INFINITY }, below, limit) => {
    const found = await allRecords(reads, 'intents', { chargePointId })
    return newestBelow(
      found.filter(({ updatedAt }) => updatedAt >= from && updatedAt < to),
      ({ updatedAt, kind, key }) => ({ at: updatedAt, name: `${kind}/${key}` }),
      below,
      limit,
    ).map(({ of: intent, at, ...places }) => ({ at, ...places, entry: intentEntry(intent) }))
  }
}

const RESERVATIONS_READ = 200

/** RESERVATION-A6: each change of each. A charge point has a hundred at most. */
function reservations({ reads }: TimelineContext): Source {
  return async ({ chargePointId, from = 0, to = Number.POSITIVE_INFINITY }, below, limit) => {
    const found = await reads.listRecords('reservations', { where: { chargePointId }, limit: RESERVATIONS_READ })
    const changes = found.flatMap((one) => one.changes.map(([state, at]) => ({ one, state, at })))
    return newestBelow(
      changes.filter(({ at }) => at >= from && at < to),
      ({ one, state, at }) => ({ at, name: `${one.id} ${state}` }),
      below,
      limit,
    ).map(({ of: { one, state }, at, ...places }) => {
      const { id, reservationId, asked } = one
      const { evseId, connectorId } = asked
      const entry = {
        id: `${id} ${state}`,
        at: isoTime(at),
        kind: 'reservation',
        state,
        reservationId,
        evseId,
        connectorId,
      }
      return { at, ...places, entry }
    })
  }
}

function intentEntry(intent: Intent): Found['entry'] {
  const { id, kind, key, state, revision, reason, commandId, updatedAt } = representIntent(intent)
  return { id, at: updatedAt, kind: 'intent', intentKind: kind, key, state, revision, reason, commandId }
}

/** The timeline of a charge point as the API shows it (TIMELINE-A7). */
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
    pspRef: z.string().optional().openapi({ description: 'Of `payment`.' }),
    amount: z.number().optional(),
    receiptId: z.string().optional(),
  })
  .openapi('ChargePointTimelineEntry')

export type TimelineEntry = z.infer<typeof EntrySchema>

export const ChargePointTimelineSchema = listOf('ChargePointTimeline', EntrySchema)

export const timelineQuery = z.strictObject({
  from: queryInstant('Only what happened at or after this time.').optional(),
  to: queryInstant('Only what happened before this time.').optional(),
  ...pageParameters,
})
