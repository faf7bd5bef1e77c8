/**
 * A charge point of any version that loses nothing: what was not answered it sends again, with the same message id, on
 * its next connection. It remembers what was acknowledged.
 */
import { WebSocket } from 'ws'
import type { Protocol } from '../../src/domain/ports/core.ts'

type Json = Readonly<Record<string, unknown>>

export interface Charge {
  readonly transactionId: number | string
  readonly energyKwh: number
}

interface Open {
  readonly id: string
  readonly action: string
  readonly payload: Json
  readonly answered: (payload: Json) => void
}

const BOOT_OF_2 = { reason: 'PowerUp', chargingStation: { vendorName: 'V', model: 'M' } }
const BOOT = {
  'ocpp1.6': { chargePointVendor: 'V', chargePointModel: 'M' },
  'ocpp2.0.1': BOOT_OF_2,
  'ocpp2.1': BOOT_OF_2,
}
const AGAIN_MS = 100
/** Between two messages, so that a test is about faults and not about load. */
const PACE_MS = 400
/** What an answer that never comes would cost. */
const ANSWER_LIMIT_MS = 90_000

export class Charger {
  /** Message ids that were answered. */
  readonly acknowledged = new Set<string>()
  /** Of the messages of type 6, which are never answered, those before which a later one was answered. */
  readonly streamed = new Set<string>()
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
  readonly #protocol: Protocol
  /** Sent on this connection, and nothing that came later is answered yet. */
  #streaming: string[] = []
  #socket: WebSocket | undefined
  #open: Open | undefined
  #boot: string | undefined
  #sent = 0
  #isOver = false
  #meterWh = 0

  constructor(ocppUrl: string, name: string, paceMs = PACE_MS, protocol: Protocol = 'ocpp1.6') {
    this.#paceMs = paceMs
    this.#protocol = protocol
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

  charge(): Promise<void> {
    return this.#protocol === 'ocpp1.6' ? this.#charge16() : this.#charge2()
  }

  async #charge2(): Promise<void> {
    const meterStart = this.#meterWh
    const transactionId = `${this.name} ${this.#sent}`
    let seqNo = 0
    const event = (eventType: string, triggerReason: string, more: Json = {}): Promise<Json> => {
      const timestamp = new Date().toISOString()
      const meterValue = [{ timestamp, sampledValue: [{ value: this.#meterWh }] }]
      const transactionInfo = { transactionId, chargingState: 'Charging' }
      const evse = { id: 1, connectorId: 1 }
      const facts = { eventType, timestamp, triggerReason, seqNo: seqNo++, transactionInfo, meterValue, evse }
      return this.say('TransactionEvent', { ...facts, ...more })
    }
    await event('Started', 'Authorized', { idToken: { idToken: 'CARD', type: 'ISO14443' } })
    for (let sample = 0; sample < 3; sample++) {
      this.#meterWh += 500
      this.#stream()
      await event('Updated', 'MeterValuePeriodic')
      await this.#pause()
    }
    await event('Ended', 'StopAuthorized')
    this.charges.push({ transactionId, energyKwh: (this.#meterWh - meterStart) / 1000 })
  }

  #stream(): void {
    if (this.#protocol !== 'ocpp2.1' || !this.isConnected) return
    const id = `${this.name} ${++this.#sent}`
    const payload = { id: 1, pending: 0, basetime: new Date().toISOString(), data: [{ t: 0, v: '230.1' }] }
    this.#streaming.push(id)
    this.#socket?.send(JSON.stringify([6, id, 'NotifyPeriodicEventStream', payload]))
  }

  async #charge16(): Promise<void> {
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
    const socket = new WebSocket(this.#url, this.#protocol)
    this.#socket = socket
    socket.on('open', () => {
      this.#boot = `${this.name} boot ${++this.#sent}`
      socket.send(JSON.stringify([2, this.#boot, 'BootNotification', BOOT[this.#protocol]]))
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
      this.#streaming = []
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
    for (const before of this.#streaming.splice(0)) this.streamed.add(before)
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
