/** What is wanted of charge points, over the API (INTENT-A1, INTENT-A2). */
import { z } from '@hono/zod-openapi'
import { cursorParameter, limitParameter, listOf } from '../../application/schemas/common.ts'
import { intentSchema, representIntent } from '../../domain/events/intent-events.ts'
import { INTENT_KINDS, INTENT_STATES, type Intent, type IntentKind } from '../../domain/intents/records.ts'
import { fittingOfChargePoints, fittingRecords, PART } from '../../domain/records/fitting.ts'
import { needsScope, sharedChargePoints, withheldFrom } from '../access/access.ts'
import type { Api } from '../api-parts.ts'
import { pageOf } from '../list-page.ts'
import { chargePointResource, resource } from '../resource.ts'

const COMMON = { tag: 'Intents', path: '/intents', access: needsScope('chargers:read') } as const
const IntentListSchema = listOf('IntentList', intentSchema(z))
const intentQuery = z.strictObject({
  state: z.enum(INTENT_STATES).optional(),
  kind: z.enum(INTENT_KINDS).optional(),
  limit: limitParameter,
  cursor: cursorParameter,
})

type IntentKey = Pick<Intent, 'chargePointId' | 'kind' | 'key'>
type Listing = Parameters<typeof pageOf>[1] & { readonly query: z.output<typeof intentQuery> }

export function addIntents(api: Api): void {
  const { reads } = api
  chargePointResource(api, COMMON).get('', 'listIntentsOfEvseController', 'List intents of a charge point', {
    query: intentQuery,
    ok: [IntentListSchema, 'A page of intents'],
    handle: (request) => {
      const { id } = request.chargePoint
      return intentPage(api, request, `intents of ${id}`, (limit, after) => of(api, [id], request, limit, after))
    },
  })
  resource(api, { ...COMMON, path: '/2/intents' }).get('', 'listIntents', 'List intents of all charge points', {
    query: intentQuery,
    ok: [IntentListSchema, 'A page of intents'],
    handle: (request) => {
      const shared = sharedChargePoints(request.principal)
      const { state, kind } = request.query
      const where = { accountId: request.principal.accountId, state, kind }
      return intentPage(api, request, 'intents', async (limit, after) => {
        if (shared) return of(api, shared, request, limit, after)
        const withheld = await withheldFrom(reads, request.principal)
        if (withheld.size === 0) return reads.listRecords('intents', { where, limit, after })
        return fittingRecords<Intent, IntentKey>(
          (from) => reads.listRecords('intents', { where, limit: PART, after: from }),
          ({ chargePointId }) => !withheld.has(chargePointId),
          limit,
          after,
        )
      })
    },
  })
}

/** Of a few: each has not many, so what does not fit the filter is left out here. */
function of(
  { reads }: Api,
  chargePointIds: readonly string[],
  { query: { state, kind } }: Listing,
  limit: number,
  after: IntentKey | undefined,
): Promise<readonly Intent[]> {
  return fittingOfChargePoints<Intent, IntentKey>(
    chargePointIds,
    (chargePointId, from) => reads.listRecords('intents', { where: { chargePointId }, limit: PART, after: from }),
    (intent) => (state === undefined || intent.state === state) && (kind === undefined || intent.kind === kind),
    limit,
    after,
  )
}

/** The cursor of a list holds one text. */
function intentPage(
  api: Api,
  request: Listing,
  name: string,
  rows: (limit: number, after: IntentKey | undefined) => Promise<readonly Intent[]>,
) {
  return pageOf(api, request, {
    name,
    place: ({ chargePointId, kind, key }: Intent) => [JSON.stringify([chargePointId, kind, key])],
    rows: (limit, last) => {
      const [chargePointId, kind, key] = (last ? JSON.parse(last[0]) : []) as [string, IntentKind, string]
      return rows(limit, last && { chargePointId, kind, key })
    },
    show: (found) => found.map(representIntent),
  })
}
