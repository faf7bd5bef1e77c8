/**
 * What happens at an outlet, from plug to unplug, and what the station says about it. Transaction messages go through
 * the outbox (kept while offline); connector statuses are reported once, and only while online.
 */
import type { Clock } from '../../src/domain/ports/core.ts'
import type { Payload } from '../../src/ocpp/translate/payload.ts'
import type { StationTime } from '../time/simulated-time.ts'
import { type ChargingNeeds, type Outlet, statusWithoutCharge } from './connector.ts'
import type { Dialect } from './dialect.ts'
import type {
  Call,
  ConnectorStatus,
  FaultCode,
  FinishedCharge,
  LocalTransaction,
  Moment,
  SampleContext,
  SignedReading,
  StartOrder,
  StopReason,
  Tariff,
  Token,
  TokenVerdict,
  TransactionLimit,
} from './facts.ts'
import type { Vehicle } from './meter.ts'
import type { Delivery, Outbox } from './outbox.ts'
import { createChargeMoney } from './payment/charge-money.ts'
import { costsAt, noteIdle } from './payment/costs.ts'
import type { Tariffs } from './payment/tariffs.ts'
import type { Reservations } from './reservations.ts'
import { createFlow, createSampling } from './sampling.ts'
import type { CarSpeech } from './smart-charging/needs.ts'
import type { SmartCharging } from './smart-charging/smart-charging.ts'
import type { StationRules } from './station-rules.ts'

interface ChargingContext {
  readonly dialect: Dialect
  readonly outlets: readonly Outlet[]
  readonly outbox: Outbox
  /** Time stamps. */
  readonly clock: Pick<Clock, 'now'>
  /** Physics and waits. */
  readonly time: Pick<StationTime, 'after' | 'now'>
  /** A person's waits. */
  readonly personTime: Pick<StationTime, 'after'>
  readonly limits: SmartCharging
  readonly tariffs: Pick<Tariffs, 'of'>
  readonly car: Pick<CarSpeech, 'begun'>
  readonly isReady: () => boolean
  /** Sends a message without repetition; silent while offline. */
  readonly notify: (call: Call) => Promise<void>
  readonly newTransactionId: () => string
  /** 0: samples only when `meterValues` is called. */
  readonly sampleIntervalMs: () => number
  readonly judged: (token: Token, verdict: TokenVerdict) => void
  readonly ended: (charge: FinishedCharge) => void
  readonly rules: StationRules
  readonly hasPower: () => boolean
  readonly reservations: Reservations
  /** Undefined where the meter signs nothing. */
  readonly sign: (transaction: LocalTransaction, moment: Moment, edge: 'begin' | 'end') => SignedReading | undefined
}

export type Charging = ReturnType<typeof createCharging>

export function createCharging(parts: ChargingContext) {
  const { dialect, outbox, clock } = parts

  const outletOf = (connectorId: number): Outlet => {
    const outlet = parts.outlets.find((candidate) => candidate.connectorId === connectorId)
    if (!outlet) throw new Error(`this station has no connector ${connectorId}: it has 1 to ${parts.outlets.length}`)
    return outlet
  }
  const moment = (outlet: Outlet, transaction: LocalTransaction): Moment => {
    const [at, reading] = [clock.now(), outlet.meter.reading()]
    return {
      at,
      reading,
      sequenceNumber: transaction.nextSequenceNumber++,
      offline: !parts.isReady(),
      plugged: outlet.plugged,
      ...costsAt(transaction, reading.registerWh, at),
    }
  }
  const say = async (
    transaction: LocalTransaction,
    build: () => Call,
    read = (answer: Payload): Promise<void> | undefined => money.read(transaction, answer),
  ): Promise<Delivery> => {
    let effect: Promise<void> | undefined
    const delivery = await outbox.push({
      build,
      delivered: (answer) => {
        effect = read(answer)
      },
      lost: () => {
        transaction.lostMessages += 1
      },
    })
    await effect
    return delivery
  }
  const setStatus = async (outlet: Outlet, status: ConnectorStatus) => {
    outlet.status = status
    const said = JSON.stringify(dialect.status(outlet.connectorId, status, 0, outlet.fault))
    if (parts.isReady() && said !== outlet.reported) {
      outlet.reported = said
      await parts.notify(dialect.status(outlet.connectorId, status, clock.now(), outlet.fault))
    }
    await parts.reservations.review()
  }
  const idleStatus = (outlet: Outlet) => statusWithoutCharge(outlet, parts.reservations.holding(outlet) !== undefined)
  const sayActivity = async (outlet: Outlet, status: ConnectorStatus, isRateAlone = false) => {
    const { transaction } = outlet
    if (!transaction || !parts.hasPower()) return
    const call = dialect.activityChanged(transaction, moment(outlet, transaction), status, isRateAlone)
    if (call) await say(transaction, () => call)
  }
  /** Status and charging state change together; 1.6 has only the first. */
  const become = async (outlet: Outlet, status: ConnectorStatus, isRateAlone = false) => {
    if (outlet.transaction) noteIdle(outlet.transaction, status, clock.now())
    await setStatus(outlet, status)
    await sayActivity(outlet, status, isRateAlone)
  }
  const flow = createFlow({ outlets: parts.outlets, limits: parts.limits, hasPower: parts.hasPower, become })

  const money = createChargeMoney({
    dialect,
    tariffs: parts.tariffs,
    outlets: parts.outlets,
    time: parts.time,
    now: clock.now,
    moment,
    say,
    become,
    settle: () => flow.settle(),
  })

  const sayFault = async (outlet: Outlet, code: FaultCode, cleared: boolean) => {
    const call = dialect.faultReported(outlet.connectorId, code, cleared, clock.now())
    if (call) await parts.notify(call)
    if (!cleared) await sayActivity(outlet, 'SuspendedEVSE')
  }

  const sample = async (outlet: Outlet, transaction: LocalTransaction, context: SampleContext) => {
    const { sampledMeasurands, alignedMeasurands } = parts.rules
    const measurands = context === 'Sample.Clock' ? alignedMeasurands : sampledMeasurands
    if (!parts.hasPower() || measurands.length === 0) return
    const now = moment(outlet, transaction)
    await say(transaction, () => dialect.sampled(transaction, now, context, measurands))
  }
  const tellIdle = async ({ connectorId, meter }: Outlet, context: SampleContext) => {
    const { sampledMeasurands, alignedMeasurands } = parts.rules
    const measurands = context === 'Sample.Clock' ? alignedMeasurands : sampledMeasurands
    if (measurands.length === 0) return
    await parts.notify(dialect.metered(connectorId, meter.reading(), clock.now(), context, measurands))
  }

  /** A full car stops drawing by itself; a profile may have begun a new period. */
  const sampleAndLook = async (outlet: Outlet, transaction: LocalTransaction): Promise<void> => {
    await sample(outlet, transaction, 'Sample.Periodic')
    if (outlet.transaction !== transaction) return
    if (outlet.meter.reading().socPercent >= 100) outlet.resting ??= 'ev'
    await flow.settle()
  }

  const stop = async (outlet: Outlet, reason: StopReason) => {
    const transaction = outlet.transaction
    if (!transaction || !parts.hasPower()) return
    outlet.meter.flow(false)
    outlet.transaction = undefined
    const unsigned = moment(outlet, transaction)
    const now = { ...unsigned, signed: parts.sign(transaction, unsigned, 'end') }
    const energyWh = Math.floor(now.reading.registerWh) - Math.floor(transaction.meterStartWh)
    parts.ended({ transaction, energyWh, stoppedAt: now.at, reason })
    const { endedMeasurands } = parts.rules
    await say(transaction, () => dialect.ended(transaction, now, reason, endedMeasurands))
    await money.settled(transaction, now.at)
    if (outlet.scheduledOperative !== undefined) {
      outlet.operative = outlet.scheduledOperative
      outlet.scheduledOperative = undefined
    }
    const idle = idleStatus(outlet)
    await setStatus(outlet, idle === 'Preparing' ? 'Finishing' : idle)
    await flow.settle()
  }

  const sampling = createSampling({
    is16: dialect.protocol === 'ocpp1.6',
    outlets: parts.outlets,
    time: parts.time,
    now: clock.now,
    rules: parts.rules,
    hasPower: parts.hasPower,
    intervalMs: parts.sampleIntervalMs,
    sampled: sampleAndLook,
    aligned: (outlet) =>
      outlet.transaction ? sample(outlet, outlet.transaction, 'Sample.Clock') : tellIdle(outlet, 'Sample.Clock'),
  })

  const open = async (outlet: Outlet, order: StartOrder): Promise<LocalTransaction> => {
    const meterStartWh = outlet.meter.reading().registerWh
    const reservation = parts.reservations.use(outlet, order.idToken)
    outlet.resting = undefined
    const transaction: LocalTransaction = {
      ...(reservation && { reservationId: reservation.id }),
      connectorId: outlet.connectorId,
      idToken: order.idToken,
      startedAt: clock.now(),
      meterStartWh,
      remote: order.remote !== undefined,
      ...(order.remote?.remoteStartId !== undefined && { remoteStartId: order.remote.remoteStartId }),
      ...(dialect.protocol !== 'ocpp1.6' && { transactionId: parts.newTransactionId() }),
      nextSequenceNumber: 0,
      collected: [],
      lostMessages: 0,
      idleMs: 0,
      idleSince: clock.now(),
      tariff: money.tariffOf(outlet, order.idToken),
    }
    outlet.transaction = transaction
    outlet.paymentUntil = undefined
    money.begun(transaction)
    if (order.profile) parts.limits.bind(order.profile, outlet)
    const unsigned = moment(outlet, transaction)
    const signed = parts.sign(transaction, unsigned, 'begin')
    if (signed) transaction.signedBegin = signed
    const now = { ...unsigned, signed }
    const started = () => dialect.started(transaction, now, parts.rules.startedMeasurands)
    await say(transaction, started, (answer) => {
      const givenId = dialect.readTransactionId(answer)
      if (givenId !== undefined) transaction.transactionId = givenId
      const verdict = dialect.readVerdict(answer)
      if (verdict) parts.judged(transaction.idToken, verdict)
      if (outlet.transaction !== transaction) return undefined
      if (!verdict || verdict.status === 'Accepted') return money.read(transaction, answer)
      if (parts.rules.stopOnInvalidId) return stop(outlet, 'DeAuthorized')
      outlet.resting = 'evse'
      return undefined
    })
    if (outlet.transaction !== transaction) return transaction
    flow.begin(transaction)
    await flow.settle()
    sampling.begin(outlet, transaction)
    await parts.car.begun(outlet)
    return transaction
  }

  return {
    outlet: outletOf,
    async plug(connectorId: number, socPercent = 35, vehicle?: Vehicle, needs?: ChargingNeeds): Promise<void> {
      const outlet = outletOf(connectorId)
      if (outlet.plugged) throw new Error(`connector ${connectorId} already has a car: unplug it first`)
      outlet.plugged = true
      outlet.needs = needs
      outlet.meter.connectVehicle(socPercent, vehicle)
      if (outlet.transaction) {
        outlet.resting = undefined
        return flow.settle()
      }
      if (outlet.operative && !outlet.fault) await setStatus(outlet, 'Preparing')
      const { awaited } = outlet
      outlet.awaited = undefined
      awaited?.cancel()
      if (awaited) await open(outlet, awaited.order)
    },
    /** The start is dropped where no cable comes in time. */
    async awaitCable(connectorId: number, order: StartOrder, seconds: number): Promise<void> {
      const outlet = outletOf(connectorId)
      outlet.awaited?.cancel()
      const cancel = parts.personTime.after(seconds * 1000, async () => {
        outlet.awaited = undefined
        if (dialect.protocol === 'ocpp1.6') await setStatus(outlet, idleStatus(outlet))
      })
      outlet.awaited = { order, cancel }
      // 2.0.1 calls a connector occupied only when a cable hangs there.
      if (dialect.protocol === 'ocpp1.6') await setStatus(outlet, 'Preparing')
    },
    /** A refused token ends it at once (`DeAuthorized`), or stops its energy where the settings say so. */
    async start(connectorId: number, order: StartOrder): Promise<LocalTransaction> {
      const outlet = outletOf(connectorId)
      if (!outlet.plugged) throw new Error(`connector ${connectorId} has no car: plug one in first`)
      if (!outlet.operative) throw new Error(`connector ${connectorId} is out of service: make it operative first`)
      if (outlet.transaction) throw new Error(`connector ${connectorId} is charging already: stop it first`)
      if (!parts.hasPower()) throw new Error('the station has no power: let it have power again first')
      if (parts.reservations.isFromOthers(outlet, order.idToken))
        throw new Error(`connector ${connectorId} is reserved for another card`)
      return open(outlet, order)
    },
    async meterValues(connectorId: number, context: SampleContext = 'Sample.Periodic'): Promise<void> {
      const outlet = outletOf(connectorId)
      if (outlet.transaction) await sample(outlet, outlet.transaction, context)
      else await tellIdle(outlet, context)
    },
    /** Answers TriggerMessage(MeterValues): in 2.0.1 always MeterValues, also while a charge goes on (F06). */
    async triggerMeterValues(connectorId: number): Promise<void> {
      const outlet = outletOf(connectorId)
      const { transaction } = outlet
      if (transaction && dialect.protocol === 'ocpp1.6') await sample(outlet, transaction, 'Trigger')
      else await tellIdle(outlet, 'Trigger')
    },
    isReservedFromOthers: (connectorId: number, idToken: Token) =>
      parts.reservations.isFromOthers(outletOf(connectorId), idToken),
    /** A running charge is reckoned by it from its beginning (2.1 I11). */
    changeTariff: (connectorId: number, tariff: Tariff) => money.changeTariff(outletOf(connectorId), tariff),
    /** The driver's own (2.1 F07); where the version has no limits nothing happens. */
    limitCharge: (connectorId: number, limit: TransactionLimit) => money.limit(outletOf(connectorId), limit),
    /** Readings that keep to the clock, every so many seconds; 0: none. */
    useAlignedInterval: sampling.useAlignedInterval,
    /** Suspend and resume without an open transaction do nothing. */
    async suspend(connectorId: number, by: 'ev' | 'evse' = 'ev'): Promise<void> {
      const outlet = outletOf(connectorId)
      if (!outlet.transaction) return
      outlet.resting = by
      outlet.meter.flow(false)
      await become(outlet, by === 'ev' ? 'SuspendedEV' : 'SuspendedEVSE')
    },
    async resume(connectorId: number): Promise<void> {
      const outlet = outletOf(connectorId)
      if (!outlet.transaction || outlet.transaction.limitReached) return
      outlet.resting = undefined
      await flow.settle()
    },
    /** Without an open transaction nothing happens. */
    stop: (connectorId: number, reason: StopReason = 'Local') => stop(outletOf(connectorId), reason),
    /** Ends an open transaction (`EVDisconnected`). */
    async unplug(connectorId: number): Promise<void> {
      const outlet = outletOf(connectorId)
      outlet.plugged = false
      if (!outlet.transaction) return setStatus(outlet, idleStatus(outlet))
      outlet.meter.flow(false)
      if (parts.rules.stopOnDisconnect) return stop(outlet, 'EVDisconnected')
      outlet.resting = 'ev'
      return become(outlet, 'SuspendedEV')
    },
    async setOperative(connectorId: number, operative: boolean): Promise<'Accepted' | 'Scheduled'> {
      const outlet = outletOf(connectorId)
      if (outlet.transaction) {
        outlet.scheduledOperative = operative
        return 'Scheduled'
      }
      outlet.operative = operative
      await setStatus(outlet, idleStatus(outlet))
      return 'Accepted'
    },
    /** Without `always` only where the central system knows another one. */
    async reportStatus(connectorId: number, always = true): Promise<void> {
      const outlet = outletOf(connectorId)
      if (always) outlet.reported = undefined
      await setStatus(outlet, outlet.status)
    },
    /** The transaction stays open. */
    async fault(connectorId: number, code: FaultCode): Promise<void> {
      const outlet = outletOf(connectorId)
      if (outlet.fault) return
      outlet.fault = code
      outlet.meter.flow(false)
      await setStatus(outlet, 'Faulted')
      await sayFault(outlet, code, false)
    },
    async clearFault(connectorId: number): Promise<void> {
      const outlet = outletOf(connectorId)
      const code = outlet.fault
      if (!code) return
      outlet.fault = undefined
      await sayFault(outlet, code, true)
      if (outlet.transaction) await flow.settle()
      else await setStatus(outlet, idleStatus(outlet))
    },
    applyLimits: flow.settle,
    /** The charge goes on at another rate: 2.0.1 says so (ChargingRateChanged). */
    tellRate: (connectorId: number) => become(outletOf(connectorId), outletOf(connectorId).status, true),
    async settleStatus(connectorId: number): Promise<void> {
      const outlet = outletOf(connectorId)
      if (!outlet.transaction) await setStatus(outlet, idleStatus(outlet))
    },
  }
}
