/**
 * A believable message log, row by row: charge points that charge, report and are commanded, side by side in time. The
 * same seed gives the same rows.
 */

import { logIdAt, logIdTime } from '../src/domain/message-log/log-id.ts'
import type { Protocol } from '../src/domain/ports/core.ts'
import type { Command, CommandStatus } from '../src/domain/ports/storage-records.ts'
import { CHARGE_WH, chargeFrames } from './load/charge-frames.ts'

export interface LogShape {
  readonly rows: number
  readonly chargePoints: number
  /** Milliseconds: the log covers the time from here … */
  readonly fromMs: number
  /** … to here, evenly. */
  readonly toMs: number
  readonly seed: number
}

/** Of the first charge point, so that a log of any size has a window worth searching. */
const BUSIEST_ROWS = 500_000
const OUTGOING_SHARE = 0.05
/** A CALLERROR is the rare thing people look for. */
const ERROR_SHARE = 1 / 5000

export const chargePointId = (number: number): string => `LOG-${String(number).padStart(4, '0')}`

/** Ids rise strictly; every charge point is used when there are rows enough. */
export function* logRows(shape: LogShape): Generator<Command, void, undefined> {
  const random = seededRandom(shape.seed)
  let lastTransaction = 0
  const nextTransaction = () => ++lastTransaction
  const stations = Array.from({ length: shape.chargePoints }, (_value, number) =>
    createStation(number, random, nextTransaction),
  )
  const busiestShare = Math.max(1 / shape.chargePoints, Math.min(0.5, BUSIEST_ROWS / shape.rows))
  const firstId = logIdAt(shape.fromMs)
  const idStep = (logIdAt(shape.toMs) - firstId) / shape.rows
  if (idStep < 1) throw new Error(`The time is too short for ${shape.rows} rows: there are 4096 ids per millisecond.`)
  for (let position = 0; position < shape.rows; position++) {
    const other = 1 + Math.floor(random() * (shape.chargePoints - 1))
    const station = stations[random() < busiestShare ? 0 : other] ?? stations[0]
    if (station) yield station.next(firstId + Math.floor(position * idStep))
  }
}

/** @param nextTransaction numbers of 1.6, one sequence for all charge points, as the server gives them */
function createStation(number: number, random: () => number, nextTransaction: () => number) {
  const protocol: Protocol = number % 3 === 2 ? 'ocpp2.0.1' : 'ocpp1.6'
  const frames = chargeFrames[protocol]
  let registerWh = Math.floor(random() * 5_000_000)
  let position = 0
  let charge = 0
  let message = 0
  let transactionNumber = nextTransaction()

  const incoming = (id: number): Command => {
    const connectorId = protocol === 'ocpp1.6' ? 1 + (charge % 2) : 1
    const transactionId = protocol === 'ocpp1.6' ? String(transactionNumber) : `${chargePointId(number)}-${charge}`
    const time = new Date(logIdTime(id)).toISOString()
    const messageId = String(message)
    const frame = frames[position]?.({ messageId, time, transactionId, registerWh }) ?? ''
    const { method, request } = partsOf(frame)
    position = (position + 1) % frames.length
    if (position === 0) {
      charge += 1
      transactionNumber = nextTransaction()
      registerWh += CHARGE_WH
    }
    return {
      ...exchange(id, 'in', method, request.replace('"connectorId":1', `"connectorId":${connectorId}`)),
      ...(request.includes('"connectorId"') && { connectorId }),
      ...(/Transaction|MeterValues/.test(method) && { transactionId }),
      ...(protocol === 'ocpp2.0.1' && request.includes('"evse') && { evseId: 1 }),
      ...outcome(id, random() < ERROR_SHARE ? 'error' : 'success', answers[method] ?? '{}'),
    }
  }

  const outgoing = (id: number): Command => {
    const [method, request] = pick(protocol === 'ocpp1.6' ? orders16 : orders201, random())
    return { ...exchange(id, 'out', method, request), ...outcome(id, orderStatus(random()), '{"status":"Accepted"}') }
  }

  const exchange = (id: number, direction: Command['direction'], method: string, request: string) => ({
    id,
    chargePointId: chargePointId(number),
    direction,
    method,
    messageId: String(message),
    protocol,
    request,
  })

  return {
    next(id: number): Command {
      message += 1
      return random() < OUTGOING_SHARE ? outgoing(id) : incoming(id)
    },
  }
}

/** `[2,"<message id>","<method>",<request>]`, taken apart without parsing the request. */
function partsOf(frame: string): { readonly method: string; readonly request: string } {
  const braceAt = frame.indexOf('{')
  return {
    method: frame.slice(frame.lastIndexOf('"', braceAt - 3) + 1, braceAt - 2),
    request: frame.slice(braceAt, -1),
  }
}

/** What the other side made of it, 40 ms later. */
function outcome(id: number, status: CommandStatus, response: string): Pick<Command, 'status'> & Partial<Command> {
  const answeredAt = logIdTime(id) + 40
  if (status === 'success') return { status, response, answeredAt }
  if (status !== 'error') return { status }
  const description = 'The value is out of range.'
  return { status, answeredAt, error: { code: 'PropertyConstraintViolation', description, details: {} } }
}

function orderStatus(chance: number): CommandStatus {
  if (chance < 0.01) return 'timeout'
  return chance < 0.015 ? 'dropped' : 'success'
}

const answers: Readonly<Record<string, string>> = {
  Authorize: '{"idTagInfo":{"status":"Accepted"}}',
  Heartbeat: '{"currentTime":"2026-08-01T12:00:00.000Z"}',
  StartTransaction: '{"transactionId":1,"idTagInfo":{"status":"Accepted"}}',
  StopTransaction: '{"idTagInfo":{"status":"Accepted"}}',
}

type Order = readonly [method: string, request: string]

/** The last one is rare: hardly any row of a window has it. */
const orders16: readonly Order[] = [
  ['TriggerMessage', '{"requestedMessage":"MeterValues","connectorId":1}'],
  ['GetConfiguration', '{"key":["HeartbeatInterval"]}'],
  ['RemoteStartTransaction', '{"idTag":"BENCH-CARD","connectorId":1}'],
  ['ChangeAvailability', '{"connectorId":0,"type":"Operative"}'],
  ['UpdateFirmware', '{"location":"https://firmware.example.com/1.bin","retrieveDate":"2026-08-01T12:00:00Z"}'],
]
const orders201: readonly Order[] = [
  ['TriggerMessage', '{"requestedMessage":"MeterValues"}'],
  [
    'GetVariables',
    '{"getVariableData":[{"component":{"name":"OCPPCommCtrlr"},"variable":{"name":"HeartbeatInterval"}}]}',
  ],
  ['RequestStartTransaction', '{"remoteStartId":1,"idToken":{"idToken":"BENCH-CARD","type":"ISO14443"}}'],
  ['ChangeAvailability', '{"operationalStatus":"Operative"}'],
  [
    'UpdateFirmware',
    '{"requestId":1,"firmware":{"location":"https://firmware.example.com/1.bin","retrieveDateTime":"2026-08-01T12:00:00Z"}}',
  ],
]

function pick(orders: readonly Order[], chance: number): Order {
  const last = orders.length - 1
  const common = orders[Math.floor(chance * last)]
  const rare = orders[last]
  if (!common || !rare) throw new Error('There is no order to pick from.')
  return chance > 0.999 ? rare : common
}

/** Mulberry32: small, fast, and good enough for a mix of rows. */
function seededRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
