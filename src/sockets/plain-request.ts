/**
 * Requests that offer another protocol than WebSocket. Java's HTTP client and `curl --http2` offer h2c with every
 * request over plain HTTP. Offers may be ignored (RFC 9110 §7.8), but with a listener for upgrades Node takes such
 * requests away from its HTTP server.
 */
import type { IncomingMessage, Server } from 'node:http'
import { Server as TlsServer } from 'node:https'
import type { Duplex } from 'node:stream'
import { isOcppTarget } from '../ocpp/identity.ts'
import { targetOf } from './handshake.ts'

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
