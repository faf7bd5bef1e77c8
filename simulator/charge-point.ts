/**
 * A charging station: the model put together with its connection and the dialect of its OCPP version. It keeps its own
 * truth (meter, open transactions, unsent messages) and tells the central system as well as the connection allows.
 * The library (`library/`), stories, scenarios and the command line are built on it.
 */
import { randomUUID } from 'node:crypto'
import { DEFAULT_VOLTAGE_V } from '../src/domain/charging/profile.ts'
import { isoTime } from '../src/domain/iso-time.ts'
import type { Protocol } from '../src/domain/ports/core.ts'
import { systemClock } from '../src/server/system.ts'
import { createCommandAnswers } from './commands/answers.ts'
import { createCharging } from './model/charging.ts'
import { createOutlets, usualLimitW } from './model/connector.ts'
import type { Dialect } from './model/dialect.ts'
import { type DisplayMessages, shownNow } from './model/display.ts'
import type { BootReason, Call, FinishedCharge } from './model/facts.ts'
import { createJournal } from './model/journal.ts'
import { createAuthorise, createKnownCards } from './model/known-cards.ts'
import { DEFAULT_LIST } from './model/local-list.ts'
import { COMPACT_CAR } from './model/meter.ts'
import { createOutbox } from './model/outbox.ts'
import { createTariffs } from './model/payment/tariffs.ts'
import { createRegistration } from './model/registration.ts'
import { createReservations } from './model/reservations.ts'
import { createSigningMeter } from './model/signing-meter.ts'
import { createCarSpeech } from './model/smart-charging/needs.ts'
import { createOutsideLimits } from './model/smart-charging/outside.ts'
import { createSmartCharging } from './model/smart-charging/smart-charging.ts'
import { snapshotOf } from './model/snapshot.ts'
import { usualPlate, usualRules } from './model/station-rules.ts'
import { createRandom } from './random.ts'
import { createCertificates } from './security/certificates.ts'
import { accessOf, connectByPriority, createNetworkAccess, usualProfile } from './security/network-access.ts'
import type { ChargePoint, ChargePointOptions } from './station.ts'
import { aheadBy, cancellable } from './time/simulated-time.ts'
import { v16 } from './v16/messages.ts'
import { v21 } from './v21/messages.ts'
import { v201 } from './v201/messages.ts'
import { createConnection } from './wire/connection.ts'
import { ConnectionLost, factOf } from './wire/frames.ts'

export type { Behaviour, ChargePoint, ChargePointOptions, ConnectorSnapshot, Snapshot } from './station.ts'

const DIALECTS: Readonly<Record<Protocol, Dialect>> = { 'ocpp1.6': v16, 'ocpp2.0.1': v201, 'ocpp2.1': v21 }

/** Long enough that the answer to a command is on the wire before its effects are. */
const AFTER_ANSWER_MS = 5
const CALL_TIMEOUT_MS = 30_000

export function createChargePoint(options: ChargePointOptions): ChargePoint {
  const dialect = DIALECTS[options.protocol]
  const problem = options.problem ?? (() => undefined)
  const seed = options.seed ?? Math.floor(Math.random() * 0x7fff_ffff)
  const random = createRandom(seed, options.id)
  let timeScale = options.timeScale ?? 1
  let poweredOff = false
  let hasPower = true
  let offlineSince: number | undefined
  let boots = 0
  let sampleIntervalMs = options.sampleIntervalMs ?? 0
  let messageAttempts = 3
  let messageRetryMs = options.messageRetryIntervalMs ?? 2_000
  const cards = createKnownCards({ ...DEFAULT_LIST, ...options.localList })
  const displayed: DisplayMessages = new Map()
  const usualTransactionId = options.seed === undefined ? randomUUID : random.uuid
  const timers = new Set<() => void>()
  const finished: FinishedCharge[] = []
  const behaviour = options.behaviour ?? {}
  const clock = cancellable(aheadBy(options.clock ?? systemClock, behaviour.clockAheadSeconds), timers)
  const time = options.time ? cancellable(options.time, timers) : clock
  const hold = (work: Promise<unknown>) => options.time?.hold(work)
  const plate = { ...usualPlate(options.id), ...options.plate }
  let firmwareVersion = plate.firmwareVersion
  const rules = { ...usualRules(options.protocol), signsReadings: options.signsReadings ?? false }
  const certificates = createCertificates()
  const network = createNetworkAccess({
    url: options.url,
    securityProfile: options.securityProfile ?? usualProfile(options.url, options.password),
    secureUrl: options.secureUrl,
  })
  const meter = createSigningMeter(plate.serialNumber)
  const journal = createJournal(() => clock.now())
  const resets: (() => void)[] = []
  const voltage = options.voltage ?? DEFAULT_VOLTAGE_V
  const limitW = usualLimitW(options.vehicle, voltage)

  const outlets = createOutlets({
    count: options.connectors ?? 1,
    phaseRotation: options.phaseRotation ?? [],
    registerWh: () => (options.seed === undefined ? 1_234_567 : random.between(1e5, 5e6)),
    now: time.now,
    vehicle: options.vehicle ?? COMPACT_CAR,
    limitW,
    voltage,
    timeScale: () => (options.time ? 1 : timeScale),
  })

  const connection = createConnection({
    protocol: options.protocol,
    access: () => accessOf(network.present, certificates),
    id: options.id,
    password: options.password,
    strict: options.strict ?? true,
    hasSend: dialect.hasSend,
    reconnect: options.reconnect ?? true,
    callTimeoutMs: CALL_TIMEOUT_MS,
    handshakeTimeoutMs: options.handshakeTimeoutMs,
    clock,
    random,
    jitter: createRandom(seed, `${options.id} reconnects`),
    shape: options.shape,
    observer: options.observer,
    answer(method, request) {
      journal.note(`asked for ${method}`)
      return answers.answer(method, request)
    },
    opened() {
      journal.note(`connected with security profile ${network.present.securityProfile}`)
      background(reconnected)
    },
    closed() {
      offlineSince = time.monotonic()
      outbox.interrupt()
      limits.lost()
    },
    problem,
  })
  const isReady = () => connection.online && registration.isAccepted
  /** Whatever happens at the station, its clock waits for the answer. */
  const ask = (call: Call) => {
    const answered = connection.call(call)
    options.time?.holdCall(answered)
    return answered
  }
  const outbox = createOutbox({
    send: (call) =>
      ask(call).catch((error: unknown) => {
        if (connection.online) problem(`${call.method} was not taken: ${factOf(error)}`)
        throw error
      }),
    isReady,
    after: (ms, run) => (time.rest ?? time.after)(ms, run),
    attempts: () => messageAttempts,
    retryIntervalMs: () => messageRetryMs,
  })
  const notify = async (call: Call) => {
    if (!isReady()) return
    await ask(call).catch((error: unknown) => {
      if (connection.online) problem(`${call.method} was not taken: ${factOf(error)}`)
    })
  }
  const tariffs = createTariffs(outlets, () => clock.now(), behaviour)
  const limits = createSmartCharging({
    protocol: options.protocol,
    takesDynamic: dialect.takesDynamic,
    outlets,
    behaviour,
    voltage,
    clock,
    after: options.scheduleTime ? cancellable(options.scheduleTime, timers).after : clock.after,
    changed: () => background(() => charging.applyLimits()),
  })
  const reservations = createReservations({
    protocol: options.protocol,
    outlets,
    clock,
    time,
    groupOf: cards.groupOf,
    notify,
    settleStatus: (connectorId) => charging.settleStatus(connectorId),
  })
  const car = createCarSpeech({ protocol: options.protocol, limits, clock, notify })
  const charging = createCharging({
    dialect,
    outlets,
    outbox,
    clock,
    time,
    personTime: options.personTime ? cancellable(options.personTime, timers) : time,
    rules,
    hasPower: () => hasPower,
    reservations,
    limits,
    tariffs,
    car,
    isReady,
    notify,
    newTransactionId: () => options.newTransactionId?.(usualTransactionId) ?? usualTransactionId(),
    sampleIntervalMs: () => sampleIntervalMs,
    judged: cards.remember,
    ended(charge) {
      finished.push(charge)
      limits.ended(charge.transaction)
      journal.note(`a charge of ${charge.energyWh} Wh ended: ${charge.reason}`)
    },
    sign: (transaction, moment, edge) =>
      rules.signsReadings ? meter.sign(transaction, moment, edge, rules) : undefined,
  })

  const background = (work: () => Promise<unknown>) => {
    const done = work().catch((error: unknown) => {
      // The connection said itself how it ended.
      if (!poweredOff && !(error instanceof ConnectionLost)) problem(factOf(error))
    })
    hold(done)
  }
  const reportStatuses = async (always = true) => {
    if (options.protocol === 'ocpp1.6' && always) await notify(dialect.status(0, 'Available', clock.now()))
    for (const outlet of outlets) await charging.reportStatus(outlet.connectorId, always)
  }
  /** B04: after a short outage only changes are reported. */
  const reportAfterLoss = () => {
    const offlineSeconds = (time.monotonic() - (offlineSince ?? 0)) / 1000
    return reportStatuses(options.protocol === 'ocpp1.6' || offlineSeconds > rules.offlineThresholdSeconds)
  }
  /** A reconnect is not a boot: what waited goes first, then the statuses (OCPP-DR10). */
  const reconnected = async () => {
    if (await registration.asksAgain()) return
    if (!registration.isAccepted) return
    if (behaviour.bootsOnReconnect) return boot('PowerUp')
    await outbox.drain()
    await reportAfterLoss()
  }
  const losesConnection = (seconds: number): void => {
    time.after(seconds * 1000, async () => {
      losesConnection(seconds)
      if (!connection.online) return
      await connection.close(true)
      await connection.connect()
    })
  }
  const securityEvent = (type: string) =>
    notify({ method: 'SecurityEventNotification', request: { type, timestamp: isoTime(clock.now()) } })
  const heartbeat = () => notify({ method: 'Heartbeat', request: {} })
  const registration = createRegistration({
    time,
    isOnline: () => connection.online,
    notification: (reason) => dialect.boot({ ...plate, firmwareVersion }, reason),
    ask,
    background,
    heartbeat,
    answered: (status) => journal.note(`booted with ${firmwareVersion}: ${status}`),
    async accepted(reason) {
      const { reconnectsEverySeconds } = behaviour
      if (reconnectsEverySeconds !== undefined && !boots++) losesConnection(reconnectsEverySeconds)
      await reportStatuses()
      if (dialect.reportsStart && reason !== 'Triggered')
        await securityEvent(reason === 'PowerUp' ? 'StartupOfTheDevice' : 'ResetOrReboot')
      await outbox.drain()
    },
  })
  const { boot } = registration
  const reset = async (reason: 'SoftReset' | 'HardReset', bootReason: BootReason = 'RemoteReset') => {
    for (const outlet of outlets) await charging.stop(outlet.connectorId, reason)
    await connection.close()
    registration.forget()
    limits.rebooted()
    for (const run of resets) run()
    await connectSomewhere()
    await boot(bootReason)
  }
  const connectSomewhere = () => connectByPriority(network, connection, journal.note)
  const reconnect = async (): Promise<void> => {
    await connection.close()
    await connectSomewhere()
  }
  const authorise = createAuthorise({
    dialect,
    cards,
    rules,
    now: () => clock.now(),
    hasPower: () => hasPower,
    isReady,
    ask,
    tariffs,
  })
  const answers = createCommandAnswers({
    protocol: options.protocol,
    id: options.id,
    ask,
    tell: connection.tell,
    tariffs,
    outlets,
    charging,
    clock,
    time,
    notify,
    boot,
    heartbeat,
    reset,
    reconnect,
    authorise,
    rules,
    network,
    certificates,
    behaviour,
    variables: options.variables ?? [],
    keys: options.keys ?? [],
    journal: journal.lines,
    securityEvent,
    onReset: (run) => void resets.push(run),
    meterPublicKey: meter.publicKey,
    limitW,
    hasDriver: options.hasDriver ?? true,
    plate,
    firmwareVersion: () => firmwareVersion,
    statusOfStation: () => notify(dialect.status(0, 'Available', clock.now())),
    usePassword: (password) => connection.usePassword(password),
    usePingInterval: (seconds) => connection.usePingInterval(seconds),
    useHeartbeatInterval: registration.beat,
    sampleIntervalSeconds: Math.ceil(sampleIntervalMs / 1000),
    useSampleInterval(seconds) {
      sampleIntervalMs = seconds * 1000
    },
    useMessageRetries({ attempts, intervalSeconds }) {
      messageAttempts = attempts ?? messageAttempts
      messageRetryMs = intervalSeconds === undefined ? messageRetryMs : intervalSeconds * 1000
    },
    messageRetries: { attempts: messageAttempts, intervalSeconds: Math.ceil(messageRetryMs / 1000) },
    queuedMessages: () => outbox.size,
    cards,
    limits,
    car,
    reservations,
    displayed,
    finished,
    serialNumber: plate.serialNumber,
    async useFirmware(version) {
      firmwareVersion = version
      await reset('SoftReset', 'FirmwareUpdate')
    },
    afterAnswer: (work) => {
      const begun = new Promise<void>((resolve) => void clock.after(AFTER_ANSWER_MS, resolve))
      background(() => begun.then(work))
    },
  })

  return {
    id: options.id,
    protocol: options.protocol,
    ...charging,
    outside: createOutsideLimits({ protocol: options.protocol, outlets, limits, charging, clock, notify }),
    connect: () => connection.connect(),
    boot,
    authorise,
    async powerCut() {
      hasPower = false
      for (const outlet of outlets) {
        outlet.meter.flow(false)
        outlet.awaited?.cancel()
        outlet.awaited = undefined
      }
      await connection.close(true)
      registration.forget()
    },
    async powerUp() {
      hasPower = true
      for (const run of resets) run()
      await connection.connect()
      const open = outlets.filter((outlet) => outlet.transaction)
      for (const outlet of open) await charging.stop(outlet.connectorId, 'PowerLoss')
      limits.rebooted()
      await boot('PowerUp')
    },
    heartbeat,
    get connectionTimeoutSeconds() {
      return rules.connectionTimeoutSeconds
    },
    get meterPublicKey() {
      return meter.publicKey()
    },
    finished,
    setRegister: (connectorId, registerWh) => charging.outlet(connectorId).meter.setRegister(registerWh),
    say: (line) => connection.say(line),
    disconnect: (abrupt) => connection.close(abrupt),
    flush: () => outbox.drain(),
    call: ask,
    snapshot: () => ({
      online: connection.online,
      registered: registration.isAccepted,
      securityProfile: network.present.securityProfile,
      firmwareVersion,
      queuedMessages: outbox.size,
      trouble: connection.trouble ?? outbox.fault,
      display: shownNow(displayed, outlets, clock.now()),
      connectors: outlets.map((outlet) => snapshotOf(outlet, answers.qrCode?.(outlet.connectorId))),
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
