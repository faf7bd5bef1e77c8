/** Problems for requests that Node's parser or the adapter refuses before any endpoint sees them (API-E1). */
import { type IncomingMessage, type RequestListener, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Server as TlsServer } from 'node:https'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Clock } from '../../domain/ports/core.ts'
import { Problem, renderProblem } from '../respond.ts'

interface Refusals {
  readonly baseUrl: string
  readonly requestId: () => string
}

/** By the code of the parser's error; what is not listed here is malformed. */
const REFUSED: Readonly<Record<string, Problem>> = {
  HPE_HEADER_OVERFLOW: new Problem(431, 'headers_too_large', 'The request line and headers may have at most 16 KiB.'),
  ERR_HTTP_REQUEST_TIMEOUT: new Problem(408, 'request_timeout', 'The request took too long to arrive.'),
}
const MALFORMED = new Problem(400, 'malformed_request', 'The request is not valid HTTP/1.1.')

/** Answers what is no HTTP, too large or too slow, and ends the connection: what follows on it cannot be delimited. */
export function answerClientErrors(server: Server | TlsServer, refusals: Refusals): void {
  const unanswered = new WeakMap<Duplex, Set<ServerResponse>>()
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    const open = unanswered.get(socket) ?? new Set()
    unanswered.set(socket, open.add(response))
    response.once('close', () => open.delete(response))
  })
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    const [first, ...others] = unanswered.get(socket) ?? []
    // In the middle of another answer this one would become a part of it, before it stand for it; what is malformed may
    // be the body of the only request that waits.
    const isTaken = first && (first.headersSent || first.req.complete || others.length > 0)
    if (error.code === 'ECONNRESET' || !socket.writable || isTaken) return void socket.destroy()
    const problem = REFUSED[error.code ?? ''] ?? MALFORMED
    void writeAndEnd(socket, refusal(problem, refusals))
  })
}

/** For a request without a usable address (`Host` with spaces, `OPTIONS *`). */
export function malformedRequest(refusals: Refusals): Response {
  return refusal(MALFORMED, refusals)
}

function refusal(problem: Problem, { baseUrl, requestId }: Refusals): Response {
  const id = requestId()
  const response = renderProblem(problem, id, baseUrl)
  response.headers.set('x-request-id', id)
  response.headers.set('x-content-type-options', 'nosniff')
  return response
}

async function writeAndEnd(socket: Duplex, response: Response): Promise<void> {
  const body = Buffer.from(await response.arrayBuffer())
  const head = [
    `HTTP/1.1 ${response.status} ${STATUS_CODES[response.status] ?? ''}`,
    ...[...response.headers].map(([name, value]) => `${name}: ${value}`),
    `content-length: ${body.length}`,
    'connection: close',
  ]
  // The answer is written out first: destroyed at once, the client would see a broken connection.
  socket.once('finish', () => socket.destroy())
  socket.end(Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body]))
}

// Node has one time limit for all bodies; firmware images take longer and have limits of their own (FIRMWARE-F5).

/** As Node's own. */
const BODY_MS = 300_000
const FILES = /^\/(?:files\/|2\/firmware(?:$|[?#]))/

export function limitBody(request: IncomingMessage, target: string, after: Clock['after']): void {
  const { headers } = request
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
  if (!hasBody || request.complete || FILES.test(target)) return
  const cancel = after(BODY_MS, () => {
    if (!request.complete) request.socket.destroy()
  })
  request.once('close', cancel)
}

/** Far more than any client pipelines. Beyond it the connection ends, so the client retries (RFC 9112 §9.3.2). */
const MAX_WAITING = 100

interface Line {
  isRunning: boolean
  readonly waiting: (() => void)[]
}

export function oneAtATime(listener: RequestListener): RequestListener {
  const lines = new WeakMap<Socket, Line>()

  const run = (line: Line, request: IncomingMessage, response: ServerResponse): void => {
    line.isRunning = true
    response.once('close', () => {
      line.isRunning = false
      if (!request.socket.destroyed) line.waiting.shift()?.()
    })
    listener(request, response as Parameters<RequestListener>[1])
  }

  return (request, response) => {
    const { socket } = request
    const line = lines.get(socket) ?? { isRunning: false, waiting: [] }
    lines.set(socket, line)
    if (!line.isRunning) run(line, request, response)
    else if (line.waiting.length < MAX_WAITING) line.waiting.push(() => run(line, request, response))
    else socket.destroy()
  }
}
