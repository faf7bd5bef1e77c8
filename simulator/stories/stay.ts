/** A station that stays online: an operator who starts and stops it remotely sees a car plug in, charge and leave. */
import type { Clock } from '../../src/domain/ports/core.ts'
import type { ChargePoint } from '../charge-point.ts'
import { COMPACT_CAR, timeToDeliver } from '../model/meter.ts'
import { notAccepted } from '../model/registration.ts'
import { pause } from './charge.ts'

interface StayOptions {
  readonly clock: Clock
  /** From plug to unplug; the physics run as much faster as the energy needs. */
  readonly durationMs: number
  readonly energyWh: number
  /** How long to wait for the central system to accept the station (Pending). */
  readonly registrationTimeoutMs?: number
  /** The next step, for people. */
  readonly step?: (name: string) => void
  /** How long a driver needs to pull the cable after a charge, or to change their mind. */
  readonly leavesAfterMs?: number
  readonly until: Promise<unknown>
}

const LOOK_EVERY_MS = 250
const LEAVES_AFTER_MS = 2_000
const ARRIVES_WITH_PERCENT = 35

/** Throws a sentence for people when the station is refused. */
export async function stayOnline(chargePoint: ChargePoint, options: StayOptions): Promise<void> {
  const { clock, energyWh, durationMs } = options
  const step = options.step ?? (() => undefined)
  await register(chargePoint, options, step)
  chargePoint.setTimeScale(physicsPerSecond(energyWh, ARRIVES_WITH_PERCENT, durationMs))
  step('waiting for orders')
  let ended = false
  void options.until.finally(() => {
    ended = true
  })
  const drivers = chargePoint
    .snapshot()
    .connectors.map(({ connectorId }) => createDriver(chargePoint, connectorId, options, step))
  while (!ended) {
    for (const driver of drivers) await driver()
    await Promise.race([pause(clock, LOOK_EVERY_MS), options.until])
  }
  for (const { connectorId, transaction } of chargePoint.snapshot().connectors) {
    if (transaction) await chargePoint.unplug(connectorId)
  }
  await chargePoint.flush()
}

/** Looks after one connector: the car stops drawing when it has what it wants, and leaves when the charge is over. */
function createDriver(
  chargePoint: ChargePoint,
  connectorId: number,
  { clock, energyWh, leavesAfterMs = LEAVES_AFTER_MS }: StayOptions,
  step: (name: string) => void,
): () => Promise<void> {
  let charging = false
  let satisfied = false
  let leavesAt: number | undefined
  return async () => {
    const connector = connectorOf(chargePoint, connectorId)
    if (!connector) return
    const { transaction, plugged } = connector
    if (transaction) {
      leavesAt = undefined
      if (!charging && transaction.transactionId !== undefined) {
        charging = true
        step('charging')
      }
      if (satisfied || transaction.energyWh < energyWh) return
      satisfied = true
      await chargePoint.suspend(connectorId, 'ev')
      step('suspended')
      return
    }
    if (charging) step('stopped')
    charging = false
    satisfied = false
    if (!plugged) return
    leavesAt ??= clock.now() + leavesAfterMs
    if (clock.now() < leavesAt) return
    leavesAt = undefined
    await chargePoint.unplug(connectorId)
    step('waiting for orders')
  }
}

/** Connects and boots; throws a sentence for people when the station is refused or waits for approval too long. */
export async function register(
  chargePoint: ChargePoint,
  options: Pick<StayOptions, 'clock' | 'registrationTimeoutMs'>,
  step: (name: string) => void,
): Promise<void> {
  step('connecting')
  await chargePoint.connect()
  step('booting')
  const status = await chargePoint.boot()
  if (status === 'Accepted') return
  step('waiting for approval')
  const giveUpAt = options.clock.now() + (options.registrationTimeoutMs ?? 30_000)
  while (!chargePoint.snapshot().registered) {
    if (options.clock.now() > giveUpAt) throw new Error(notAccepted(chargePoint.id, status))
    await pause(options.clock, 250)
  }
}

/** How much faster than the wall clock the physics must run for `energyWh` in `flowMs`. */
export function physicsPerSecond(energyWh: number, socPercent: number, flowMs: number): number {
  const empty = { registerWh: 0, socPercent, flowingSeconds: 0 }
  return Math.max(1, timeToDeliver(COMPACT_CAR, 22_000, empty, energyWh).seconds / (flowMs / 1000))
}

export function connectorOf(chargePoint: ChargePoint, connectorId: number) {
  return chargePoint.snapshot().connectors.find((connector) => connector.connectorId === connectorId)
}
