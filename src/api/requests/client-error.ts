/** Problems for requests that Node's parser or the adapter refuses before any endpoint sees them (API-E1). */
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Server as TlsServer } from 'node:https'
import type { Duplex } from 'node:stream'
import { Problem, renderProblem } from '../problem.ts'

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
