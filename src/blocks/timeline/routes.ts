/** What happened to a charge point, newest first (TIMELINE-A7). */
import { logIdAt, logIdTime, logIdToUuid } from '../../commands/log-id.ts'
import { isoTime } from '../../commands/row.ts'
import { representIntent } from '../../events/intent-events.ts'
import { needsScope, visibleChargePoint } from '../../http/access/access.ts'
import { foreignCursor, listQuery, openCursor } from '../../http/pages.ts'
import type { Api } from '../../http/parts.ts'
import { windowFaults } from '../../http/requests/validation.ts'
import { json } from '../../http/respond.ts'
import { chargePointParams } from '../../http/schemas/charge-points.ts'
import { json as described, PAGE_DEFAULT } from '../../http/schemas/common.ts'
import { refusalOf } from '../../http/search.ts'
import { versions } from '../../ocpp/versions.ts'
import type { SearchFilter } from '../../ports/search-filter.ts'
import type { Command } from '../../ports/storage.ts'
import type { Intent } from '../intents/records.ts'
import { ChargePointTimelineSchema, timelineQuery } from './schemas.ts'
import {
  type Found,
  historyPosition,
  mergedPage,
  newestBelow,
  readHistoryPosition,
  type Source,
  type Window,
} from './sources.ts'

/**
 * The table of kinds: what is merged. Another block adds a line with its source, and its kind to the schema; the cursor
 * holds a position for each line.
 */
const SOURCES: readonly ((api: Api) => Source)[] = [history, sentCommands, refusedCalls, sessions, intents]

export function addChargePointTimeline(api: Api): void {
  const sources = SOURCES.map((source) => source(api))
  api.endpoints.add({
    method: 'get',
    path: '/2/evse-controllers/{evseController}/timeline',
    operationId: 'getChargePointTimeline',
    tag: 'Charge points',
    summary: 'What happened to a charge point, newest first',
    description:
      'Its connections and refused connections, boots, changes of status, security events, the commands that it was sent, its messages that were refused, its sessions, and what is wanted of it at the time of its last change. An entry that has a count stands for so many of its kind, the last one at `lastAt`.',
    access: needsScope('chargers:read'),
    params: chargePointParams,
    query: timelineQuery,
    inspect: ({ query }) => ({ faults: windowFaults(query, '?to') }),
    responses: { 200: described(ChargePointTimelineSchema, 'A page of the timeline') },
    async handle({ principal, params, query }) {
      const { id, accountId } = await visibleChargePoint(api.reads, principal, params.evseController)
      const { from, to, limit = PAGE_DEFAULT, cursor } = query
      const bound = listQuery(`timeline of ${id}`, principal, { ...query, limit })
      const opened = cursor === undefined ? undefined : openCursor(api, cursor, bound, '?cursor')
      if (opened && (opened.length !== sources.length || !opened.every((one) => typeof one === 'string'))) {
        throw foreignCursor()
      }
      const window: Window = { accountId, chargePointId: id, from, to }
      const page = await mergedPage(sources, window, opened?.map(String), limit)
      const nextCursor = page.positions && api.cursors.seal(page.positions, bound, api.now())
      return json({ data: page.entries.map(({ entry }) => entry), meta: { nextCursor } })
    },
  })
}

function history({ reads, salt }: Api): Source {
  return async ({ chargePointId, from, to }, below, limit) => {
    const entries = await reads.listRecords('connection_history', {
      where: { chargePointId, id: { from: logIdAt(from ?? 0), below: to === undefined ? undefined : logIdAt(to) } },
      newestFirst: true,
      ...(below !== undefined && { after: { chargePointId, ...readHistoryPosition(below) } }),
      limit,
    })
    return entries.map(({ id, part, kind, details, count, lastAt }) => ({
      at: logIdTime(id),
      position: historyPosition({ id, part }),
      above: historyPosition({ id, part: part + 1 }),
      entry: {
        id: `${logIdToUuid(id, salt)}.${part}`,
        at: isoTime(logIdTime(id)),
        kind,
        ...details,
        ...(count > 1 && { count }),
        ...(lastAt !== undefined && { lastAt: isoTime(lastAt) }),
      },
    }))
  }
}

/** Names of what we send; a DataTransfer goes both ways. */
const SENT = [...new Set(Object.values(versions).flatMap(({ toChargePoint }) => Object.keys(toChargePoint)))]

function sentCommands(api: Api): Source {
  return commands(api, { methods: SENT })
}

/** Messages of the charge point that were answered with an error. */
function refusedCalls(api: Api): Source {
  return commands(api, { excludeMethods: SENT, status: [{ op: 'in', values: ['error'] }] })
}

const LOG_PAGE = 500

function commands({ searchLog, salt }: Api, filter: SearchFilter): Source {
  return async ({ accountId, chargePointId, from, to }, below, limit) => {
    const log = searchLog({ accountId, lane: 'page' })
    const found: Command[] = []
    let belowId = below === undefined ? undefined : Number(below)
    // Messages of the charge point that are called like ours are left out, so that one look may find too few.
    for (;;) {
      const rows = await log
        .searchCommands({
          chargePointId,
          fromId: logIdAt(from ?? 0),
          toId: to === undefined ? Number.MAX_SAFE_INTEGER : logIdAt(to),
          ...(belowId !== undefined && { belowId }),
          filter,
          limit: Math.min(limit, LOG_PAGE),
        })
        .catch((error: unknown) => {
          throw refusalOf(error) ?? error
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

/** Before an id that belongs to the page itself. */
const INCLUSIVE = /^=/

function sessions({ reads }: Api): Source {
  return async ({ accountId, chargePointId, from, to }, below, limit) => {
    const belowId = below?.replace(INCLUSIVE, '')
    const first = below !== undefined && below !== belowId ? await reads.findSession(below.slice(1)) : undefined
    const rest = await reads.listSessions({
      accountId,
      chargePointIds: [chargePointId],
      ...(from !== undefined && { from }),
      ...(to !== undefined && { to }),
      ...(belowId !== undefined && { belowId }),
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

const INTENTS_READ = 500

/** Each at its last change, as it is now. A charge point has few, so they are read all and put in order here. */
function intents({ reads }: Api): Source {
  return async ({ chargePointId, from = 0, to = Number.POSITIVE_INFINITY }, below, limit) => {
    const found: Intent[] = []
    for (;;) {
      const after = found.at(-1)
      const query = { where: { chargePointId }, limit: INTENTS_READ, ...(after && { after }) }
      const page = await reads.listRecords('intents', query)
      found.push(...page)
      if (page.length < INTENTS_READ) break
    }
    return newestBelow(
      found.filter(({ updatedAt }) => updatedAt >= from && updatedAt < to),
      ({ updatedAt, kind, key }) => ({ at: updatedAt, name: `${kind}/${key}` }),
      below,
      limit,
    ).map(({ of: intent, at, ...places }) => ({ at, ...places, entry: intentEntry(intent) }))
  }
}

function intentEntry(intent: Intent): Found['entry'] {
  const { id, kind, key, state, revision, reason, commandId, updatedAt } = representIntent(intent)
  return { id, at: updatedAt, kind: 'intent', intentKind: kind, key, state, revision, reason, commandId }
}
