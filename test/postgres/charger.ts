/**
 * A charge point of OCPP 1.6 that loses nothing: what was not answered it sends again, with the same message id, on its
 * next connection. It remembers what was acknowledged.
 */
import { WebSocket } from 'ws'

type Json = Readonly<Record<string, unknown>>

export interface Charge {
  readonly transactionId: number
  readonly energyKwh: number
}

interface Open {
  readonly id: string
  readonly action: string
  readonly payload: Json
  readonly answered: (payload: Json) => void
}

const BOOT = { chargePointVendor: 'V', chargePointModel: 'M' }
const AGAIN_MS = 100
/** Between two messages, so that a test is about faults and not about load. */
const PACE_MS = 400
/** What an answer that never comes would cost. */
const ANSWER_LIMIT_MS = 90_000

export class Charger {
  /** Message ids that were answered. */
  readonly acknowledged = new Set<string>()
  readonly charges: Charge[] = []
  /** What it was told to do, oldest first. */
  readonly orders: string[] = []
  /** What it was refused with, as CALLERRORs. */
  readonly errors: string[] = []
  /** What each socket was closed with, or not opened. */
  readonly closes: string[] = []
  isConnected = false
  /** Sent and not answered. */
  waitsSince: number | undefined
  readonly name: string
  readonly #url: string
  readonly #paceMs: number
  #socket: WebSocket | undefined
  #open: Open | undefined
  #boot: string | undefined
  #sent = 0
  #isOver = false
  #meterWh = 0

  constructor(ocppUrl: string, name: string, paceMs = PACE_MS) {
    this.#paceMs = paceMs
    this.#url = `${ocppUrl}/${name}`
    this.name = name
    this.#connect()
  }

  end(): void {
    this.#isOver = true
    this.#socket?.terminate()
  }

  /** Resolves with the answer, however many connections that takes. */
  say(action: string, payload: Json): Promise<Json> {
    return new Promise((answered) => {
      this.#open = { id: `${this.name} ${++this.#sent}`, action, payload, answered }
      this.waitsSince = Date.now()
      this.#send()
    })
  }

  async charge(): Promise<void> {
    const meterStart = this.#meterWh
    const start = { connectorId: 1, idTag: 'CARD', meterStart, timestamp: new Date().toISOString() }
    const { transactionId } = (await this.say('StartTransaction', start)) as { readonly transactionId: number }
    for (let sample = 0; sample < 3; sample++) {
      this.#meterWh += 500
      const sampledValue = [{ value: String(this.#meterWh), measurand: 'Energy.Active.Import.Register', unit: 'Wh' }]
      const meterValue = [{ timestamp: new Date().toISOString(), sampledValue }]
      await this.say('MeterValues', { connectorId: 1, transactionId, meterValue })
      await this.#pause()
    }
    const stop = { transactionId, meterStop: this.#meterWh, timestamp: new Date().toISOString() }
    await this.say('StopTransaction', stop)
    this.charges.push({ transactionId, energyKwh: (this.#meterWh - meterStart) / 1000 })
  }

  /** A charge after the other, until the present one is over after `isOver` says so. */
  async chargeUntil(isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      await this.charge()
      // Two charges of one outlet that begin in one millisecond would be the same one, too.
      await this.#pause()
    }
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => setTimeout(resolve, this.#paceMs))
  }

  #send(): void {
    if (!this.#open || !this.isConnected) return
    const { id, action, payload } = this.#open
    this.#socket?.send(JSON.stringify([2, id, action, payload]))
  }

  #connect(): void {
    if (this.#isOver) return
    const socket = new WebSocket(this.#url, 'ocpp1.6')
    this.#socket = socket
    socket.on('open', () => {
      this.#boot = `${this.name} boot ${++this.#sent}`
      socket.send(JSON.stringify([2, this.#boot, 'BootNotification', BOOT]))
    })
    const silent = setInterval(() => {
      if (this.waitsSince !== undefined && Date.now() - this.waitsSince > ANSWER_LIMIT_MS) socket.terminate()
    }, 1_000)
    socket.on('message', (data: Buffer) => this.#heard(JSON.parse(data.toString('utf8')) as readonly unknown[]))
    let fault = ''
    socket.on('error', ({ message }) => {
      fault = message
    })
    socket.on('close', (code, reason) => {
      clearInterval(silent)
      if (this.#socket !== socket) return
      this.isConnected = false
      this.closes.push(`${code} ${reason.toString()}${fault}`)
      setTimeout(() => this.#connect(), AGAIN_MS + Math.random() * AGAIN_MS)
    })
  }

  #heard([type, id, ...rest]: readonly unknown[]): void {
    if (type === 2) {
      this.orders.push(String(rest[0]))
      this.#socket?.send(JSON.stringify([3, id, { status: 'Accepted' }]))
      return
    }
    if (type === 4) {
      this.errors.push(JSON.stringify([this.#open?.action, ...rest]))
      setTimeout(() => this.#send(), AGAIN_MS)
      return
    }
    this.acknowledged.add(String(id))
    if (id === this.#boot) {
      this.isConnected = true
      this.#send()
      return
    }
    const open = this.#open
    if (!open || open.id !== id) return
    this.#open = undefined
    this.waitsSince = undefined
    open.answered(rest[0] as Json)
  }
}
