/** A station that stands there: whoever starts and stops it from afar sees a car plug in, charge and leave. */
import type { ChargePoint } from '../charge-point.ts'
import { connectorOf, type FullChargeOptions, pause, physicsPerSecond, register, type Step } from './full-charge.ts'

export interface StayOptions extends Omit<FullChargeOptions, 'idToken' | 'connectorId' | 'connectionTimeoutMs'> {
  /** How long a driver needs to pull the cable after a charge, or to change their mind. */
  readonly leavesAfterMs?: number
  /** Ends it. */
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
  step: (name: Step) => void,
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
