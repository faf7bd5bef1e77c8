/** The HTTP server of the partner: reads a request, and spells the answer as its quirks want it. */
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { parsedJson } from '../../src/domain/parsed-json.ts'
import type { Received, Reply } from './objects.ts'
import type { PartnerQuirks } from './quirks.ts'
import { time } from './wire.ts'

export interface PartnerServer {
  /** `http://127.0.0.1:1234/ocpi`. */
  readonly base: string
  close(): Promise<void>
}

interface ServerContext {
  readonly host: string
  /** 0: any free one. */
  readonly port: number
  readonly quirks: PartnerQuirks
  readonly now: () => number
  readonly handle: (request: Received) => Reply | Promise<Reply>
}

const PREFIX = '/ocpi'
const MOVED = '/moved'
const PADDING = 11_000_000
/** Every answer has those of its request. */
const ECHOED = ['x-request-id', 'x-correlation-id']
const REGISTRATION: readonly string[] = ['', 'credentials']
const PUSHES: readonly string[] = ['PUT', 'PATCH', 'POST']

export async function startPartnerServer(context: ServerContext): Promise<PartnerServer> {
  const { host, port, quirks, handle, now } = context
  const server = createServer((request, response) => {
    void (async () => {
      const text = await bodyOf(request)
      const url = new URL(request.url ?? '/', 'http://partner')
      const received = receivedOf(request, url, text, now())
      const { status, headers, data, statusCode = 1000, message } = await handle(received)
      const envelope = {
        ...(data !== undefined && { data }),
        status_code: statusCode,
        ...(message !== undefined && { status_message: message }),
        timestamp: time(now(), quirks),
      }
      const echoed = Object.fromEntries(ECHOED.map((name) => [name, request.headers[name]]).filter(([, id]) => id))
      response.writeHead(status, { 'content-type': 'application/json', ...echoed, ...headers })
      if (status === 307 || response.destroyed) response.end()
      else response.end(JSON.stringify(envelope))
    })().catch(() => response.destroy())
  })
  server.listen(port, host)
  await once(server, 'listening')
  return {
    base: `http://${host}:${(server.address() as AddressInfo).port}${PREFIX}`,
    async close() {
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

function receivedOf({ method = 'GET', headers }: IncomingMessage, url: URL, text: string, at: number): Received {
  const segments = url.pathname.replace(MOVED, '').split('/').filter(Boolean).slice(1)
  const [version = '', module = '', ...path] = segments.map((segment) => decodeURIComponent(segment))
  const body = parsedJson(text)
  return {
    at,
    method,
    version,
    module,
    path,
    query: url.searchParams,
    headers: headers as Received['headers'],
    body,
    isJson: text === '' || body !== undefined,
    isMoved: url.pathname.startsWith(MOVED),
  }
}

/** The answer to a request as the quirks have it, which may never ask for the usual one. */
export async function shaped(
  { method, module, path, version, query, isMoved }: Received,
  quirks: PartnerQuirks,
  slowMs: number,
  reply: () => Promise<Reply>,
): Promise<Reply> {
  if (REGISTRATION.includes(module)) return reply()
  if (quirks.has('slow')) await pause(slowMs)
  if (quirks.has('redirects') && !isMoved) {
    const location = [`${MOVED}${PREFIX}`, version, module, ...path].join('/')
    return { status: 307, headers: { location: query.size > 0 ? `${location}?${query}` : location } }
  }
  if (quirks.has('no-patch') && method === 'PATCH')
    return { status: 405, statusCode: 2000, message: 'PATCH is not supported' }
  const isPush = PUSHES.includes(method) && module !== 'tokens'
  if (quirks.has('refuses-pushes') && isPush)
    return { status: 200, statusCode: 2000, message: 'could not be processed' }
  const given = await reply()
  if (quirks.has('answers-10-mb')) return { ...given, message: 'x'.repeat(PADDING) }
  if (quirks.has('cdr-address-in-body') && given.headers?.location !== undefined) {
    const { location, ...headers } = given.headers
    return { ...given, headers, data: { url: location } }
  }
  return given
}
