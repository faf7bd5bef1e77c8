/** The HTTP side of an upgrade: what makes a request one, and how it is refused (OCPP-DR2). */

import { type IncomingMessage, type Server, STATUS_CODES } from 'node:http'
import { Server as TlsServer } from 'node:https'
import type { Duplex } from 'node:stream'
import type { Admission } from '../domain/ports/core.ts'
import { isOcppTarget } from '../ocpp/identity.ts'

export type Refusal = Omit<Extract<Admission, { readonly ok: false }>, 'ok'> & {
  /** Sent where the client may support another version (RFC 6455 §4.4). */
  readonly webSocketVersions?: string
}

/** What `ws` would refuse after the admission is refused before it, so that nothing is created for it. */
export function isHandshake({ method, headers }: IncomingMessage): boolean {
  return (
    method === 'GET' &&
    headers.upgrade?.toLowerCase() === 'websocket' &&
    /^[+/0-9A-Za-z]{22}==$/.test(headers['sec-websocket-key'] ?? '') &&
    /^(?:13|8)$/.test(headers['sec-websocket-version'] ?? '')
  )
}

/** Clients may send an absolute URL (RFC 6455 §4.1, RFC 9112 §3.2.2). */
export function targetOf({ url = '' }: IncomingMessage, withoutBasePath: (target: string) => string): string {
  return withoutBasePath(url.replace(/^(?:http|ws)s?:\/\/[^/?#]*/i, ''))
}

const DEFLATE_PARAMETER =
  /^(?:(?:server|client)_no_context_takeover|client_max_window_bits|(?:server|client)_max_window_bits=(?:[89]|1[0-5]))$/

/** Usable offers of compression. Others are declined (RFC 7692 §5.1), where `ws` would answer 400. */
export function offeredExtensions({ headers }: IncomingMessage): string | undefined {
  const offers = (headers['sec-websocket-extensions'] ?? '').split(',').map((offer) => offer.replaceAll(/[\s"]/g, ''))
  return offers.filter(isDeflateOffer).join(', ') || undefined
}

function isDeflateOffer(offer: string): boolean {
  const [name, ...parameters] = offer.split(';')
  const names = new Set(parameters.map((parameter) => parameter.split('=', 1)[0]))
  return (
    name === 'permessage-deflate' &&
    names.size === parameters.length &&
    parameters.every((parameter) => DEFLATE_PARAMETER.test(parameter))
  )
}

/** Sub-protocols in the client's order. */
export function offeredProtocols({ headers }: IncomingMessage): readonly string[] {
  return (headers['sec-websocket-protocol'] ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
}

/** With a Retry-After where the refusal is temporary (OCPP-CN5). */
export function endWithStatus(
  socket: Duplex,
  { status, reason, webSocketVersions }: Refusal,
  retryAfterSeconds: number,
): void {
  const body = `${reason}\n`
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'Connection: close',
    'Content-Type: text/plain; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...(webSocketVersions === undefined ? [] : [`Sec-WebSocket-Version: ${webSocketVersions}`]),
    ...(status === 401 ? ['WWW-Authenticate: Basic realm="ocpp"'] : []),
    ...(status === 429 || status === 503 ? [`Retry-After: ${retryAfterSeconds}`] : []),
  ]
  // Destroyed before the answer is written, the client would see a broken connection.
  socket.once('finish', () => socket.destroy())
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}

// Requests that offer another protocol than WebSocket. Java's HTTP client and `curl --http2` offer h2c with every
// request over plain HTTP. Offers may be ignored (RFC 9110 §7.8), but with a listener for upgrades Node takes such
// requests away from its HTTP server.

/** From Node 24.9 on the HTTP server asks; older ones have `readWithoutOffer`. */
export interface UpgradeOptions {
  readonly shouldUpgradeCallback: (request: IncomingMessage) => boolean
}

const OFFERING = new Set(['upgrade', 'http2-settings'])

function offersWebSocket({ headers }: IncomingMessage): boolean {
  return (headers.upgrade ?? '').split(',').some((protocol) => protocol.trim().toLowerCase() === 'websocket')
}

/** Whether a request is the OCPP endpoint's: WebSocket offers, and any offer below /ocpp/. */
export function isUpgrade(request: IncomingMessage, withoutBasePath: (target: string) => string): boolean {
  return offersWebSocket(request) || isOcppTarget(targetOf(request, withoutBasePath))
}

/** Lets the HTTP server read the request without its offer. @param head received behind the headers */
export function readWithoutOffer(
  server: Server | TlsServer,
  { method = '', url = '', httpVersion, rawHeaders }: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): void {
  const lines = [`${method} ${url} HTTP/${httpVersion}`]
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const [name = '', value = ''] = rawHeaders.slice(index, index + 2)
    if (OFFERING.has(name.toLowerCase())) continue
    lines.push(`${name}: ${name.toLowerCase() === 'connection' ? withoutOffer(value) : value}`)
  }
  // The server sets its own for each request.
  socket.removeAllListeners('timeout')
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]))
  server.emit(server instanceof TlsServer ? 'secureConnection' : 'connection', socket)
}

function withoutOffer(connection: string): string {
  const rest = connection.split(',').filter((option) => !OFFERING.has(option.trim().toLowerCase()))
  return rest.join(',').trim() || 'keep-alive'
}
