/**
 * One connection of the load generator: raw `ws`, no parsing beyond the first bytes of an answer. It calls one at a
 * time, as OCPP asks, and goes round and round through the charge.
 */

import { WebSocket } from 'ws'
import type { Protocol } from '../../src/domain/ports/core.ts'
import { bootFrame, CHARGE_WH, chargeFrames, readTransactionId } from './charge-frames.ts'

/** Unique over all connections and runs of one generator. */
let nextMessageNumber = 0

export interface StationEvents {
  /** An answer came: `error` for a CALLERROR. */
  readonly answered: (station: Station, messageId: string, error: boolean) => void
  readonly closed: () => void
}

export class Station {
  /** A call waits for its answer. */
  busy = false
  private position = 0
  private charge = 0
  private registerWh: number
  private transactionId = '-1'
  private messageId = ''

  readonly protocol: Protocol
  private readonly socket: WebSocket
  private readonly id: string
  private readonly prefix: string
  private readonly events: StationEvents

  private constructor(socket: WebSocket, id: string, protocol: Protocol, prefix: string, events: StationEvents) {
    this.socket = socket
    this.id = id
    this.protocol = protocol
    this.prefix = prefix
    this.events = events
    this.registerWh = 1_000_000 + Math.floor(Math.random() * 1_000_000)
    socket.on('message', (bytes: Buffer) => this.receive(bytes))
    socket.on('close', () => events.closed())
    socket.on('error', () => socket.terminate())
  }

  /**
   * Resolves when the handshake is done. A server that answers 503 is asked again after the time it names; any other
   * refusal rejects.
   */
  static async connect(server: Server, id: string, protocol: Protocol, prefix: string, events: StationEvents) {
    for (;;) {
      const outcome = await handshake(server, id, protocol)
      if (outcome instanceof WebSocket) return new Station(outcome, id, protocol, prefix, events)
      await new Promise((resolve) => setTimeout(resolve, outcome.retryAfterSeconds * 1000))
    }
  }

  boot(): void {
    this.messageId = `${this.prefix}${nextMessageNumber++}`
    this.busy = true
    this.socket.send(bootFrame(this.protocol, this.messageId))
  }

  /** Sends the next call of the charge. */
  callNext(): void {
    const frames = chargeFrames[this.protocol]
    if (this.position === 0 && this.protocol !== 'ocpp1.6')
      this.transactionId = `${this.prefix}${this.id}-${this.charge}`
    const frame = frames[this.position]
    if (!frame) throw new Error(`a charge has no call ${this.position}`)
    this.messageId = `${this.prefix}${nextMessageNumber++}`
    this.busy = true
    this.socket.send(
      frame({
        messageId: this.messageId,
        time: new Date().toISOString(),
        transactionId: this.transactionId,
        registerWh: this.registerWh,
      }),
    )
    this.position += 1
    if (this.position === frames.length) {
      this.position = 0
      this.charge += 1
      this.registerWh += CHARGE_WH
    }
  }

  close(): void {
    this.socket.terminate()
  }

  private receive(bytes: Buffer): void {
    // "[3," or "[4,": the second byte says what it is; anything else is no answer.
    const type = bytes[1]
    if (type !== 0x33 && type !== 0x34) return
    const answer = bytes.toString('latin1')
    if (!answer.startsWith(this.messageId, 4)) return
    // Only 1.6 answers carry a transaction id, and only right after StartTransaction.
    if (this.protocol === 'ocpp1.6' && this.position === 3) this.transactionId = readTransactionId(answer) ?? '-1'
    this.busy = false
    this.events.answered(this, this.messageId, type === 0x34)
  }
}

interface Server {
  /** Without an identity. */
  readonly url: string
  /** Which address of this machine it is called from. */
  readonly localAddress?: string | undefined
}

function handshake(
  server: Server,
  id: string,
  protocol: Protocol,
): Promise<WebSocket | { readonly retryAfterSeconds: number }> {
  const url = `${server.url}/${encodeURIComponent(id)}`
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url, protocol, {
      perMessageDeflate: false,
      handshakeTimeout: 60_000,
      localAddress: server.localAddress,
    })
    socket.once('open', () => resolve(socket))
    socket.once('error', reject)
    socket.once('unexpected-response', (request, response) => {
      request.destroy()
      if (response.statusCode === 503) resolve({ retryAfterSeconds: Number(response.headers['retry-after'] ?? 1) })
      else reject(new Error(`the server refused ${url} with ${response.statusCode}`))
    })
  })
}
