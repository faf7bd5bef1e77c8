/** Sessions: one, many, start and stop (API-A9, API-G1, API-G2, SESSION-O1 to SESSION-O3). */

import { answerIs, orderOf } from '../../application/audit/auditing.ts'
import { withLabels } from '../../application/charge-points/labelled.ts'
import { inDetail, placeWords } from '../../application/charge-points/order-words.ts'
import { readLimits } from '../../application/schemas/charge-limits.ts'
import { json as described, located } from '../../application/schemas/common.ts'
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
import { sees, sharedChargePoints, visibleChargePoint } from '../access/access.ts'
import type { Principal } from '../access/principal.ts'
import type { Api } from '../api-parts.ts'
import { pageOf } from '../list-page.ts'
import { notFound } from '../problem.ts'
import { windowFaults } from '../requests/validation.ts'
import { resource } from '../resource.ts'
import { json, orRefused } from '../respond.ts'

const COMMON = { tag: 'Sessions', path: '/2/sessions' } as const
const ETAG = { ETag: { $ref: '#/components/headers/ETag' } }

export function addSessions(api: Api): void {
  addOne(api)
  addList(api)
  addOrders(api)
}

/** API-G2: unknown, another account's or not shared: the same 404. */
export async function visibleSession(api: Api, principal: Principal, sessionId: string): Promise<Session> {
  const session = await api.reads.findSession(sessionId)
  if (!session || !sees(principal, { accountId: session.accountId, id: session.chargePointId })) {
    throw notFound('session')
  }
  return session
}

const CONDITIONS = 'Carries a weak ETag; with If-None-Match the answer is 304 while nothing changed.'

function addOne(api: Api): void {
  const responses = (schema: typeof SessionSchema | typeof DetailedSessionSchema) => ({
    200: { ...described(schema, 'The session'), headers: ETAG },
    304: { description: 'Not changed', headers: ETAG },
  })
  const one = { headers: sessionConditions, params: sessionParams }
  resource(api, { ...COMMON, path: '/sessions/{sessionId}' }).get('', 'getSession', 'Get a session', {
    ...one,
    description: CONDITIONS,
    responses: responses(SessionSchema),
    handle: async ({ principal, params, context }) =>
      bareSession(await visibleSession(api, principal, params.sessionId), context.req.header('if-none-match')),
  })
  resource(api, COMMON).get('/{sessionId}', 'getSessionV2', 'Get a session, with its details if requested', {
    ...one,
    description: `The same as \`/sessions/{sessionId}\`. ${CONDITIONS} Details have none: power and duration move on while the session stays.`,
    query: sessionInclude,
    responses: responses(DetailedSessionSchema),
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
  resource(api, COMMON).get('', 'listSessions', 'List sessions, newest first', {
    description:
      'Only those for which every filter holds. `label` is one of the charge point, as it is now. Totals are of all of them, not of the page.',
    query: sessionQuery,
    inspect: ({ query }) => ({
      faults: [
        ...windowFaults(query, '?to'),
        ...windowFaults({ from: query.startedFrom, to: query.startedTo }, '?startedTo'),
      ],
    }),
    ok: [SessionListSchema, 'A page of sessions'],
    async handle(request) {
      const { evseControllerId, label, limit: _, cursor: __, include, totals, ...bounds } = request.query
      const { accountId } = request.principal
      const shared = sharedChargePoints(request.principal)
      const requested = evseControllerId === undefined ? shared : [evseControllerId]
      const chargePointIds = shared ? requested?.filter((id) => shared.includes(id)) : requested
      const filter = await withLabels(api.reads, { accountId, chargePointIds, ...bounds }, label)
      const isByStart = bounds.startedFrom !== undefined || bounds.startedTo !== undefined
      const order = isByStart ? ({ byStart: true } as const) : {}
      const { data, meta } = await pageOf(api, request, {
        name: 'sessions',
        rows: (limit, last) => api.reads.listSessions({ ...filter, ...order, belowId: last?.[0], limit }),
        show: (rows) => (include === undefined ? rows.map(representSession) : withDetails(api, rows)),
      })
      const sums = totals === 'true' ? representTotals(await api.reads.sumSessions(filter, api.now())) : undefined
      return { data, meta: { ...meta, totals: sums } }
    },
  })
}

function addOrders(api: Api): void {
  const sessions = resource(api, { ...COMMON })
  sessions.post('', 'startSession', 'Start a session remotely', {
    auditSubject: ({ evseControllerId, evseId, connectorId }) =>
      orderOf(inDetail('Start', placeWords(evseId, connectorId)), evseControllerId),
    description:
      'Asks the charge point to start. The session is pending until the charge point has; it fails when it refuses or nothing happens in time. Idempotency-Key makes a repetition safe.',
    body: StartSessionSchema,
    idempotent: 'optional',
    problems: [404],
    begun: [SessionSchema, 'The pending session'],
    async handle({ principal, body }) {
      const { evseControllerId, ttl, limits, ...order } = body
      const { id: chargePointId, accountId } = await visibleChargePoint(api.reads, principal, evseControllerId)
      const ttlMs = ttl === undefined ? undefined : ttl * 1000
      const requested = { ...order, ttlMs, ...(limits && { limits: readLimits(limits) }) }
      const session = orRefused(await api.core.startSession({ accountId, chargePointId, ...requested }))
      answerIs(`session ${session.id}`)
      return representSession(session)
    },
  })
  sessions.post('/{sessionId}/stop', 'stopSession', 'Stop a session remotely', {
    description:
      'Asks the charge point to stop, again and again until it has, for 24 hours, also when it is away now. A pending session that the charge point has not begun is cancelled: it fails at once. The body is empty.',
    params: sessionParams,
    idempotent: 'optional',
    responses: { 202: located(SessionSchema, 'The session as it is now') },
    async handle({ principal, params }) {
      const { id } = await visibleSession(api, principal, params.sessionId)
      const session = orRefused(await api.core.stopSession(principal.accountId, id))
      return json(representSession(session), 202, { location: `/2/sessions/${id}` })
    },
  })
}
