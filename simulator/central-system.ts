/**
 * A central system on ocpp-rpc that keeps nothing: every frame is checked against the official schemas and answered
 * from memory. The tests' other side of the wire, and the limit that the benches measure Pilotwire against.
 */

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createRPCError, RPCServer } from 'ocpp-rpc'
import { isoTime } from '../src/domain/iso-time.ts'
import { OCPP_VERSIONS } from '../src/domain/ocpp-versions.ts'
import type { Side } from '../src/ocpp/schema/schemas.ts'
import { faultsOf } from '../src/ocpp/schema/validators.ts'
import type { Payload } from '../src/ocpp/translate/payload.ts'

/** What a central system answers, and where it listens; without any: yes to everything, on a free port. */
export interface CentralSystemOptions {
  readonly host?: string
  /** Default 0: any free one. */
  readonly port?: number
  readonly now?: () => number
  /** Default: Accepted. */
  readonly registration?: (chargePointId: string) => 'Accepted' | 'Pending' | 'Rejected'
  /** Default: Accepted. */
  readonly tokenStatus?: (token: string) => string
  readonly bootIntervalSeconds?: number
  /** Whether this CALL is answered with a CALLERROR; default: none is. */
  readonly refuses?: (call: ReceivedCall) => boolean
  /** Another answer to this CALL than the usual one, which may break its schema. */
  readonly respond?: (call: ReceivedCall) => Payload | undefined
  /** Sees every CALL; off in benches. */
  readonly received?: (call: ReceivedCall) => void
  /** The answer leaves only when this resolves. */
  readonly keep?: (call: ReceivedCall, answer: Payload) => Promise<void>
}

export interface ReceivedCall {
  readonly chargePointId: string
  readonly protocol: string
  readonly method: string
  readonly request: Payload
}

/** A running central system of `startCentralSystem`. */
export interface CentralSystem {
  /** Without an identity: `ws://127.0.0.1:1234/ocpp`. */
  readonly url: string
  /** Frames, of either side, that break their schema. */
  readonly violations: readonly string[]
  readonly connections: () => number
  /** Rejects with the CALLERROR. */
  call(chargePointId: string, method: string, request: Payload): Promise<Payload>
  /** Cuts one connection without a close frame. */
  cut(chargePointId: string): Promise<void>
  close(): Promise<void>
}

interface ConnectedClient {
  readonly identity: string | undefined
  readonly protocol: string | undefined
  call(method: string, request: Payload): Promise<unknown>
  close(options: { force?: boolean }): Promise<unknown>
  handle(
    handler: (call: { method?: string; params?: Record<string, unknown> }) => Promise<Record<string, unknown>>,
  ): void
  on(event: string, listener: (...parts: never[]) => void): unknown
}

const PROTOCOLS = OCPP_VERSIONS.map((version) => `ocpp${version}`)
/** A thundering herd must reach the process, not die in the kernel's queue of 511. */
const BACKLOG = 8192

/**
 * Resolves when it listens.
 *
 * @example
 * const server = await startCentralSystem({ tokenStatus: (token) => (token === 'LOST' ? 'Blocked' : 'Accepted') })
 * await server.close()
 */
export async function startCentralSystem(options: CentralSystemOptions = {}): Promise<CentralSystem> {
  const now = options.now ?? Date.now
  const host = options.host ?? '127.0.0.1'
  const violations: string[] = []
  const clients = new Map<string, ConnectedClient>()
  let nextTransactionId = 1
  const answers = answersOf(options, now, () => nextTransactionId++)

  const rpc = new RPCServer({
    protocols: PROTOCOLS,
    // Its validator looks for `urn:Heartbeat.req`, and the schemas of 2.1 are `urn:HeartbeatRequest`.
    strictMode: PROTOCOLS.filter((protocol) => protocol !== 'ocpp2.1'),
    pingIntervalMs: 30_000,
    deferPingsOnActivity: true,
  })
  const check = ({ identity, protocol }: ConnectedClient, method: string, side: Side, payload: unknown): void => {
    const [fault] = protocol === 'ocpp2.1' ? faultsOf(protocol, method, side, payload) : []
    if (!fault) return
    const text = `${identity} ${method}: ${fault.instancePath} ${fault.message}`
    violations.push(text)
    throw createRPCError('FormatViolation', text)
  }
  rpc.on('client', (client: ConnectedClient) => {
    const chargePointId = client.identity ?? ''
    const protocol = client.protocol ?? ''
    clients.set(chargePointId, client)
    client.on('close', () => {
      if (clients.get(chargePointId) === client) clients.delete(chargePointId)
    })
    client.on('strictValidationFailure', (failure: { method: string; error: Error }) =>
      violations.push(`${chargePointId} ${failure.method}: ${failure.error.message}`),
    )
    client.handle(async ({ method = '', params = {} }) => {
      const call = { chargePointId, protocol, method, request: params }
      options.received?.(call)
      check(client, method, 'req', params)
      if (options.refuses?.(call)) throw createRPCError('InternalError', 'out of order')
      const answer = options.respond?.(call) ?? answers(protocol, method, params, chargePointId)
      check(client, method, 'conf', answer)
      if (options.keep) await options.keep(call, answer)
      return { ...answer }
    })
  })

  const http = createServer()
  http.on('upgrade', (request, socket, head) => void rpc.handleUpgrade(request, socket as never, head))
  http.listen({ port: options.port ?? 0, host, backlog: BACKLOG })
  await once(http, 'listening')
  const { port } = http.address() as AddressInfo

  const connected = (chargePointId: string): ConnectedClient => {
    const client = clients.get(chargePointId)
    if (!client) throw new Error(`${chargePointId} is not connected`)
    return client
  }
  return {
    url: `ws://${host}:${port}/ocpp`,
    violations,
    connections: () => clients.size,
    async call(chargePointId, method, request) {
      const client = connected(chargePointId)
      const answer = (await client.call(method, request)) as Payload
      check(client, method, 'conf', answer)
      return answer
    },
    async cut(chargePointId) {
      await connected(chargePointId).close({ force: true })
    },
    async close() {
      await rpc.close({ force: true })
      http.closeAllConnections()
      http.close()
    },
  }
}

type Answers = (protocol: string, method: string, request: Payload, chargePointId: string) => Payload

function answersOf(options: CentralSystemOptions, now: () => number, nextTransactionId: () => number): Answers {
  const statusOf = options.tokenStatus ?? (() => 'Accepted')
  return (protocol, method, request, chargePointId) => {
    switch (method) {
      case 'BootNotification':
        return {
          status: options.registration?.(chargePointId) ?? 'Accepted',
          currentTime: isoTime(now()),
          interval: options.bootIntervalSeconds ?? 300,
        }
      case 'Heartbeat':
        return { currentTime: isoTime(now()) }
      case 'Authorize':
        return protocol === 'ocpp1.6'
          ? { idTagInfo: { status: statusOf(String(request.idTag)) } }
          : { idTokenInfo: { status: statusOf(tokenText(request)) } }
      case 'StartTransaction':
        return { transactionId: nextTransactionId(), idTagInfo: { status: statusOf(String(request.idTag)) } }
      case 'TransactionEvent':
        return request.idToken ? { idTokenInfo: { status: statusOf(tokenText(request)) } } : {}
      case 'DataTransfer':
        return { status: 'UnknownVendorId' }
      case 'OpenPeriodicEventStream':
      case 'NotifyEVChargingNeeds':
      case 'NotifyEVChargingSchedule':
        return { status: 'Accepted' }
      case 'PullDynamicScheduleUpdate':
        return { status: 'Rejected' }
      default:
        return {}
    }
  }
}

function tokenText(request: Payload): string {
  return (request.idToken as { idToken: string }).idToken
}
