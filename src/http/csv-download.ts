/** The log as a CSV download (C1, C4-C6): as fast as the client reads, and never complete in appearance when it is not. */
import type { Context } from 'hono'
import { csvFileName, csvHeader } from '../commands/csv.ts'
import type { FrozenSearch } from '../commands/search.ts'
import { exportAll } from '../commands/search.ts'
import type { LogReads } from '../storage/store.ts'
import type { ApiEnv } from './endpoint.ts'
import { setHeaders } from './endpoint.ts'
import type { Api } from './parts.ts'
import type { Principal } from './principal.ts'
import { Problem } from './problem.ts'
import { type Asker, timed } from './search.ts'

const EXPORTS_PER_ACCOUNT = 2
/** An export costs what ten pages do (E2). */
const CSV_COST = 10

/** Exports that run now, by account (C6). */
export interface Exports {
  /** @throws Problem 429 `too_many_exports` @returns what ends it; calling that twice is harmless */
  begin(accountId: string): () => void
}

export function createExports(): Exports {
  const running = new Map<string, number>()
  return {
    begin(accountId) {
      const count = running.get(accountId) ?? 0
      if (count >= EXPORTS_PER_ACCOUNT) {
        const detail = `An account may run ${EXPORTS_PER_ACCOUNT} exports at once; wait until one has ended.`
        throw new Problem(429, 'too_many_exports', detail, { headers: { 'retry-after': '10' } })
      }
      running.set(accountId, count + 1)
      let ended = false
      return () => {
        if (ended) return
        ended = true
        const left = (running.get(accountId) ?? 1) - 1
        if (left > 0) running.set(accountId, left)
        else running.delete(accountId)
      }
    },
  }
}

export async function csvDownload(
  api: Api,
  exports: Exports,
  search: FrozenSearch,
  request: { readonly principal: Principal; readonly context: Context<ApiEnv>; readonly from: string },
): Promise<Response> {
  const { principal, context, from } = request
  const end = exports.begin(principal.accountId)
  const chunks = csvChunks(api, request, search)
  let first: IteratorResult<Uint8Array, void>
  try {
    // Paid only where there was room for it; its request has paid one.
    setHeaders(context, api.rateLimits.spend('v2', principal, CSV_COST, 1))
    // The first chunk decides between 200 and a problem: a failure before it is still an ordinary answer.
    first = await chunks.next()
  } catch (error) {
    end()
    throw error
  }
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const chunk = first.done ? await nextOrReset(context, chunks, api) : first
        first = { done: true, value: undefined }
        if (chunk === 'reset') return end()
        if (chunk.done) {
          end()
          return controller.close()
        }
        controller.enqueue(chunk.value)
      },
      async cancel() {
        end()
        await chunks.return()
      },
    },
    { highWaterMark: 0 },
  )
  return new Response(stream, {
    headers: {
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': `attachment; filename="${csvFileName(search.chargePointId, from)}"`,
      'cache-control': 'no-store',
    },
  })
}

/**
 * C5: the next chunk, or a broken connection. An error thrown into the response stream would end it like a complete
 * file, so the socket goes instead: the client sees a reset and no terminating chunk.
 */
async function nextOrReset(
  context: Context<ApiEnv>,
  chunks: AsyncGenerator<Uint8Array, void, undefined>,
  { log }: Pick<Api, 'log'>,
): Promise<IteratorResult<Uint8Array, void> | 'reset'> {
  try {
    return await chunks.next()
  } catch (error) {
    // Who went away knows it.
    if (!context.req.raw.signal.aborted) {
      log.error({ requestId: context.get('requestId'), error: String(error) }, 'an export broke off')
    }
    const { outgoing } = context.env
    // Without a socket (the API called in-process) the stream itself can carry the error.
    if (!outgoing) throw error
    outgoing.destroy()
    return 'reset'
  }
}

/** So many chunks are read while one is written: a client that stops reading holds one more than that. */
const AHEAD = 2

async function* csvChunks(api: Api, asker: Asker, search: FrozenSearch): AsyncGenerator<Uint8Array, void, undefined> {
  const exportCommands: LogReads['exportCommands'] = (...query) =>
    timed(api, 'export', 'v2', asker, (log) => log.exportCommands(...query))
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
  }
}
