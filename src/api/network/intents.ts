/** What is wanted of charge points, over the API (INTENT-A1, INTENT-A2). */
import { z } from '@hono/zod-openapi'
import { chargePointParams } from '../../application/schemas/charge-points.ts'
import {
  cursorParameter,
  json as described,
  limitParameter,
  listOf,
  PAGE_DEFAULT,
} from '../../application/schemas/common.ts'
import { intentSchema, representIntent } from '../../domain/events/intent-events.ts'
import {
  INTENT_KINDS,
  INTENT_STATES,
  type Intent,
  type IntentKind,
  type IntentState,
} from '../../domain/intents/records.ts'
import { needsScope, sharedChargePoints, visibleChargePoint } from '../access/access.ts'
import type { Api } from '../api-parts.ts'
import { listPage, listQuery } from '../list-page.ts'
import { json } from '../respond.ts'

const TAG = 'Intents'
const IntentListSchema = listOf('IntentList', intentSchema(z))
const state = z.enum(INTENT_STATES).optional()
const kind = z.enum(INTENT_KINDS).optional()
const paging = { limit: limitParameter, cursor: cursorParameter }

interface Filter {
  readonly state?: IntentState | undefined
  readonly kind?: IntentKind | undefined
}

type IntentKey = Pick<Intent, 'chargePointId' | 'kind' | 'key'>

export function addIntents(api: Api): void {
  api.endpoints.add({
    method: 'get',
    path: '/2/evse-controllers/{evseController}/intents',
    operationId: 'listIntentsOfEvseController',
    tag: TAG,
    summary: 'List intents of a charge point',
    access: needsScope('chargers:read'),
    params: chargePointParams,
    query: z.strictObject({ state, kind, ...paging }),
    responses: { 200: described(IntentListSchema, 'A page of intents') },
    async handle({ principal, params, query }) {
      const { id } = await visibleChargePoint(api.reads, principal, params.evseController)
      const { limit = PAGE_DEFAULT, cursor } = query
      const bound = listQuery(`intents of ${id}`, principal, query)
      return intentPage(api, { limit, cursor, bound }, (count, after) => ofChargePoints(api, [id], query, count, after))
    },
  })
  api.endpoints.add({
    method: 'get',
    path: '/2/intents',
    operationId: 'listIntents',
    tag: TAG,
    summary: 'List intents of all charge points',
    access: needsScope('chargers:read'),
    query: z.strictObject({ state, kind, ...paging }),
    responses: { 200: described(IntentListSchema, 'A page of intents') },
    async handle({ principal, query }) {
      const { limit = PAGE_DEFAULT, cursor } = query
      const bound = listQuery('intents', principal, query)
      const shared = sharedChargePoints(principal)
      const { accountId } = principal
      const filter = {
        ...(query.state !== undefined && { state: query.state }),
        ...(query.kind !== undefined && { kind: query.kind }),
      }
      return intentPage(api, { limit, cursor, bound }, (count, after) =>
        shared
          ? ofChargePoints(api, [...new Set(shared)].sort(), query, count, after)
          : api.reads.listRecords('intents', {
              where: { accountId, ...filter },
              limit: count,
              ...(after && { after }),
            }),
      )
    },
  })
}

/** Of a few: each has not many, so what does not fit the filter is left out here. */
async function ofChargePoints(
  { reads }: Api,
  chargePointIds: readonly string[],
  { state: wantedState, kind: wantedKind }: Filter,
  limit: number,
  after: IntentKey | undefined,
): Promise<readonly Intent[]> {
  const found: Intent[] = []
  const rest = after ? chargePointIds.filter((id) => id >= after.chargePointId) : chargePointIds
  for (const chargePointId of rest) {
    let behind = after?.chargePointId === chargePointId ? after : undefined
    for (;;) {
      const page: readonly Intent[] = await reads.listRecords('intents', {
        where: { chargePointId },
        limit: PART,
        ...(behind && { after: behind }),
      })
      found.push(
        ...page.filter(
          (intent) =>
            (wantedState === undefined || intent.state === wantedState) &&
            (wantedKind === undefined || intent.kind === wantedKind),
        ),
      )
      if (found.length >= limit) return found.slice(0, limit)
      behind = page.at(-1)
      if (!behind || page.length < PART) break
    }
  }
  return found
}

const PART = 500

/** The cursor of a list holds one text. */
async function intentPage(
  api: Api,
  query: { readonly limit: number; readonly cursor: string | undefined; readonly bound: unknown },
  fetch: (limit: number, after: IntentKey | undefined) => Promise<readonly Intent[]>,
): Promise<Response> {
  const { rows, nextCursor } = await listPage(api, query, async (limit, lastId) => {
    const last = lastId === undefined ? undefined : (JSON.parse(lastId) as [string, IntentKind, string])
    const after = last && { chargePointId: last[0], kind: last[1], key: last[2] }
    const found = await fetch(limit, after)
    return found.map((intent) => ({ id: JSON.stringify([intent.chargePointId, intent.kind, intent.key]), intent }))
  })
  return json({ data: rows.map(({ intent }) => representIntent(intent)), meta: { nextCursor } })
}
