/** One request and its answer by Node's own client, on a connection that may be kept; no redirects, no proxy. */

import { Agent, type ClientRequest, type IncomingMessage, request as sendPlain } from 'node:http'
import { request as sendTls, Agent as TlsAgent } from 'node:https'
import type { LookupFunction } from 'node:net'
import type { Clock } from '../../domain/ports/clock.ts'

export interface Outgoing {
  readonly method: string
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface Waiting {
  readonly signal: AbortSignal
  readonly clock: Pick<Clock, 'after'>
  /** Until the connection stands, TLS included. */
  readonly connectTimeoutMs: number
}

/** One connection at a time, kept after use, to these addresses only (HOOK-X2): whatever the name says by now. */
export function connectionTo(url: URL, addresses: readonly string[]): Agent {
  const options = { keepAlive: true, maxSockets: 1, lookup: onlyThese(addresses), autoSelectFamily: true }
  return url.protocol === 'https:' ? new TlsAgent(options) : new Agent(options)
}

/** The final answer's head; answers before it (RFC 9110 §15.2), which some send unasked, are passed over. */
export function exchange(agent: Agent, outgoing: Outgoing, waiting: Waiting): Promise<IncomingMessage> {
  const { method, url, headers, body } = outgoing
  return new Promise((resolve, reject) => {
    const send = url.protocol === 'https:' ? sendTls : sendPlain
    const request = send(url, { agent, method, headers, signal: waiting.signal }, resolve)
    request.on('error', reject)
    request.on('upgrade', (_, socket) => {
      socket.destroy()
      reject(failure('ECONNRESET'))
    })
    limitConnecting(request, url, waiting)
    request.end(body === '' ? undefined : body)
  })
}

function limitConnecting(request: ClientRequest, url: URL, { clock, connectTimeoutMs }: Waiting): void {
  request.once('socket', (socket) => {
    if (!socket.connecting) return
    const cancel = clock.after(connectTimeoutMs, () => request.destroy(failure('CONNECT_TIMEOUT')))
    socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', cancel)
    request.once('close', cancel)
  })
}

function onlyThese(addresses: readonly string[]): LookupFunction {
  const entries = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
  return (_hostname, options, done) => {
    const [first] = entries
    if (options.all) done(null, entries)
    else if (first) done(null, first.address, first.family)
  }
}

function failure(code: string): Error {
  return Object.assign(new Error(code), { code })
}
