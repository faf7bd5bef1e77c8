/** `GET /afir/table` and `GET /afir/status` (AFIR-A1): for anyone, or for callers with the token. */
import type { Context } from 'hono'
import { admitReader, type PublicAccess } from '../api/access/public-access.ts'
import type { Api } from '../api/api-parts.ts'
import type { ApiEnv } from '../api/endpoint.ts'
import { preferred, requireAcceptable } from '../api/requests/media.ts'
import { Problem } from '../api/respond.ts'
import { isNamed, takesGzip } from '../web/fixed-document.ts'
import type { Feed, Format, Kind, Ready } from './feed.ts'
import { gzipped, plain } from './parts.ts'

const TYPES: Readonly<Record<Format, string>> = { json: 'application/json', xml: 'application/xml' }

export function addAfir({ endpoints }: Pick<Api, 'endpoints'>, feed: Feed, access: PublicAccess): void {
  const answer = (kind: Kind) => async (context: Context<ApiEnv>) => {
    admitReader(context, access)
    const format = formatOf(context.req.header('accept'))
    const since = kind === 'status' ? sinceOf(context) : undefined
    const ready = await (since === undefined ? feed.document(kind, format) : feed.changes(since, format))
    if (kind === 'table' && ready.isEmpty)
      throw new Problem(404, 'not_found', 'No location is published, and a table without one is not valid.')
    return answered(context, ready, format)
  }
  endpoints.addPage('/afir/table', answer('table'))
  endpoints.addPage('/afir/status', answer('status'))
}

/** @throws Problem 406 */
function formatOf(accept: string | undefined): Format {
  const types = Object.values(TYPES)
  const named = accept?.replaceAll('text/xml', TYPES.xml)
  requireAcceptable(named, types)
  return preferred(named, types) === TYPES.xml ? 'xml' : 'json'
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/

function sinceOf({ req }: Context<ApiEnv>): number | undefined {
  const text = req.query('since')
  if (text === undefined) return undefined
  const since = TIME.test(text) ? Date.parse(text) : Number.NaN
  if (!Number.isNaN(since)) return since
  throw new Problem(400, 'validation_failed', 'since must be a time such as 2026-11-29T12:00:00Z.')
}

function answered(context: Context<ApiEnv>, ready: Ready, format: Format): Response {
  const header = (name: string) => context.req.header(name)
  const modified = new Date(Math.floor(ready.at / 1000) * 1000)
  const etag = `"${ready.crc.toString(16)}-${ready.length.toString(36)}-${ready.at.toString(36)}"`
  const headers = {
    etag: `W/${etag}`,
    'last-modified': modified.toUTCString(),
    'cache-control': 'no-cache',
    vary: 'Accept, Accept-Encoding, Authorization',
  }
  const known = header('if-none-match')
  const isKnown =
    known === undefined ? Date.parse(header('if-modified-since') ?? '') >= modified.getTime() : isNamed(known, etag)
  if (isKnown) return new Response(null, { status: 304, headers })
  const isPacked = takesGzip(header('accept-encoding'))
  const chunks = isPacked ? gzipped(ready.parts, ready) : plain(ready.parts)
  const type = `${TYPES[format]}${format === 'xml' ? '; charset=utf-8' : ''}`
  return new Response(streamOf(chunks), {
    headers: { ...headers, 'content-type': type, ...(isPacked && { 'content-encoding': 'gzip' }) },
  })
}

/** As fast as the client takes it. */
function streamOf(chunks: Generator<Buffer, void>): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const next = chunks.next()
        if (next.done) controller.close()
        else controller.enqueue(next.value)
      },
    },
    { highWaterMark: 0 },
  )
}
