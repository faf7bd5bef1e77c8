/** An endpoint on a real server for tests, with a core that admits by the real rule and echoes what it is sent. */

import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import type { Admission, AdmissionRequest, Core } from '../../../src/domain/ports/core.ts'
import type { ChargePoint } from '../../../src/domain/ports/storage-records.ts'
import { type AdmissionSettings, decideAdmission } from '../../../src/ocpp/admission.ts'
import { hashPassword } from '../../../src/ocpp/credentials.ts'
import { NOT_UTF8, readFrame, resultText } from '../../../src/ocpp/rpc/frame.ts'
import { systemClock } from '../../../src/server/system.ts'
import { attachOcppEndpoint, type EndpointSettings, type OcppEndpoint } from '../../../src/sockets/ocpp-endpoint.ts'

export const SECRET_KEY = Buffer.alloc(32, 1)
export const PASSWORD = '0123456789123456'

export function registered(id: string, change: Partial<ChargePoint> = {}): ChargePoint {
  return {
    id,
    accountId: 'account',
    passwordHash: hashPassword(PASSWORD, SECRET_KEY, Buffer.alloc(16, 2)),
    securityProfile: 1,
    registrationStatus: 'Accepted',
    createdAt: 0,
    ...change,
  }
}

class EchoCore implements Core {
  readonly chargePoints = new Map<string, ChargePoint>()
  readonly requests: AdmissionRequest[] = []
  readonly openConnections = new Map<number, string>()
  readonly closedConnections: number[] = []
  readonly submitted: { readonly connection: number; readonly text: string }[] = []
  readonly alives: number[] = []
  /** Calls that wait for `answerAll` instead of being answered at once. */
  holding = false
  /** What a call is answered with: by default what it says. */
  answerTo = (payload: string): string => payload
  beforeAdmission: () => Promise<void> = () => Promise.resolve()
  admissionSettings: AdmissionSettings = { unknownChargePoints: 'reject', secretKey: SECRET_KEY }
  endpoint: OcppEndpoint | undefined
  #held: (() => void)[] = []

  async admit(request: AdmissionRequest): Promise<Admission> {
    this.requests.push(request)
    await this.beforeAdmission()
    return decideAdmission(request, this.chargePoints.get(request.identity), this.admissionSettings)
  }
  opened(connection: number, chargePointId: string): void {
    this.openConnections.set(connection, chargePointId)
  }
  closed(connection: number): void {
    this.openConnections.delete(connection)
    this.closedConnections.push(connection)
  }
  submit(connection: number, text: string): void {
    if (!this.openConnections.has(connection)) throw new Error('A frame came before its connection was opened.')
    this.submitted.push({ connection, text })
    const frame = readFrame(text.replace(NOT_UTF8, ''))
    const answer = (): void => {
      if (frame.type === 'call') {
        this.endpoint?.events.send(connection, resultText(frame.idText, this.answerTo(frame.payloadText)))
      }
      this.endpoint?.events.done(connection)
    }
    if (this.holding) this.#held.push(answer)
    else answer()
  }
  /** Done with the one held longest, without an answer. */
  doneNext(connection = 1): void {
    this.#held.shift()
    this.endpoint?.events.done(connection)
  }
  answerAll(): void {
    this.holding = false
    for (const answer of this.#held.splice(0)) answer()
  }
  alive(connection: number): void {
    this.alives.push(connection)
  }
  sendCommand = unused
  dropCommands = unused
  startSession = unused
  stopSession = unused
  settle = unused
  decideBlock = unused
  prepareAuthorities = unused
  orderReport = unused
  settleConfigurations = unused
  configurationsChanged = unused
  connectivity = unused
  limitViews = unused
  onlineChargePoints = unused
  networks = unused
  removeChargePoint = unused
  disconnect = unused
  statistics = unused
  leave = unused
  drain = unused
}

export interface RunningEndpoint {
  readonly core: EchoCore
  readonly endpoint: OcppEndpoint
  readonly port: number
  readonly url: string
  readonly warnings: string[]
  stop(): Promise<void>
}

export async function startEndpoint(
  settings: Partial<EndpointSettings> = {},
  server: Parameters<typeof attachOcppEndpoint>[0] = createServer((_, response) => void response.end('page')),
): Promise<RunningEndpoint> {
  const core = new EchoCore()
  core.chargePoints.set('CP1', registered('CP1'))
  const warnings: string[] = []
  const endpoint = attachOcppEndpoint(server, core, {
    maxFrameBytes: 1024 * 1024,
    pingIntervalSeconds: 30,
    trustedProxies: [],
    clock: systemClock,
    random: () => 0,
    log: { info: () => undefined, warn: (_, message) => warnings.push(message), error: () => undefined },
    ...settings,
  })
  core.endpoint = endpoint
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    core,
    endpoint,
    port,
    url: `ws://127.0.0.1:${port}/ocpp/`,
    warnings,
    async stop() {
      for (const number of core.openConnections.keys()) endpoint.events.close(number, 1001, 'the test is over')
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export function basic(user: string, secret: string | Buffer): string {
  return `Basic ${Buffer.concat([Buffer.from(`${user}:`), Buffer.from(secret as string)]).toString('base64')}`
}

/** An upgrade request as text; `extra` replaces or (undefined) removes headers. */
export function upgradeRequest(target: string, extra: Readonly<Record<string, string | undefined>> = {}): string {
  const headers: Record<string, string | undefined> = {
    Host: 'localhost',
    Connection: 'Upgrade',
    Upgrade: 'websocket',
    'Sec-WebSocket-Version': '13',
    'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
    'Sec-WebSocket-Protocol': 'ocpp1.6',
    Authorization: basic('CP1', PASSWORD),
    ...extra,
  }
  const lines = Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}`]))
  return `GET ${target} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`
}

/** Writes a hand-made request and resolves with the head and body of the answer, once the server ends or upgrades. */
export function exchange(port: number, request: string | Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(request))
    let answer = ''
    socket.on('data', (chunk) => {
      answer += chunk.toString('latin1')
      if (!answer.startsWith('HTTP/1.1 101') || !answer.includes('\r\n\r\n')) return
      socket.destroy()
      resolve(answer)
    })
    socket.on('end', () => resolve(answer))
    socket.on('error', reject)
  })
}

/** A masked client text frame of at most 125 bytes, as it stands on the wire (mask of zeros). */
export function textFrame(text: string): Buffer {
  const payload = Buffer.from(text)
  return Buffer.concat([Buffer.from([0x81, 0x80 | payload.length, 0, 0, 0, 0]), payload])
}

async function unused(): Promise<never> {
  throw new Error('The echo core has no such operation.')
}
