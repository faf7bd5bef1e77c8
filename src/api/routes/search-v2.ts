/** The command search v2 (SEARCH-Q1 to SEARCH-Q10, SEARCH-C1 to SEARCH-C6). */

import type { Context } from 'hono'
import { faultsOf } from '../../application/check-schema.ts'
import { chargePointParams } from '../../application/schemas/charge-points.ts'
import { SearchPageSchema, SearchSchema } from '../../application/schemas/commands.ts'
import { jsonOrCsv, PAGE_DEFAULT } from '../../application/schemas/common.ts'
import { commandJson, csvFileName, csvHeader } from '../../domain/message-log/csv.ts'
import type { Fault } from '../../domain/message-log/fault.ts'
import { parseFilter } from '../../domain/message-log/parse-filter.ts'
import { exportAll, type FrozenSearch, readBounds, searchPage } from '../../domain/message-log/search.ts'
import type { LogReads } from '../../domain/ports/storage.ts'
import type { Principal } from '../access/access.ts'
import type { Api } from '../api-parts.ts'
import { type ApiEnv, type Exports, type RunningExport, setHeaders } from '../endpoint.ts'
import { orRefuse } from '../requests/validation.ts'
import { cursorFaults, openCursor, resource } from '../resource.ts'
import { fileHeaders, jsonText } from '../respond.ts'
import { type Asker, findPage, reportedOnlyOfVisible, timed } from '../search.ts'
import { streamed } from '../streamed.ts'

const HINTS = {
  ids: 'does not exist: fetch single rows with GET …/commands/{commandId}',
  sort: 'does not exist: rows come newest first',
  skip: 'does not exist: follow meta.nextCursor with cursor',
  createdAt: 'does not exist: use from (inclusive) and to (exclusive)',
}

export function addSearchV2(api: Api, exports: Exports): void {
  const { cursors, now, salt } = api
  resource(api, { tag: 'Commands', path: '/2/evse-controllers/{evseController}/commands/search' }).post(
    '',
    'searchCommands',
    'Search the message log',
    {
      audit: false,
      description:
        'Newest first. The first page freezes the window: rows that come later never appear, and every row that was there comes exactly once. A row whose status changes between two pages may enter or leave a status filter.',
      rate: 'v2',
      cost: (sent) => ((sent as { readonly format?: unknown } | undefined)?.format === 'csv' ? CSV_COST : 1),
      params: chargePointParams,
      body: SearchSchema,
      hints: HINTS,
      inspect: ({ body }) => ({
        faults: [
          ...textBounds(body),
          ...faultsOf(parseFilter(body)),
          ...(body.format === 'csv' && body.cursor !== undefined ? [CURSOR_WITH_CSV] : []),
          ...cursorFaults(api, body.cursor, '/cursor'),
        ],
      }),
      confirms: true,
      produces: ['application/json', 'text/csv'],
      responses: { 200: jsonOrCsv(SearchPageSchema, 'A page, or with format csv every matching row') },
      async handle(incoming) {
        const { principal, params, body, sent, context } = incoming
        const { evseController: chargePointId } = params
        const bounds = orRefuse(readBounds(body.from, body.to))
        const filter = orRefuse(parseFilter(body))
        if (body.format === 'csv') {
          const { window } = await findPage(api, 'v2', incoming, { chargePointId, ...bounds, filter, limit: 0 })
          const search = { chargePointId, window, filter }
          return csvDownload(api, exports, search, { principal, context, from: body.from })
        }
        const bound = { account: principal.accountId, chargePointId, body: boundBody(sent) }
        const [toId, belowId] = await reportedOnlyOfVisible(api, incoming, chargePointId, () =>
          body.cursor === undefined ? [] : openCursor(api, body.cursor, bound, '/cursor').map(Number),
        )
        const limit = body.limit ?? PAGE_DEFAULT
        const found = await findPage(api, 'v2', incoming, {
          chargePointId,
          ...bounds,
          filter,
          limit: limit + 1,
          ...(toId !== undefined && { newestId: toId - 1 }),
          belowId,
          ...(body.count === true && { count: { scanLimit: COUNT_SCAN_LIMIT } }),
        })
        const page = searchPage(found.rows, limit)
        const nextCursor =
          page.lastId === undefined ? undefined : cursors.seal([found.window.toId, page.lastId], bound, now())
        const { total } = found
        const rows = page.rows.map((row) => commandJson(row, salt)).join(',')
        return jsonText(`{"data":[${rows}],"meta":${JSON.stringify({ nextCursor, total })}}`)
      },
    },
  )
}

/** SEARCH-Q9: rows looked at, not rows found; beyond it the total is a lower bound. */
const COUNT_SCAN_LIMIT = 100_000

function textBounds({ from, to }: { readonly from?: unknown; readonly to?: unknown }): readonly Fault[] {
  const isText = (bound: unknown): bound is string => typeof bound === 'string'
  if (isText(from)) return faultsOf(readBounds(from, isText(to) ? to : undefined))
  return isText(to) ? faultsOf(readBounds(EARLIEST, to)) : []
}

const EARLIEST = '0001-01-01T00:00:00Z'

const CURSOR_WITH_CSV = {
  pointer: '/cursor',
  code: 'cursor_with_csv',
  message: 'cannot be combined with format csv: an export has every row',
}

/** SEARCH-Q7: the body as received; `cursor` and `count` may change from page to page. */
function boundBody(sent: unknown): unknown {
  const { cursor: _, count: __, ...rest } = sent as Readonly<Record<string, unknown>>
  return rest
}

// The log as CSV (SEARCH-C1, SEARCH-C4 to SEARCH-C6): at the client's pace, never complete in appearance only.

/** An export costs what ten pages do (API-E2). */
const CSV_COST = 10

async function csvDownload(
  api: Api,
  exports: Exports,
  search: FrozenSearch,
  request: { readonly principal: Principal; readonly context: Context<ApiEnv>; readonly from: string },
): Promise<Response> {
  const { principal, context, from } = request
  const tokensIn = () => api.rateLimits.secondsUntil('v2', principal, CSV_COST)
  const { progress, end } = await exports.begin(principal.accountId, tokensIn)
  const chunks = csvChunks(api, request, search, progress)
  try {
    // Paid only where there was room for it; its request has paid one.
    setHeaders(context, await api.rateLimits.spend('v2', principal, CSV_COST, 1))
  } catch (error) {
    end()
    throw error
  }
  return streamed({
    context,
    log: api.log,
    chunks,
    ended: end,
    headers: fileHeaders(csvFileName(search.chargePointId, from)),
  })
}

/** So many chunks are read while one is written: a client that stops reading holds one more than that. */
const AHEAD = 2

async function* csvChunks(
  api: Api,
  asker: Asker,
  search: FrozenSearch,
  progress: RunningExport['progress'],
): AsyncGenerator<Uint8Array, void, undefined> {
  const { fromId, toId } = search.window
  // Before the first row there is nothing to read, however early the window begins.
  const oldest = Math.max(fromId, (await api.reads.oldestCommandId(search.chargePointId)) ?? toId)
  const exportCommands: LogReads['exportCommands'] = (...query) =>
    timed(api, 'export', asker, (log) => log.exportCommands(...query))
  const chunks = exportAll({ exportCommands }, search, 'csv')
  const read = (): ReturnType<typeof chunks.next> => {
    const chunk = chunks.next()
    // Waited for after the chunks before it were taken; a failure before that is not an unhandled one.
    chunk.catch(() => undefined)
    return chunk
  }
  const coming = [read()]
  for (let isFirst = true; ; isFirst = false) {
    const chunk = await coming.shift()
    if (isFirst) yield Buffer.from(csvHeader())
    if (!chunk || chunk.done) return
    while (coming.length < AHEAD) coming.push(read())
    yield chunk.value.text
    if (chunk.value.lastId !== undefined) progress((toId - chunk.value.lastId) / (toId - oldest + 1))
  }
}
