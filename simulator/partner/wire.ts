/** OCPI over HTTP for the simulated partner: requests to the other side, and the server for those that come. */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parsedJson } from '../../src/domain/parsed-json.ts'
import { isObject } from '../../src/ocpp/translate/payload.ts'

export type Json = Readonly<Record<string, unknown>>
type Headed = Readonly<Record<string, string>>

/** What came for a request of ours; the code, message and data of an envelope, where it is one. */
export type Answer = Awaited<ReturnType<ReturnType<typeof createClient>['call']>>

export interface Received {
  readonly method: string
  readonly url: URL
  readonly version: string
  readonly module: string
  /** Behind the address of the module. */
  readonly path: readonly string[]
  readonly headers: Readonly<Record<string, string | undefined>>
  /** `undefined` where it is empty, or no JSON. */
  readonly body: unknown
}

/** An answer before it is an envelope. */
export interface Reply {
  /** Default: 200. */
  readonly status?: number
  /** Default: 1000. */
  readonly statusCode?: number
  readonly message?: string
  readonly data?: unknown
  readonly headers?: Headed
}

const ANSWER_TIMEOUT_MS = 30_000

/** @param headersOf the token, and the routing headers of a request */
export function createClient(headersOf: (url: string) => Headed) {
  /** Whatever the answer is. Rejects with a sentence where none comes. */
  const call = async (method: string, url: string, body?: unknown, headers?: Headed) => {
    const response = await fetch(url, {
      method,
      headers: {
        'content-type': 'application/json',
        'x-request-id': randomUUID(),
        'x-correlation-id': randomUUID(),
        ...headersOf(url),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
    }).catch((cause: unknown) => {
      throw new Error(`${url} does not answer: is the server running, and is this its address?`, { cause })
    })
    const envelope = parsedJson(await response.text())
    const { status_code: statusCode, status_message: message, data } = (envelope ?? {}) as Json
    return { status: response.status, headers: response.headers, statusCode, message, data }
  }
  return {
    call,
    /** An answer with 1000. Rejects with a sentence otherwise. */
    async ask(method: string, url: string, body?: unknown) {
      const answer = await call(method, url, body)
      if (answer.statusCode === 1000) return answer
      throw new Error(`${method} ${url} was answered with ${said(answer)}`)
    },
  }
}

/** For people. */
export function said({ status, statusCode, message }: Answer): string {
  if (status === 401) return 'HTTP 401: the server does not know the token'
  return `HTTP ${status}, ${String(statusCode ?? 'no envelope of OCPI')} ${String(message ?? '')}`.trim()
}

/** Below the path `/ocpi` of any free port of this machine; a path may have another segment before it. */
export async function startServer(handle: (request: Received) => Promise<Reply>, time: () => string) {
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const text = Buffer.concat(chunks).toString()
    const { method = 'GET', headers } = request
    const url = new URL(request.url ?? '/', 'http://partner')
    const segments = url.pathname.replace(/^.*?\/ocpi\/?/, '').split('/')
    const [version = '', module = '', ...path] = segments.filter(Boolean).map(decodeURIComponent)
    const body = parsedJson(text)
    const received = { method, url, version, module, path, headers: headers as Received['headers'], body }
    const isWrong = text !== '' && body === undefined
    const reply = isWrong ? { status: 400, statusCode: 2001, message: 'the body is no JSON' } : await handle(received)
    response.setHeader('content-type', 'application/json')
    for (const name of ['x-request-id', 'x-correlation-id']) response.setHeader(name, headers[name] ?? '')
    response.writeHead(reply.status ?? 200, reply.headers)
    const { data, statusCode = 1000, message } = reply
    response.end(JSON.stringify({ data, status_code: statusCode, status_message: message, timestamp: time() }))
  }
  const server = createServer((request, response) => void take(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}/ocpi`,
    async close() {
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

/** The objects of a list from outside. */
export function objectsOf(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}

export function objectOf(value: unknown): Json {
  return isObject(value) ? value : {}
}
