/** How the tables of this folder are written: what a station sends, frame by frame, and what must come of it. */
import type { Json } from '../house.ts'

/** The zero of a table's minutes: three hours ago, so that nothing lies in the future. */
export const ZERO = Math.floor(Date.now() / 1000) * 1000 - 3 * 3600_000

/** A time of the captured charge, in minutes after its start, as firmware usually writes it. */
export function minute(minutes: number): string {
  return new Date(ZERO + minutes * 60_000).toISOString()
}

/** What is sent: text to the byte, or bytes that claim to be text. `$TX` stands for the number the server gave last. */
export type Sent = string | Buffer

/** What must be answered: the payload of a CALLRESULT (as far as given), the code of a CALLERROR, or nothing at all. */
export type Answer = Json | string | undefined

export interface Captured {
  /** The quirk, and the requirement that says what to do with it. */
  readonly name: string
  /** A number instead of an answer: so many frames come back for one that is sent. */
  readonly steps: readonly (readonly [sent: Sent, ...answers: Answer[]])[]
  /** Newest first; a number stands for the energy of one completed session. Absent: none at all. */
  readonly sessions?: number | readonly Json[]
  /** What the API shows of the charge point. */
  readonly chargePoint?: Json
}

export const ACCEPTED: Json = { idTagInfo: { status: 'Accepted' } }

export function call(action: string, payload: string, id = action): string {
  return `[2,"${id}","${action}",${payload}]`
}

/** A 1.6 start at minute 0 with a register of 1000 Wh; `more` replaces or adds members, as JSON text. */
export function start(more = '', id = 'start'): string {
  return call(
    'StartTransaction',
    `{"connectorId":1,"idTag":"CARD","meterStart":1000,"timestamp":"${minute(0)}"${more}}`,
    id,
  )
}

/** A 1.6 stop after an hour; the members are JSON text. */
export function stop(members: string, id = 'stop'): string {
  return call('StopTransaction', `{"timestamp":"${minute(60)}",${members}}`, id)
}

/** 1.6 values of the running transaction after half an hour; the sampled values are JSON text. */
export function values(
  sampled: string,
  head = '"connectorId":1,"transactionId":$TX',
  at = minute(30),
  id = 'values',
): string {
  return call('MeterValues', `{${head},"meterValue":[{"timestamp":"${at}","sampledValue":[${sampled}]}]}`, id)
}

/** A 2.0.1 event; `more` replaces or adds members, as JSON text. */
export function event(type: string, seqNo: number | string, at: string, info: string, more = ''): string {
  const members = `"eventType":"${type}","timestamp":"${at}","triggerReason":"ChargingStateChanged","seqNo":${seqNo}`
  return call('TransactionEvent', `{${members},"transactionInfo":{${info}}${more}}`, `${type}-${at}`)
}

export function register(value: string, more = ''): string {
  return `{"value":${value},"measurand":"Energy.Active.Import.Register"${more}}`
}
