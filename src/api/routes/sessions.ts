/** Sessions: one, many, start and stop (API-A9, API-G1, API-G2, SESSION-O1 to SESSION-O3). */

import { answerIs } from '../../application/audit/auditing.ts'
import { withLabels } from '../../application/charge-points/labelled.ts'
import { placeWords } from '../../application/charge-points/order-words.ts'
import { json as described, located, PAGE_DEFAULT } from '../../application/schemas/common.ts'
import {
  DetailedSessionSchema,
  SessionListSchema,
  SessionSchema,
  StartSessionSchema,
  sessionConditions,
  sessionInclude,
  sessionParams,
  sessionQuery,
} from '../../application/schemas/sessions.ts'
import type { Session } from '../../domain/ports/sessions.ts'
import { detailsOf, representTotals } from '../../domain/sessions/figures/details.ts'
import { representSession } from '../../domain/sessions/figures/representation.ts'
import { needsScope, sees, sharedChargePoints, visibleChargePoint } from '../access/access.ts'
import type { Principal } from '../access/principal.ts'
import type { Api } from '../api-parts.ts'
import { listPage, listQuery } from '../list-page.ts'
import { notFound } from '../problem.ts'
import { windowFaults } from '../requests/validation.ts'
import { json, orRefused } from '../respond.ts'

const TAG = 'Sessions'
const ETAG = { ETag: { $ref: '#/components/headers/ETag' } }

export function addSessions(api: Api): void {
  addOne(api)
  addOneV2(api)
  addList(api)
  addStart(api)
  addStop(api)
}

/** API-G2: unknown, another account's or not shared: the same 404. */
export async function visibleSession(api: Api, principal: Principal, sessionId: string): Promise<Session> {
  const session = await api.reads.findSession(sessionId)
  if (!session || !sees(principal, { accountId: session.accountId, id: session.chargePointId })) {
    throw notFound('session')
  }
  return session
}

const ONE = {
  method: 'get',
  tag: TAG,
  access: needsScope('sessions:read'),
  params: sessionParams,
  headers: sessionConditions,
} as const

const CONDITIONS = 'Carries a weak ETag; with If-None-Match the answer is 304 while nothing changed.'

function addOne(api: Api): void {
  api.endpoints.add({
    ...ONE,
    path: '/sessions/{sessionId}',
    operationId: 'getSession',
    summary: 'Get a session',
    description: CONDITIONS,
    responses: {
      200: { ...described(SessionSchema, 'The session'), headers: ETAG },
      304: { description: 'Not changed', headers: ETAG },
    },
    async handle({ principal, params, context }) {
      return bareSession(await visibleSession(api, principal, params.sessionId), context.req.header('if-none-match'))
    },
  })
}

function addOneV2(api: Api): void {
  api.endpoints.add({
    ...ONE,
    path: '/2/sessions/{sessionId}',
    operationId: 'getSessionV2',
    summary: 'Get a session, with its details if requested',
    description: `The same as \`/sessions/{sessionId}\`. ${CONDITIONS} Details have none: power and duration move on while the session stays.`,
    query: sessionInclude,
    responses: {
      200: { ...described(DetailedSessionSchema, 'The session'), headers: ETAG },
      304: { description: 'Not changed', headers: ETAG },
    },
    async handle({ principal, params, query, context }) {
      const session = await visibleSession(api, principal, params.sessionId)
      if (query.include === undefined) return bareSession(session, context.req.header('if-none-match'))
      const [shown = {}] = await withDetails(api, [session])
      return json(shown, 200, { 'cache-control': 'private, no-cache' })
    },
  })
}

function bareSession(session: Session, ifNoneMatch: string | undefined): Response {
  const headers = { etag: `W/"${session.version}"`, 'cache-control': 'private, no-cache' }
  if (matches(ifNoneMatch, headers.etag)) return new Response(null, { status: 304, headers })
  return json(representSession(session), 200, headers)
}

/** CONSOLE-C1: beside the attributes that a session has everywhere. */
async function withDetails({ reads, now }: Pick<Api, 'reads' | 'now'>, sessions: readonly Session[]) {
  const keys = sessions.map(({ id, chargePointId, transactionId }) => ({ id, chargePointId, transactionId }))
  const details = detailsOf(sessions, await reads.findTransactionsOf(keys), now())
  return sessions.map((session) => ({ ...representSession(session), details: details.get(session.id) }))
}

/** RFC 9110 §13.1.2: weak comparison, any of a list, or `*`. */
function matches(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  const opaque = (tag: string): string => tag.trim().replace(/^W\//, '')
  return ifNoneMatch.split(',').some((tag) => opaque(tag) === '*' || opaque(tag) === opaque(etag))
}

function addList(api: Api): void {
  api.endpoints.add({
    method: 'get',
    path: '/2/sessions',
    operationId: 'listSessions',
    tag: TAG,
    summary: 'List sessions, newest first',
    description:
      'Only those for which every filter holds. `label` is one of the charge point, as it is now. Totals are of all of them, not of the page.',
    access: needsScope('sessions:read'),
    query: sessionQuery,
    inspect: ({ query }) => ({ faults: windowFaults(query, '?to') }),
    responses: { 200: described(SessionListSchema, 'A page of sessions') },
    async handle({ principal, query }) {
      const { evseControllerId, label, limit = PAGE_DEFAULT, cursor, include, totals, ...bounds } = query
      const shared = sharedChargePoints(principal)
      const wanted = evseControllerId === undefined ? shared : [evseControllerId]
      const chargePointIds = shared ? wanted?.filter((id) => shared.includes(id)) : wanted
      const asked = { accountId: principal.accountId, ...(chargePointIds && { chargePointIds }), ...bounds }
      const filter = await withLabels(api.reads, asked, label)
      const bound = listQuery('sessions', principal, query)
      const { rows, nextCursor } = await listPage(api, { limit, cursor, bound }, (count, belowId) =>
        api.reads.listSessions({ ...filter, ...(belowId !== undefined && { belowId }), limit: count }),
      )
      const data = include === undefined ? rows.map(representSession) : await withDetails(api, rows)
      const sums = totals === 'true' ? representTotals(await api.reads.sumSessions(filter, api.now())) : undefined
      return json({ data, meta: { nextCursor, ...(sums && { totals: sums }) } })
    },
  })
}

function addStart(api: Api): void {
  api.endpoints.add({
    method: 'post',
    path: '/2/sessions',
    operationId: 'startSession',
    auditSubject: ({ evseControllerId, evseId, connectorId }) =>
      [evseControllerId, placeWords(evseId, connectorId)].filter((word) => word !== '').join(' '),
    tag: TAG,
    summary: 'Start a session remotely',
    description:
      'Asks the charge point to start. The session is pending until the charge point has; it fails when it refuses or nothing happens in time. Idempotency-Key makes a repetition safe.',
    access: needsScope('chargers:control'),
    body: StartSessionSchema,
    idempotent: 'optional',
    problems: [404],
    responses: { 202: located(SessionSchema, 'The pending session') },
    async handle({ principal, body }) {
      const { evseControllerId, ttl, ...order } = body
      const chargePoint = await visibleChargePoint(api.reads, principal, evseControllerId)
      const session = orRefused(
        await api.core.startSession({
          accountId: principal.accountId,
          chargePointId: chargePoint.id,
          ...order,
          ...(ttl !== undefined && { ttlMs: ttl * 1000 }),
        }),
      )
      answerIs(`session ${session.id}`)
      return json(representSession(session), 202, location(session.id))
    },
  })
}

function addStop(api: Api): void {
  api.endpoints.add({
    method: 'post',
    path: '/2/sessions/{sessionId}/stop',
    operationId: 'stopSession',
    tag: TAG,
    summary: 'Stop a session remotely',
    description:
      'Asks the charge point to stop, again and again until it has, for 24 hours, also when it is away now. A pending session that the charge point has not begun is cancelled: it fails at once. The body is empty.',
    access: needsScope('chargers:control'),
    params: sessionParams,
    idempotent: 'optional',
    responses: { 202: located(SessionSchema, 'The session as it is now') },
    async handle({ principal, params }) {
      const { id } = await visibleSession(api, principal, params.sessionId)
      const session = orRefused(await api.core.stopSession(principal.accountId, id))
      return json(representSession(session), 202, location(id))
    },
  })
}

function location(sessionId: string): Readonly<Record<string, string>> {
  return { location: `/2/sessions/${sessionId}` }
}
