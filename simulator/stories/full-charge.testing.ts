/** One whole charge of a station, for tests. */
import type { Clock } from '../../src/domain/ports/core.ts'
import type { ChargePoint } from '../charge-point.ts'
import type { Token } from '../model/facts.ts'
import { pause } from './charge.ts'
import { connectorOf, physicsPerSecond, register } from './stay.ts'

export interface FullChargeOptions {
  readonly clock: Clock
  readonly connectorId?: number
  readonly idToken: Token
  /** Wall clock from plug to unplug. The physics run as much faster as the energy needs. */
  readonly durationMs: number
  /** What the car takes, in Wh; less where its battery is full before. */
  readonly energyWh: number
  /** Battery at arrival. */
  readonly socPercent?: number
  /** How long to wait for the central system to accept the station (Pending). */
  readonly registrationTimeoutMs?: number
  /** How long to wait at the end for a lost connection, with what is still to be said. */
  readonly connectionTimeoutMs?: number
  /** The story's next step, for people. */
  readonly step?: (name: string) => void
}

export interface ChargeSummary {
  readonly evseControllerId: string
  readonly protocol: string
  /** Absent when a 1.6 station never got a number. */
  readonly transactionId?: string
  readonly energyWh: number
  readonly startedAt: number
  readonly stoppedAt: number
  readonly endedBy: 'station' | 'centralSystem'
  /** Transaction messages that still wait for a connection, or were refused for good. */
  readonly undeliveredMessages: number
}

/** The card may not charge there; the message is a sentence for people. */
class TokenRefused extends Error {
  override readonly name = 'TokenRefused'
  readonly idToken: string
  /** Absent where the start of the charge was refused. */
  readonly status: string | undefined

  constructor(idToken: string, status?: string) {
    const what = status === undefined ? `to charge with the token ${idToken}` : `the token ${idToken}: ${status}`
    super(`the central system refused ${what}`)
    this.idToken = idToken
    this.status = status
  }
}

/** Shares of the charging time. A car that pauses once shows every state of a session. */
const SUSPEND_FROM = 0.55
const RESUME_FROM = 0.65
const SAMPLES = 16

/**
 * Boot, status, plug, authorise, charge with meter values, a pause by the car, stop, unplug.
 * Ends early, without fault, when the central system stops the charge.
 * Throws a sentence for people when the station or the token is refused.
 */
export async function fullCharge(chargePoint: ChargePoint, options: FullChargeOptions): Promise<ChargeSummary> {
  const { clock } = options
  const connectorId = options.connectorId ?? 1
  const step = options.step ?? (() => undefined)
  const socPercent = options.socPercent ?? 35
  await register(chargePoint, options, step)

  await chargePoint.plug(connectorId, socPercent)
  step('plugged in')
  await pause(clock, options.durationMs * 0.04)
  const tokenStatus = await chargePoint.authorise(options.idToken)
  if (tokenStatus !== undefined && tokenStatus !== 'Accepted') {
    await chargePoint.unplug(connectorId)
    throw new TokenRefused(options.idToken.id, tokenStatus)
  }
  const flowMs = options.durationMs * 0.88
  chargePoint.setTimeScale(physicsPerSecond(options.energyWh, socPercent, flowMs * (1 - (RESUME_FROM - SUSPEND_FROM))))
  const transaction = await chargePoint.start(connectorId, { idToken: options.idToken })
  const isOpen = () => connectorOf(chargePoint, connectorId)?.transaction !== undefined
  if (!isOpen()) throw new TokenRefused(options.idToken.id)
  step('charging')
  await charge(chargePoint, connectorId, { clock, flowMs, isOpen, step })

  const endedBy = isOpen() ? 'station' : 'centralSystem'
  await chargePoint.stop(connectorId)
  const stoppedAt = clock.now()
  const registerWh = connectorOf(chargePoint, connectorId)?.reading.registerWh ?? transaction.meterStartWh
  step('stopped')
  await pause(clock, options.durationMs * 0.04)
  if (connectorOf(chargePoint, connectorId)?.plugged) await chargePoint.unplug(connectorId)
  await sayTheRest(chargePoint, options, step)
  step('done')
  return {
    evseControllerId: chargePoint.id,
    protocol: chargePoint.protocol,
    transactionId: transaction.transactionId,
    energyWh: Math.floor(registerWh) - Math.floor(transaction.meterStartWh),
    startedAt: transaction.startedAt,
    stoppedAt,
    endedBy,
    undeliveredMessages: chargePoint.snapshot().queuedMessages + transaction.lostMessages,
  }
}

/** The server may be restarting: the station comes back by itself and says what it kept. */
async function sayTheRest(chargePoint: ChargePoint, options: FullChargeOptions, step: (name: string) => void) {
  await chargePoint.flush()
  const giveUpAt = options.clock.now() + (options.connectionTimeoutMs ?? 30_000)
  if (chargePoint.snapshot().queuedMessages > 0) step('waiting for the connection')
  while (chargePoint.snapshot().queuedMessages > 0 && options.clock.now() < giveUpAt) {
    await pause(options.clock, 250)
    await chargePoint.flush()
  }
}

interface Course {
  readonly clock: Clock
  readonly flowMs: number
  readonly isOpen: () => boolean
  readonly step: (name: string) => void
}

/** Samples at even distances, with one pause; ends as soon as the transaction does. */
async function charge(chargePoint: ChargePoint, connectorId: number, course: Course): Promise<void> {
  const startedAt = course.clock.now()
  let suspended = false
  for (let sample = 1; sample <= SAMPLES; sample++) {
    const share = sample / SAMPLES
    await pause(course.clock, startedAt + course.flowMs * share - course.clock.now())
    if (!course.isOpen()) return
    const shouldRest = share >= SUSPEND_FROM && share < RESUME_FROM
    if (shouldRest !== suspended) {
      suspended = shouldRest
      course.step(suspended ? 'suspended' : 'charging')
      await (suspended ? chargePoint.suspend(connectorId, 'ev') : chargePoint.resume(connectorId))
    }
    if (course.isOpen()) await chargePoint.meterValues(connectorId)
  }
}
