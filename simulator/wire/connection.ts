/**
 * The station's WebSocket: ocpp-rpc's client (framing, back-off, strict schemas) behind the five things a station
 * needs.
 */

import { RPCClient } from 'ocpp-rpc'
import type { Payload } from '../../src/ocpp/version.ts'
import type { Protocol } from '../../src/ports/core.ts'
import type { Call } from '../model/facts.ts'

export interface ConnectionOptions {
  readonly protocol: Protocol
  /** Without the identity: `ws://localhost:8080/ocpp`. */
  readonly url: string
  readonly id: string
  readonly password?: string
  /** Check every frame of both sides against the official schemas. */
  readonly strict: boolean
  /** Come back by itself after a lost connection. */
  readonly reconnect: boolean
  readonly callTimeoutMs: number
  readonly answer: (method: string, request: Payload) => Payload
  readonly opened: () => void
  /** A frame of the central system that breaks its schema, or one we could not answer. */
  readonly problem: (message: string) => void
}

export interface Connection {
  readonly online: boolean
  /** Rejects when the first attempt fails, with a sentence that says what to do. */
  connect(): Promise<void>
  /** `abrupt` cuts the socket like a pulled cable, without a close frame. */
  close(abrupt?: boolean): Promise<void>
  call(call: Call): Promise<Payload>
  /** Takes effect with the next connection, as on a real station. */
  usePassword(password: string): void
}

export function createConnection(options: ConnectionOptions): Connection {
  let online = false
  // The client keeps this very object and reads it again for each connection.
  const headers: Record<string, string> = {}
  if (options.password !== undefined) headers.authorization = basic(options.id, options.password)
  const client = new RPCClient({
    identity: options.id,
    endpoint: options.url.replace(/\/+$/, ''),
    protocols: [options.protocol],
    password: null,
    headers,
    reconnect: options.reconnect,
    maxReconnects: Number.POSITIVE_INFINITY,
    callTimeoutMs: options.callTimeoutMs,
    callConcurrency: 1,
    pingIntervalMs: 30_000,
    deferPingsOnActivity: true,
    respondWithDetailedErrors: false,
    maxBadMessages: Number.POSITIVE_INFINITY,
    strictMode: options.strict,
    strictModeValidators: [],
    wsOpts: {},
    backoff: { initialDelay: 200, maxDelay: 10_000, factor: 2, randomisationFactor: 0.25 },
  })
  for (const event of ['closing', 'disconnect', 'close']) {
    client.on(event, () => {
      online = false
    })
  }
  client.on('open', () => {
    online = true
    options.opened()
  })
  client.on('strictValidationFailure', (failure: { method: string; outbound: boolean; error: Error }) => {
    const side = failure.outbound ? 'this station' : 'the central system'
    options.problem(`${failure.method} from ${side} breaks its schema: ${failure.error.message}`)
  })
  client.on('badMessage', (bad: { error: Error }) =>
    options.problem(`the central system sent something unreadable: ${bad.error.message}`),
  )
  client.handle(async ({ method, params }) => ({ ...options.answer(method ?? '', params ?? {}) }))
  return {
    get online() {
      return online
    },
    async connect() {
      await client.connect().catch((error: unknown) => {
        throw new Error(explainConnectFailure(error, options.url), { cause: error })
      })
    },
    async close(abrupt = false) {
      await client.close({ force: abrupt })
    },
    call: async (call) => (await client.call(call.method, call.request)) as Payload,
    usePassword(password) {
      headers.authorization = basic(options.id, password)
    },
  }
}

function basic(id: string, password: string): string {
  return `Basic ${Buffer.from(`${id}:${password}`, 'utf8').toString('base64')}`
}

/** What a failed first connection means and what to do about it. */
function explainConnectFailure(error: unknown, url: string): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined
  const reason = error instanceof Error ? error.message : String(error)
  if (code === 'ECONNREFUSED' || code === 'ENOTFOUND') return `no server at ${url}: start one with \`npm start\``
  if (code === 401) return 'the server refused the password (401): give the charge point’s password with --password'
  if (code === 403) return 'the server knows this charge point but has it disabled (403): enable it first'
  if (code === 404)
    return `the server does not know this charge point (404): add it with \`pilotwire charge-point add\`, and check that the address ends in /ocpp`
  if (code === 400)
    return `the server refused the connection (400): it does not offer this OCPP version here, or ${url} is no OCPP address`
  if (code === 503) return 'the server is too busy to take new connections (503): try again in a minute'
  return `the connection to ${url} failed: ${reason}`
}
