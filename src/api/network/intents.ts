/** Intents for charge points over the API (INTENT-A1, INTENT-A2). */
import { z } from '@hono/zod-openapi'
import { listOf, pageParameters } from '../../application/schemas/common.ts'
import { intentSchema, representIntent } from '../../domain/events/intent-events.ts'
import { INTENT_KINDS, INTENT_STATES, type Intent } from '../../domain/intents/records.ts'
import { sharedChargePoints, withheldFrom } from '../access/access.ts'
import type { Api } from '../api-parts.ts'
import { chargePointResource, type pageOf, recordPage, resource } from '../resource.ts'

const COMMON = { tag: 'Intents', path: '/intents' } as const
const IntentListSchema = listOf('IntentList', intentSchema(z))
const intentQuery = z.strictObject({
  state: z.enum(INTENT_STATES).optional(),
  kind: z.enum(INTENT_KINDS).optional(),
  ...pageParameters,
})

type Listing = Parameters<typeof pageOf>[1] & { readonly query: z.output<typeof intentQuery> }

export function addIntents(api: Api): void {
  chargePointResource(api, COMMON).get('', 'listIntentsOfEvseController', 'List intents of a charge point', {
    query: intentQuery,
    ok: [IntentListSchema, 'A page of intents'],
    handle: (request) => intentPage(api, request, `intents of ${request.chargePoint.id}`, [request.chargePoint.id]),
  })
  resource(api, { ...COMMON, path: '/2/intents' }).get('', 'listIntents', 'List intents of all charge points', {
    query: intentQuery,
    ok: [IntentListSchema, 'A page of intents'],
    handle: (request) => intentPage(api, request, 'intents', sharedChargePoints(request.principal)),
  })
}

/** @param of those of a few charge points, who have not many: what does not fit the filter is left out here */
async function intentPage(api: Api, request: Listing, name: string, of: readonly string[] | undefined) {
  const { principal, query } = request
  const { state, kind } = query
  const withheld = of ? NONE : await withheldFrom(api.reads, principal)
  const isAsked = (intent: Intent): boolean =>
    (state === undefined || intent.state === state) && (kind === undefined || intent.kind === kind)
  return recordPage(api, request, {
    name,
    kind: 'intents',
    where: { accountId: principal.accountId, state, kind },
    of,
    fits: of || withheld.size > 0 ? (one) => isAsked(one) && !withheld.has(one.chargePointId) : undefined,
    show: (rows) => rows.map(representIntent),
  })
}

const NONE: ReadonlySet<string> = new Set()
