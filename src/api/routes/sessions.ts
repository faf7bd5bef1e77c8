/** Sessions: one, many, start and stop (API-A9, API-G1, API-G2, SESSION-O1 to SESSION-O3). */

import { z } from '@hono/zod-openapi'
import { answerIs, orderOf } from '../../application/audit/auditing.ts'
import { inDetail, placeWords } from '../../application/charge-points/order-words.ts'
import { withLabels } from '../../application/charge-points/register.ts'
import { changeSessionLimits } from '../../application/charging/orders.ts'
import { amount, currency, millionths, readLimits } from '../../application/schemas/charge-limits.ts'
import { json as described, located, time, typedText } from '../../application/schemas/common.ts'
import {
  ChangeSessionSchema,
  DetailedSessionSchema,
  SessionListSchema,
  SessionSchema,
  StartSessionSchema,
  sessionConditions,
  sessionInclude,
  sessionParams,
  sessionQuery,
} from '../../application/schemas/sessions.ts'
import { timelineOf } from '../../application/session-timeline.ts'
import { paymentMembers } from '../../domain/payments/events.ts'
import type { Session } from '../../domain/ports/sessions.ts'
import { detailsOf, representTotals } from '../../domain/sessions/figures/details.ts'
import { representSession } from '../../domain/sessions/figures/representation.ts'
import { END_REASONS } from '../../domain/states.ts'
import { DESCRIPTION } from '../../domain/typed-text.ts'
import { type Principal, sees, sharedChargePoints, visibleChargePoint } from '../access/access.ts'
import type { Api } from '../api-parts.ts'
import { windowFaults } from '../requests/validation.ts'
import { pageOf, resource } from '../resource.ts'
import { json, notFound, orRefused } from '../respond.ts'

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
  sessions.patch('/{sessionId}', 'changeSession', 'Change the limits of a session', {
    description:
      'Limits that are left out stay; none can be removed. An OCPP 2.1 charge point that has suspended the charge at a limit goes on when it is raised. Refused once a stop is under way.',
    params: sessionParams,
    body: ChangeSessionSchema,
    ok: [SessionSchema, 'The session'],
    async handle({ principal, params, body }) {
      const session = await visibleSession(api, principal, params.sessionId)
      return representSession(orRefused(await changeSessionLimits(api, session, readLimits(body.limits))))
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

/** Settling a session, and correcting a settlement (COST-L2, COST-L3). */
const SettlementSchema = z
  .strictObject({
    cost: amount('Excluding VAT.').optional(),
    currency: currency.optional(),
    energyKwh: amount('Kilowatt-hours; a correction may lower it.').optional(),
    reason: typedText(DESCRIPTION).optional(),
  })
  .openapi('Settlement')

export function addSettlements(api: Api): void {
  const settlements = resource(api, {
    tag: 'Sessions',
    path: '/2/sessions/{sessionId}/settlements',
    params: sessionParams,
  })
  settlements.post('', 'settleSession', 'Settle a completed session, or correct a settlement', {
    description:
      'Figures left out keep their value. Each call that changes a figure counts one up and sends one event; equal figures answer 200 and change nothing.',
    body: SettlementSchema,
    idempotent: 'required',
    responses: {
      201: described(SessionSchema, 'Settled or corrected'),
      200: described(SessionSchema, 'The same figures as before'),
    },
    async handle({ principal, params, body: { cost, energyKwh, currency: code, reason } }) {
      const { id } = await visibleSession(api, principal, params.sessionId)
      const { session, counted } = orRefused(
        await api.core.settle({
          accountId: principal.accountId,
          sessionId: id,
          currency: code,
          reason,
          costMicros: cost === undefined ? undefined : millionths(cost),
          energyMilliWh: energyKwh === undefined ? undefined : millionths(energyKwh),
          by: principal.kind === 'credential' ? `credential ${principal.credentialId}` : `user ${principal.userId}`,
        }),
      )
      return json(representSession(session), counted ? 201 : 200)
    },
  })
}

/** What happened to a session, and which commands made it so (API-B2). */
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

const PaymentEntrySchema = z
  .strictObject({ type: z.literal('payment'), at: time(), ...paymentMembers(z) })
  .openapi('TimelinePayment')

/** SESSION-S2: facts that the Session body never has. */
const FindingsSchema = z.object({
  endReason: z.enum(END_REASONS).optional().openapi({
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
    data: z.array(z.discriminatedUnion('type', [EventEntrySchema, SettlementEntrySchema, PaymentEntrySchema])),
    meta: FindingsSchema,
  })
  .openapi('SessionTimeline')

export function addTimeline(api: Api): void {
  const timeline = resource(api, { tag: 'Sessions', path: '/2/sessions/{sessionId}/timeline' })
  timeline.get('', 'getSessionTimeline', 'List events and settlements of a session, oldest first, with their causes', {
    params: sessionParams,
    ok: [TimelineSchema, 'The timeline'],
    async handle({ principal, params }) {
      const session = await visibleSession(api, principal, params.sessionId)
      const { endReason, suspendedBy, flags } = session
      return { data: await timelineOf(api, session), meta: { endReason, suspendedBy, flags } }
    },
  })
}
