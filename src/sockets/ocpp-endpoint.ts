/** The OCPP endpoint: refusals are plain HTTP answers before the upgrade (OCPP-DR2); then a byte pipe to the core. */

import type { IncomingMessage, Server } from 'node:http'
import type { Server as TlsServer } from 'node:https'
import type { Duplex } from 'node:stream'
import { TLSSocket } from 'node:tls'
import { type WebSocket, WebSocketServer } from 'ws'
import { ipRanges, plainAddress } from '../domain/ip-ranges.ts'
import type { Admission, Clock, Core, Log, SocketEvents } from '../domain/ports/core.ts'
import { isOcppTarget, readIdentity } from '../ocpp/identity.ts'
import { createClientOrigin } from './client-address.ts'
import { type Backlog, Connection, socketEvents } from './connection.ts'
import {
  endWithStatus,
  isHandshake,
  isUpgrade,
  offeredExtensions,
  offeredProtocols,
  type Refusal,
  readWithoutOffer,
  targetOf,
} from './handshake.ts'
import { createUnacceptedPace } from './unaccepted-pace.ts'

export interface EndpointSettings {
  /** Larger messages end their connection with 1009 (OCPP-SZ1). */
  readonly maxFrameBytes: number
  readonly pingIntervalSeconds: number
  /** OCPP-CN3: identities of charge points that leave pings unanswered. */
  readonly withoutPong?: readonly string[] | undefined
  /** Addresses or CIDR ranges. */
  readonly trustedProxies: readonly string[]
  /** CERT-C16 */
  readonly clientCertHeader?: string | undefined
  readonly clock: Clock
  /** 0 to 1, like Math.random. */
  readonly random: () => number
  readonly log: Log
  /** Strips the base URL's path before /ocpp/. */
  readonly withoutBasePath?: (target: string) => string
  readonly upgrades?: Omit<UpgradeLimitSettings, 'clock'> | undefined
}

export interface OcppEndpoint {
  /** The sockets for the core. Connections that are gone are ignored. */
  readonly events: SocketEvents
  connectionCount(): number
  /** Closes any `count` connections, spread over the time: they come back through the balancer (STORE-N18). */
  closeSome(count: number, spreadMs: number): void
  /** OCPP-CN6, first step: no new connections, no reads from open ones. */
  stopAccepting(): void
  /** OCPP-CN6, last step: closes all connections, spread over seconds; resolves when every socket is closed. */
  close(): Promise<void>
}

/** OCPP-SZ2: a connection that keeps its compression context costs about 240 KiB, so none does. */
const COMPRESSION = {
  serverNoContextTakeover: true,
  clientNoContextTakeover: true,
  threshold: 1024,
  concurrencyLimit: 10,
  zlibDeflateOptions: { level: 3, memLevel: 7 },
}
/** OCPP-CN6: a few stations close at once, thousands spread so that they do not come back together. */
const CLOSE_SPREAD = { perConnectionMs: 5, longestMs: 5000 }

const RESTARTING: Refusal = { status: 503, reason: 'The server is restarting: come back in a moment.' }
const BUSY: Refusal = { status: 503, reason: 'Too many charge points connect at once: come back later.' }
const UNDECIDED: Refusal = { status: 503, reason: 'The charge point could not be looked up: come back later.' }
const OTHER_ADDRESS: Refusal = { status: 404, reason: 'OCPP is spoken at /ocpp/ followed by the identity.' }
const NO_HANDSHAKE: Refusal = {
  status: 400,
  reason: 'This is no WebSocket handshake of version 13.',
  webSocketVersions: '13, 8',
}

/** Upgrades below /ocpp/ become connections, others are refused. @throws when a trusted proxy is no address range */
export function attachOcppEndpoint(server: Server | TlsServer, core: Core, settings: EndpointSettings): OcppEndpoint {
  const { clock, log, random } = settings
  const readOrigin = createClientOrigin(settings.trustedProxies)
  const readCertificates = createCertificateReader(settings.trustedProxies, settings.clientCertHeader)
  const withoutPong = new Set(settings.withoutPong)
  const limit = createUpgradeLimit({ ...settings.upgrades, clock })
  const connections = new Map<number, Connection>()
  const webSockets = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: settings.maxFrameBytes,
    perMessageDeflate: COMPRESSION,
    // OCPP-RP1: another character set must not end the connection: its billing messages would be lost.
    skipUTF8Validation: true,
  })
  const backlog: Backlog = { bytes: 0 }
  const unacceptedPace = createUnacceptedPace(clock)
  let lastNumber = 0
  let accepting = true
  let whenEmpty: (() => void) | undefined

  const refuse = (socket: Duplex, refusal: Refusal): void => endWithStatus(socket, refusal, retryAfterSeconds(random))

  const { withoutBasePath = (target) => target } = settings

  const admit = async (request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> => {
    const reading = readIdentity(targetOf(request, withoutBasePath))
    if (!reading.ok) return refuse(socket, reading)
    if (!isHandshake(request)) return refuse(socket, NO_HANDSHAKE)
    const { identity } = reading
    const { address, secure } = readOrigin(request)
    const offered = offeredProtocols(request)
    const { authorization } = request.headers
    const certificates = readCertificates(request)
    const asked = {
      identity,
      offered,
      remoteAddress: address,
      secure,
      authorization,
      certificates,
    }
    const admission = await core.admit(asked).catch((error: Error): Admission => {
      log.warn({ chargePoint: identity, error: error.message }, 'admission failed')
      return { ok: false, ...UNDECIDED }
    })
    if (!accepting) return refuse(socket, RESTARTING)
    if (!admission.ok) {
      log.warn({ chargePoint: identity, address, status: admission.status, reason: admission.reason }, 'refused')
      return refuse(socket, admission)
    }
    const { protocol } = admission
    // OCPP-T5: the client's own spelling. `ws` would refuse lists that HTTP allows (empty elements, duplicates).
    const echo = offered.find((name) => name.toLowerCase() === protocol)
    keep(request, 'sec-websocket-protocol', echo)
    keep(request, 'sec-websocket-extensions', offeredExtensions(request))
    webSockets.handleUpgrade(request, socket, head, (webSocket) => {
      log.info({ chargePoint: identity, address, protocol }, 'connected')
      open(webSocket, admission, address)
    })
  }

  /** OCPP-CN8: handshake, listeners and `opened` in one turn: nothing is read before the core knows the connection. */
  const open = (webSocket: WebSocket, admitted: Extract<Admission, { ok: true }>, address: string): void => {
    const { chargePointId, protocol, shown } = admitted
    const number = ++lastNumber
    const connection = new Connection(
      number,
      webSocket,
      core,
      {
        clock,
        pingIntervalMs: settings.pingIntervalSeconds * 1000,
        expectsPong: !withoutPong.has(chargePointId),
        backlog,
        unacceptedPace: () => unacceptedPace(address),
      },
      {
        failed: (error) => log.warn({ chargePoint: chargePointId, error: error.message }, 'connection failed'),
        closed(code, reason) {
          connections.delete(number)
          // OCPP-CN1: the number names the ended connection; a newer one of the same charge point stays.
          core.closed(number, code, reason)
          log.info({ chargePoint: chargePointId, code, ...(reason !== '' && { reason }) }, 'disconnected')
          if (connections.size === 0) whenEmpty?.()
        },
      },
    )
    if (admitted.isUnaccepted) connection.setLimits(true)
    connections.set(number, connection)
    core.opened(number, chargePointId, protocol, shown)
  }

  const upgrade = async (request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> => {
    if (!isOcppTarget(targetOf(request, withoutBasePath))) return refuse(socket, OTHER_ADDRESS)
    if (!accepting) return refuse(socket, RESTARTING)
    const leave = await limit.enter()
    if (!leave) return refuse(socket, BUSY)
    await admit(request, socket, head).finally(leave)
  }

  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (!isUpgrade(request, withoutBasePath)) return readWithoutOffer(server, request, socket, head)
    // Before the handshake there is no other listener: a client's error must not end the process.
    socket.on('error', ignore)
    upgrade(request, socket, head).catch((error: Error) => {
      log.warn({ url: request.url, error: error.message }, 'upgrade failed')
      socket.destroy()
    })
  })

  const stopAccepting = (): void => {
    if (!accepting) return
    accepting = false
    for (const connection of connections.values()) connection.hold()
  }

  return {
    events: socketEvents(connections),
    connectionCount: () => connections.size,
    closeSome(count, spreadMs) {
      const numbers = [...connections.keys()]
      for (let index = 0; index < Math.min(count, numbers.length); index++) {
        const at = index + Math.floor(random() * (numbers.length - index))
        const number = numbers[at]
        numbers[at] = numbers[index] ?? 0
        if (number === undefined) return
        clock.after((index / count) * spreadMs, () => connections.get(number)?.close(1012, 'to another node'))
      }
    },
    stopAccepting,
    async close() {
      stopAccepting()
      const open = [...connections.values()]
      if (open.length === 0) return
      const empty = new Promise<void>((resolve) => {
        whenEmpty = resolve
      })
      const spreadMs = Math.min(open.length * CLOSE_SPREAD.perConnectionMs, CLOSE_SPREAD.longestMs)
      open.forEach((connection, index) => {
        clock.after((index / open.length) * spreadMs, () => connection.retire(1012, 'the server restarts'))
      })
      await empty
    },
  }
}

function keep({ headers }: IncomingMessage, name: string, value: string | undefined): void {
  if (value === undefined) delete headers[name]
  else headers[name] = value
}

function ignore(): void {}

/**
 * The certificate chain that a charge point showed in TLS, to us or in a trusted proxy's header (CERT-C16), to be
 * verified.
 */
const CLIENT_CERT_HEADER = 'x-ssl-client-cert'

/** The leaf first, then its issuers: PEM, or DER in Base64. */
type ReadShownCertificates = (request: Pick<IncomingMessage, 'socket' | 'headers'>) => string[] | undefined

/** A leaf and its issuers; longer chains are refused. */
const MOST = 9

function createCertificateReader(
  trustedProxies: readonly string[],
  header = CLIENT_CERT_HEADER,
): ReadShownCertificates {
  const proxies = ipRanges(trustedProxies)
  return ({ socket, headers }) => {
    const peer = plainAddress(socket.remoteAddress ?? '')
    // A proxy's own certificate is not its clients'.
    if (proxies.includes(peer)) return isPlain(headers) ? undefined : handedOn(headers[header])
    return socket instanceof TLSSocket ? shownTo(socket) : undefined
  }
}

/** Without TLS to the proxy nothing was shown: certificates are public, so any client can copy one into a header. */
function isPlain({ 'x-forwarded-proto': forwarded }: IncomingMessage['headers']): boolean {
  const protocol = [forwarded ?? []].flat().join(',').split(',').at(-1)?.trim().toLowerCase()
  return protocol === 'http' || protocol === 'ws'
}

function handedOn(header: string | string[] | undefined): string[] | undefined {
  const text = Array.isArray(header) ? header.join(',') : header
  if (text === undefined || text === '') return undefined
  try {
    return [decodeURIComponent(text).trim()]
  } catch {
    return [text]
  }
}

function shownTo(socket: TLSSocket): string[] | undefined {
  const shown: string[] = []
  let certificate = socket.getPeerCertificate(true)
  while (certificate?.raw && shown.length < MOST) {
    const der = certificate.raw.toString('base64')
    // A root is its own issuer.
    if (shown.includes(der)) break
    shown.push(der)
    certificate = certificate.issuerCertificate
  }
  return shown.length > 0 ? shown : undefined
}

/**
 * Limits upgrades when many stations reconnect at once (OCPP-CN5): some run at the same time, a limited number waits,
 * and the others get a time to come back. Most reconnecting stations fit into the waiting line; a refused one may
 * stay away for minutes.
 */
interface UpgradeLimitSettings {
  readonly clock: Clock
  readonly concurrent?: number | undefined
  readonly waiting?: number | undefined
  readonly longestWaitMs?: number | undefined
  /** Something else is overloaded (event loop, writer's queue): no upgrade is admitted. */
  readonly overloaded?: () => boolean
}

/** Called once, when the upgrade has ended either way. */
type Leave = () => void

interface UpgradeLimit {
  /** Resolves at this upgrade's turn; with undefined when it must come back later. */
  enter(): Promise<Leave | undefined>
}

/** OCPP-CN5 */
const CONCURRENT = 200
/** About one second of admissions on a small machine. */
const WAITING = 4000
/** Stations time out after 10 to 30 s for a handshake. */
const MAX_WAIT_MS = 5000

export function createUpgradeLimit({
  clock,
  concurrent = CONCURRENT,
  waiting = WAITING,
  longestWaitMs = MAX_WAIT_MS,
  overloaded = () => false,
}: UpgradeLimitSettings): UpgradeLimit {
  const line = new Set<(leave: Leave | undefined) => void>()
  let inProgress = 0

  const leave: Leave = () => {
    inProgress--
    const [next] = line
    next?.(start())
  }
  const start = (): Leave => {
    inProgress++
    let left = false
    return () => {
      if (left) return
      left = true
      leave()
    }
  }

  return {
    async enter() {
      if (overloaded()) return undefined
      if (inProgress < concurrent) return start()
      if (line.size >= waiting) return undefined
      return new Promise((resolve) => {
        const answer = (way: Leave | undefined): void => {
          line.delete(answer)
          cancel()
          resolve(way)
        }
        const cancel = clock.after(longestWaitMs, () => answer(undefined))
        line.add(answer)
      })
    },
  }
}

/** Whole seconds until a refused station may come back, spread over time (OCPP-CN5). */
export function retryAfterSeconds(random: () => number): number {
  return 5 + Math.floor(random() * 56)
}
