/** A charge point that says exactly what the test tells it to: `ws` without any OCPP library in between. */
import { WebSocket } from 'ws'
import { type Json, until } from './house.ts'

export type Frame = readonly unknown[]

export interface StationOptions {
  readonly password?: string
  readonly perMessageDeflate?: boolean
  /** What it shows in the handshake of TLS; the server's own is not looked at. */
  readonly tls?: { readonly cert?: string; readonly key?: string }
  readonly headers?: Readonly<Record<string, string>>
  /** Leaves the server's CALLs unanswered. */
  readonly silent?: boolean
  /** Answers every CALL of the server with this payload; otherwise with a CALLERROR. */
  readonly answer?: Json
  /** Answers the CALLs for which it returns a payload. */
  readonly respond?: (method: string, request: Json) => Json | undefined
}

export interface Station {
  readonly socket: WebSocket
  /** The protocol the server chose. */
  readonly protocol: string
  /** What arrived, oldest first. */
  readonly frames: readonly Frame[]
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>
  send(text: string | Buffer): void
  /** Sends a CALL and resolves with the frame that answers it; rejects when the connection ends before. */
  call(action: string, payload: unknown, messageId?: string): Promise<Frame>
  /** The same with the payload as text, to the byte. */
  callText(action: string, payloadText: string, messageId?: string): Promise<Frame>
  /** The payload of the CALLRESULT; throws at a CALLERROR. */
  ask(action: string, payload: unknown, messageId?: string): Promise<Json>
  /** The CALLs of a method that arrived so far. */
  calls(method: string): readonly Frame[]
  /** Their requests. */
  requests(method: string): readonly Json[]
  /** Waits for the first of them. */
  asked(method: string): Promise<Json>
  close(): Promise<void>
}

let lastMessage = 0

/** Rejects with the HTTP status (`Refused`) when the server refuses. */
export async function connectStation(
  ocppUrl: string,
  identity: string,
  protocols: string | readonly string[],
  options: StationOptions = {},
): Promise<Station> {
  const { password, perMessageDeflate = false, silent = false, answer, respond, tls, headers } = options
  const socket = new WebSocket(`${ocppUrl}/${encodeURIComponent(identity)}`, [...[protocols].flat()], {
    perMessageDeflate,
    ...(tls && { ...tls, rejectUnauthorized: false }),
    ...(headers && { headers }),
    ...(password !== undefined && { auth: `${identity}:${password}` }),
  })
  const frames: Frame[] = []
  const waiting = new Map<string, { resolve: (frame: Frame) => void; reject: (error: Error) => void }>()
  socket.on('message', (message: Buffer) => {
    const frame = JSON.parse(message.toString()) as Frame
    frames.push(frame)
    if (frame[0] === 2) {
      const payload = respond?.(String(frame[2]), frame[3] as Json) ?? answer
      const reply = payload ? [3, frame[1], payload] : [4, frame[1], 'NotImplemented', '', {}]
      if (!silent) socket.send(JSON.stringify(reply))
      return
    }
    waiting.get(String(frame[1]))?.resolve(frame)
    waiting.delete(String(frame[1]))
  })
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.on('close', (code, reason) => {
      for (const { reject } of waiting.values()) reject(new Error(`The connection ended with ${code}.`))
      resolve({ code, reason: reason.toString() })
    })
  })
  await new Promise<void>((resolve, reject) => {
    socket.on('open', resolve)
    socket.on('unexpected-response', (_, response) => {
      reject(new Refused(response.statusCode ?? 0))
      socket.terminate()
    })
    socket.on('error', reject)
  })
  const callText: Station['callText'] = (action, payloadText, messageId = `m-${++lastMessage}`) =>
    new Promise((resolve, reject) => {
      waiting.set(messageId, { resolve, reject })
      socket.send(`[2,${JSON.stringify(messageId)},${JSON.stringify(action)},${payloadText}]`, (error) => {
        if (error) reject(error)
      })
    })
  const call: Station['call'] = (action, payload, messageId) => callText(action, JSON.stringify(payload), messageId)
  const calls = (method: string): readonly Frame[] => frames.filter(([type, , name]) => type === 2 && name === method)
  const requests = (method: string): readonly Json[] => calls(method).map(([, , , request]) => request as Json)
  return {
    socket,
    protocol: socket.protocol,
    frames,
    closed,
    send: (text) => socket.send(text),
    call,
    callText,
    async ask(action, payload, messageId) {
      const frame = await call(action, payload, messageId)
      if (frame[0] !== 3) throw new Error(`${action} was answered ${JSON.stringify(frame)}`)
      return frame[2] as Json
    },
    calls,
    requests,
    async asked(method) {
      await until(() => calls(method).length > 0)
      return requests(method)[0] as Json
    },
    async close() {
      socket.close()
      await closed
    },
  }
}

/** The server answered the upgrade with a plain HTTP status. */
export class Refused extends Error {
  readonly status: number
  constructor(status: number) {
    super(`The upgrade was answered ${status}.`)
    this.status = status
  }
}

export const BOOT_16 = { chargePointVendor: 'Acme', chargePointModel: 'One' }
export const BOOT_201 = { reason: 'PowerUp', chargingStation: { vendorName: 'Acme', model: 'Two' } }

export async function bootStation(
  ocppUrl: string,
  identity: string,
  protocol: 'ocpp1.6' | 'ocpp2.0.1',
  options?: StationOptions,
): Promise<Station> {
  const station = await connectStation(ocppUrl, identity, protocol, options)
  await station.ask('BootNotification', protocol === 'ocpp1.6' ? BOOT_16 : BOOT_201)
  return station
}

export function booted16(ocppUrl: string, identity: string, options?: StationOptions): Promise<Station> {
  return bootStation(ocppUrl, identity, 'ocpp1.6', options)
}

export function booted201(ocppUrl: string, identity: string, options?: StationOptions): Promise<Station> {
  return bootStation(ocppUrl, identity, 'ocpp2.0.1', options)
}

/** A StartTransaction of 1.6: now, on the first connector. */
export const startOf = (more: Json = {}): Json => ({
  connectorId: 1,
  idTag: 'CARD',
  meterStart: 0,
  timestamp: new Date().toISOString(),
  ...more,
})

/** A TransactionEvent of 2.0.1: now, on the first EVSE; the one with the number 0 names the card. */
export const eventOf = (eventType: string, seqNo: number, more: Json = {}): Json => ({
  eventType,
  seqNo,
  timestamp: new Date().toISOString(),
  triggerReason: 'ChargingStateChanged',
  evse: { id: 1, connectorId: 1 },
  ...(seqNo === 0 && { idToken: { idToken: 'CARD', type: 'ISO14443' } }),
  transactionInfo: { transactionId: 'T', chargingState: 'Charging' },
  ...more,
})
