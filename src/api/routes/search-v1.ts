/** The deprecated command search v1: a shim over v2's search (SEARCH-V1 to SEARCH-V7). */
import type { MiddlewareHandler } from 'hono'
import { faultsOf } from '../../application/check-schema.ts'
import { chargePointParams } from '../../application/schemas/charge-points.ts'
import { PAGE_DEFAULT_V1, SearchPageV1Schema, SearchV1Schema } from '../../application/schemas/commands.ts'
import { commandJsonV1 } from '../../domain/message-log/csv.ts'
import { parseFilter } from '../../domain/message-log/parse-filter.ts'
import { MIGRATE_TO, readV1Window, SKIP_LIMIT, unsupportedInV1, type V1Dates } from '../../domain/message-log/v1.ts'
import type { Api } from '../api-parts.ts'
import { type ApiEnv, type Inspected, type Sent, setHeaders } from '../endpoint.ts'
import { belowBasePath } from '../requests/base-path.ts'
import { orRefuse } from '../requests/validation.ts'
import { resource } from '../resource.ts'
import { jsonText, Problem } from '../respond.ts'
import { findPage } from '../search.ts'

/** SEARCH-V6, SEARCH-V7; RFC 9745 and RFC 8594. */
const DEPRECATED_SINCE_SECONDS = Date.UTC(2026, 6, 31) / 1000
const SUNSET_MS = Date.UTC(2027, 2, 31)

/** Before anything else, authentication included: the headers of every v1 answer, and 410 from the sunset on. */
export function v1Lifecycle({ settings, now }: Pick<Api, 'settings' | 'now'>): MiddlewareHandler<ApiEnv> {
  const withoutBasePath = belowBasePath(settings.baseUrl)
  return async (context, next) => {
    // As it was sent: a header holds no decoded characters.
    const path = withoutBasePath(new URL(context.req.url).pathname)
    const successor = `${settings.baseUrl}/2/${path.replace(/^\/1\//, '')}`
    setHeaders(context, {
      deprecation: `@${DEPRECATED_SINCE_SECONDS}`,
      sunset: new Date(SUNSET_MS).toUTCString(),
      link: `<${successor}>; rel="successor-version", <${settings.baseUrl}/docs#search-v1>; rel="deprecation"`,
    })
    if (now() >= SUNSET_MS) {
      throw new Problem(410, 'gone', `The v1 search ended on 31 March 2027; use ${MIGRATE_TO}.`, {
        members: { migrateTo: MIGRATE_TO },
      })
    }
    await next()
  }
}

export function addSearchV1(api: Api): void {
  const { metrics, now, salt } = api
  resource(api, { tag: 'Commands', path: '/1/evse-controllers/{evseController}/commands/search' }).post(
    '',
    'searchCommandsV1',
    'Search the message log (v1)',
    {
      description:
        'Deprecated since 31 July 2026, ends on 31 March 2027. Without dates it covers the last 90 days. format, ids, status and sort are answered 400.',
      deprecated: true,
      audit: false,
      rate: 'v1',
      params: chargePointParams,
      body: SearchV1Schema,
      confirms: true,
      inspect: ({ body }) => inspectV1(body, now()),
      responses: {
        200: { description: 'A page', content: { 'application/json': { schema: SearchPageV1Schema } } },
      },
      async handle(incoming) {
        const { principal, params, body } = incoming
        const { limit = PAGE_DEFAULT_V1, skip = 0 } = body
        const bounds = orRefuse(readV1Window(body, now()))
        const filter = orRefuse(parseFilter(body))
        const asked = { chargePointId: params.evseController, ...bounds, filter, limit, offset: skip, count: {} }
        const found = await findPage(api, 'v1', incoming, asked)
        if (principal.kind === 'credential') metrics.countV1Use(principal.credentialId)
        const rows = found.rows.map((row) => commandJsonV1(row, salt)).join(',')
        return jsonText(`{"data":[${rows}],"meta":{"total":${found.total?.value ?? 0}}}`)
      },
    },
  )
}

/** SEARCH-V2, SEARCH-V4: what only v2 can do is named together with the way there. */
function inspectV1(body: Sent['body'], now: number): Inspected {
  const onlyInV2 = [...unsupportedInV1(body)]
  if (typeof body.skip === 'number' && body.skip > SKIP_LIMIT) {
    const message = `may be at most ${SKIP_LIMIT}: deeper pages are reached with the cursor of v2`
    onlyInV2.push({ pointer: '/skip', code: 'out_of_range', message })
  }
  // What v1 has no filter for is named above, or is unknown to the schema.
  const { status: _status, schemaErrors: _schemaErrors, ...filter } = body
  const faults = [...onlyInV2, ...faultsOf(readV1Window(textDates(body), now)), ...faultsOf(parseFilter(filter))]
  if (onlyInV2.length === 0) return { faults }
  return { faults, members: { migrateTo: MIGRATE_TO }, code: onlyInV2[0]?.code ?? 'v1_unsupported' }
}

function textDates({ createdAt, from, to }: Sent['body']): V1Dates {
  return { createdAt, ...(typeof from === 'string' && { from }), ...(typeof to === 'string' && { to }) }
}
