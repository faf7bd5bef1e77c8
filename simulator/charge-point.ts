/**
 * A charging station as a library: tests drive it, scenarios and the command line are built on it. It keeps its own
 * truth (meter, open transactions, unsent messages) and tells the central system as well as the connection allows.
 */

import { randomUUID } from 'node:crypto'
import { systemClock } from '../src/clock.ts'
import type { Payload } from '../src/ocpp/version.ts'
import type { Clock } from '../src/ports/clock.ts'
import type { Protocol } from '../src/ports/core.ts'
import { cancellable } from './time/cancellable-clock.ts'
import { type Charging, createCharging } from './model/charging.ts'
import { createCommandAnswers } from './commands/answers.ts'
import { createConnection } from './wire/connection.ts'
import { createMeter, type Outlet } from './model/connector.ts'
import type { Dialect } from './model/dialect.ts'
import type { BootReason, Call, ConnectorStatus, Token } from './model/facts.ts'
import { COMPACT_CAR, type Reading, type Vehicle } from './model/meter.ts'
import { createOutbox } from './model/outbox.ts'
import { v16 } from './v16/messages.ts'
import { v201 } from './v201/messages.ts'

export interface ChargePointOptions {
  readonly protocol: Protocol
  /** Without the identity: `ws://localhost:8080/ocpp`. */
  readonly url: string
  readonly id: string
  /** Sent as HTTP Basic; absent: no Authorization header. */
  readonly password?: string
  readonly clock?: Clock
  readonly newTransactionId?: () => string
  readonly connectors?: number
  readonly vehicle?: Vehicle
  /** What each outlet gives at most. */
  readonly limitW?: number
  /** The meter's lifetime register when the station is made. */
  readonly registerWh?: number
  /** Seconds of physics per second of wall clock; time stamps always show the wall clock. */
  readonly timeScale?: number
  /** Milliseconds between samples of a running transaction; 0 (default): only when asked. */
  readonly sampleIntervalMs?: number
  readonly strict?: boolean
  readonly reconnect?: boolean
  readonly callTimeoutMs?: number
  /** Tries of one transaction message, and the wait between them (multiplied by the number of tries). */
  readonly messageAttempts?: number
  readonly messageRetryIntervalMs?: number
  /** A frame that breaks its schema, an answer that never came; for the person who runs the station. */
  readonly problem?: (message: string) => void
}

export interface ConnectorSnapshot {
  readonly connectorId: number
  readonly status: ConnectorStatus
  readonly plugged: boolean
  readonly reading: Reading
  /** An open transaction; its id is absent in 1.6 until the central system gave one. */
  readonly transaction?: { readonly transactionId?: string; readonly energyWh: number }
}

export interface Snapshot {
  readonly online: boolean
  readonly registered: boolean
  /** Transaction messages that wait for a connection. */
  readonly queuedMessages: number
  readonly connectors: readonly ConnectorSnapshot[]
}

export interface ChargePoint extends Omit<Charging, 'outlet' | 'reportStatus' | 'setOperative'> {
  readonly id: string
  readonly protocol: Protocol
  connect(): Promise<void>
  /** The registration status of the answer; Pending and Rejected are asked again after the interval they name. */
  boot(reason?: BootReason): Promise<string>
  /** The status the central system gives this token; undefined while offline. */
  authorise(token: Token): Promise<string | undefined>
  heartbeat(): Promise<void>
  /** Closes the connection; charging goes on and its messages wait. `abrupt` pulls the cable. */
  disconnect(abrupt?: boolean): Promise<void>
  /** Resolves when every transaction message was taken, or the connection is gone. */
  flush(): Promise<void>
  /** Any CALL, for tests that want to say something odd. */
  call(call: Call): Promise<Payload>
  snapshot(): Snapshot
  /** How fast the physics run from now on. */
  setTimeScale(timeScale: number): void
  /** Ends everything: connection, timers, charges. */
  powerOff(): Promise<void>
}

const dialects: Record<Protocol, Dialect> = { 'ocpp1.6': v16, 'ocpp2.0.1': v201 }
/** What a station waits after Pending or Rejected when the answer leaves it to the station (interval 0). */
const BOOT_RETRY_SECONDS = 10
/** Long enough that the answer to a command is on the wire before its effects are. */
const AFTER_ANSWER_MS = 5

export function createChargePoint(options: ChargePointOptions): ChargePoint {
  const dialect = dialects[options.protocol]
  const problem = options.problem ?? (() => undefined)
  let timeScale = options.timeScale ?? 1
  let registered = false
  let heartbeatSeconds = 0
  let poweredOff = false
  let sampleIntervalMs = options.sampleIntervalMs ?? 0
  const timers = new Set<() => void>()
  const clock = cancellable(options.clock ?? systemClock, timers)

  const outlets = Array.from(
    { length: options.connectors ?? 1 },
    (_value, position): Outlet => ({
      connectorId: position + 1,
      status: 'Available',
      plugged: false,
      operative: true,
      meter: createMeter({
        now: clock.now,
        vehicle: options.vehicle ?? COMPACT_CAR,
        limitW: options.limitW ?? 22_000,
        registerWh: options.registerWh ?? 1_234_567,
        timeScale: () => timeScale,
      }),
    }),
  )

  const connection = createConnection({
    protocol: options.protocol,
    url: options.url,
    id: options.id,
    ...(options.password !== undefined && { password: options.password }),
    strict: options.strict ?? true,
    reconnect: options.reconnect ?? true,
    callTimeoutMs: options.callTimeoutMs ?? 30_000,
    answer: (method, request) => answers.answer(method, request),
    opened: () => background(reconnected),
    problem,
  })
  const isReady = () => connection.online && registered
  const outbox = createOutbox({
    send: (call) =>
      connection.call(call).catch((error: unknown) => {
        if (connection.online) problem(`${call.method} was not taken: ${text(error)}`)
        throw error
      }),
    isReady,
    clock,
    attempts: options.messageAttempts ?? 3,
    retryIntervalMs: options.messageRetryIntervalMs ?? 2_000,
  })
  const notify = async (call: Call) => {
    if (!isReady()) return
    await connection.call(call).catch((error: unknown) => {
      if (connection.online) problem(`${call.method} was not taken: ${text(error)}`)
    })
  }
  const charging = createCharging({
    dialect,
    outlets,
    outbox,
    clock,
    isReady,
    notify,
    newTransactionId: options.newTransactionId ?? randomUUID,
    sampleIntervalMs: () => sampleIntervalMs,
  })

  const background = (work: () => Promise<unknown>) => {
    void work().catch((error: unknown) => {
      if (!poweredOff) problem(text(error))
    })
  }
  const reportStatuses = async () => {
    if (options.protocol === 'ocpp1.6') await notify(dialect.status(0, 'Available', clock.now()))
    for (const outlet of outlets) await charging.reportStatus(outlet.connectorId)
  }
  /** A reconnect is not a boot: what waited goes first, then the statuses (OCPP-DR10). */
  const reconnected = async () => {
    if (!registered) return
    await outbox.drain()
    await reportStatuses()
  }
  const heartbeat = () => notify({ method: 'Heartbeat', request: {} })
  let cancelHeartbeat: (() => void) | undefined
  const beat = (intervalSeconds: number) => {
    heartbeatSeconds = intervalSeconds
    cancelHeartbeat?.()
    if (intervalSeconds <= 0) return
    cancelHeartbeat = clock.after(intervalSeconds * 1000, () => {
      background(heartbeat)
      beat(heartbeatSeconds)
    })
  }

  const plate = {
    vendor: 'Pilotwire',
    model: 'Simulator',
    serialNumber: options.id.slice(0, 25),
    firmwareVersion: '1.0.0',
  }
  const boot = async (reason: BootReason = 'PowerUp'): Promise<string> => {
    const answer = await connection.call(dialect.boot(plate, reason))
    const status = String(answer.status)
    const intervalSeconds = Number(answer.interval)
    registered = status === 'Accepted'
    if (!registered) {
      clock.after((intervalSeconds || BOOT_RETRY_SECONDS) * 1000, () => background(() => boot(reason)))
      return status
    }
    beat(intervalSeconds)
    await reportStatuses()
    await outbox.drain()
    return status
  }
  const reset = async (reason: 'SoftReset' | 'HardReset') => {
    for (const outlet of outlets) await charging.stop(outlet.connectorId, reason)
    await connection.close()
    registered = false
    await connection.connect()
    await boot('RemoteReset')
  }
  const answers = createCommandAnswers({
    protocol: options.protocol,
    outlets,
    charging,
    clock,
    notify,
    boot,
    heartbeat,
    reset,
    usePassword: (password) => connection.usePassword(password),
    useHeartbeatInterval: beat,
    sampleIntervalSeconds: Math.ceil(sampleIntervalMs / 1000),
    useSampleInterval(seconds) {
      sampleIntervalMs = seconds * 1000
    },
    queuedMessages: () => outbox.size,
    afterAnswer: (work) => void clock.after(AFTER_ANSWER_MS, () => background(work)),
  })

  return {
    id: options.id,
    protocol: options.protocol,
    plug: charging.plug,
    start: charging.start,
    meterValues: charging.meterValues,
    suspend: charging.suspend,
    resume: charging.resume,
    stop: charging.stop,
    unplug: charging.unplug,
    connect: () => connection.connect(),
    boot,
    async authorise(token) {
      if (!isReady()) return undefined
      return dialect.readTokenStatus(await connection.call(dialect.authorise(token)))
    },
    heartbeat,
    disconnect: (abrupt) => connection.close(abrupt),
    flush: () => outbox.drain(),
    call: (call) => connection.call(call),
    snapshot: () => ({
      online: connection.online,
      registered,
      queuedMessages: outbox.size,
      connectors: outlets.map(snapshotOf),
    }),
    setTimeScale(next) {
      for (const outlet of outlets) outlet.meter.reading()
      timeScale = next
    },
    async powerOff() {
      poweredOff = true
      for (const cancel of timers) cancel()
      for (const outlet of outlets) outlet.transaction = undefined
      await connection.close(true)
    },
  }
}

function snapshotOf(outlet: Outlet): ConnectorSnapshot {
  const reading = outlet.meter.reading()
  const transaction = outlet.transaction
  return {
    connectorId: outlet.connectorId,
    status: outlet.status,
    plugged: outlet.plugged,
    reading,
    ...(transaction && {
      transaction: {
        ...(transaction.transactionId !== undefined && { transactionId: transaction.transactionId }),
        energyWh: reading.registerWh - transaction.meterStartWh,
      },
    }),
  }
}

function text(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
