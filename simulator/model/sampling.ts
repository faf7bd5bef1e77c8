/** When the meter is read while a charge goes on, and at full hours (1.6 §3.16, 2.0.1 J01 and J02). */
import type { StationTime } from '../time/simulated-time.ts'
import type { Outlet } from './connector.ts'
import type { ConnectorStatus, LocalTransaction, SampleContext } from './facts.ts'
import { canCharge } from './smart-charging/limits.ts'
import type { SmartCharging } from './smart-charging/smart-charging.ts'
import type { StationRules } from './station-rules.ts'

interface SamplingContext {
  readonly is16: boolean
  readonly outlets: readonly Outlet[]
  readonly time: Pick<StationTime, 'after' | 'now'>
  /** Time stamps. */
  readonly now: () => number
  readonly rules: StationRules
  readonly hasPower: () => boolean
  /** 0: no samples. */
  readonly intervalMs: () => number
  readonly sampled: (outlet: Outlet, transaction: LocalTransaction) => Promise<void>
  readonly aligned: (outlet: Outlet) => Promise<void>
}

/** Of one charge; the oldest ones go first. */
const MAX_COLLECTED = 500

export function createSampling(parts: SamplingContext) {
  const { outlets, time, rules } = parts
  let cancelAligned: () => void = () => undefined

  const goesOn = (outlet: Outlet, transaction: LocalTransaction): boolean =>
    outlet.transaction === transaction && parts.hasPower()
  const collect = (outlet: Outlet, transaction: LocalTransaction, context: SampleContext): void => {
    const kept = { at: parts.now(), reading: outlet.meter.reading(), context }
    transaction.collected = [...transaction.collected.slice(1 - MAX_COLLECTED), kept]
  }
  const sampleLater = (outlet: Outlet, transaction: LocalTransaction): void => {
    const intervalMs = parts.intervalMs()
    if (intervalMs <= 0) return
    time.after(intervalMs, () => {
      if (!goesOn(outlet, transaction)) return undefined
      sampleLater(outlet, transaction)
      if (parts.is16 && rules.endedMeasurands.sampled.length > 0) collect(outlet, transaction, 'Sample.Periodic')
      return parts.sampled(outlet, transaction)
    })
  }
  const collectLater = (outlet: Outlet, transaction: LocalTransaction): void => {
    const seconds = rules.endedIntervalSeconds
    if (seconds <= 0) return
    time.after(seconds * 1000, () => {
      if (!goesOn(outlet, transaction)) return
      collectLater(outlet, transaction)
      collect(outlet, transaction, 'Sample.Periodic')
    })
  }
  const alignLater = (intervalMs: number): void => {
    cancelAligned = time.after(intervalMs - (time.now() % intervalMs), async () => {
      alignLater(intervalMs)
      if (!parts.hasPower()) return
      for (const outlet of outlets) {
        if (outlet.transaction && rules.endedMeasurands.aligned.length > 0)
          collect(outlet, outlet.transaction, 'Sample.Clock')
        await parts.aligned(outlet)
      }
    })
  }
  return {
    begin(outlet: Outlet, transaction: LocalTransaction): void {
      sampleLater(outlet, transaction)
      if (!parts.is16) collectLater(outlet, transaction)
    },
    useAlignedInterval(seconds: number): void {
      cancelAligned()
      if (seconds > 0) alignLater(seconds * 1000)
    },
  }
}

type FlowState = Extract<ConnectorStatus, 'Charging' | 'SuspendedEV' | 'SuspendedEVSE'>

export function createFlow(parts: {
  readonly outlets: readonly Outlet[]
  readonly limits: Pick<SmartCharging, 'offers' | 'resumed' | 'watch'>
  readonly hasPower: () => boolean
  readonly become: (outlet: Outlet, state: FlowState) => Promise<void>
}) {
  const { outlets, limits, hasPower, become } = parts
  const begun = new WeakSet<LocalTransaction>()
  const hasBegun = ({ transaction }: Outlet): boolean => transaction !== undefined && begun.has(transaction)
  const state = (outlet: Outlet): FlowState => {
    if (outlet.fault || outlet.resting === 'evse' || !canCharge(outlet.meter.offered)) return 'SuspendedEVSE'
    return outlet.resting ? 'SuspendedEV' : 'Charging'
  }
  const offer = (): void => {
    const offers = limits.offers()
    for (const { connectorId, meter } of outlets) {
      const next = offers.get(connectorId) ?? meter.most
      meter.offer(canCharge(next) ? next : { ...next, amps: 0 })
    }
  }
  const isPaused = ({ status }: Outlet): boolean => status === 'SuspendedEV' || status === 'SuspendedEVSE'
  return {
    begin: (transaction: LocalTransaction) => void begun.add(transaction),
    async settle(): Promise<void> {
      if (!hasPower()) return
      offer()
      const open = outlets.filter(hasBegun)
      const resuming = open.filter((outlet) => isPaused(outlet) && state(outlet) === 'Charging')
      for (const outlet of resuming) limits.resumed(outlet)
      if (resuming.length > 0) offer()
      limits.watch()
      for (const outlet of open) outlet.meter.flow(state(outlet) === 'Charging')
      for (const outlet of open) {
        const next = state(outlet)
        if (hasBegun(outlet) && !outlet.fault && outlet.status !== next) await become(outlet, next)
      }
    },
  }
}
