/** The log as CSV (SEARCH-C1, SEARCH-C4 to SEARCH-C6): at the client's pace, never complete in appearance only. */
import type { Context } from 'hono'
import { csvFileName, csvHeader } from '../domain/message-log/csv.ts'
import { exportAll, type FrozenSearch } from '../domain/message-log/search.ts'
import type { LogReads } from '../domain/ports/storage.ts'
import type { Principal } from './access/principal.ts'
import type { Api } from './api-parts.ts'
import { type ApiEnv, setHeaders } from './endpoint.ts'
import type { Exports, RunningExport } from './exports.ts'
import { type Asker, timed } from './search.ts'
import { streamed } from './streamed.ts'

/** An export costs what ten pages do (API-E2). */
export const CSV_COST = 10

export async function csvDownload(
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
    headers: {
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': `attachment; filename="${csvFileName(search.chargePointId, from)}"`,
      'cache-control': 'no-store',
    },
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
