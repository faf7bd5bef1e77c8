import type { Outlet } from './connector.ts'
import type { ConnectorStatus, LocalTransaction } from './facts.ts'
import { canCharge } from './smart-charging/limits.ts'
import type { SmartCharging } from './smart-charging/smart-charging.ts'

type FlowState = Extract<ConnectorStatus, 'Charging' | 'SuspendedEV' | 'SuspendedEVSE'>

export interface Flow {
  begin(transaction: LocalTransaction): void
  settle(): Promise<void>
}

interface FlowContext {
  readonly outlets: readonly Outlet[]
  readonly limits: Pick<SmartCharging, 'offers' | 'resumed' | 'watch'>
  readonly hasPower: () => boolean
  readonly become: (outlet: Outlet, state: FlowState) => Promise<void>
}

export function createFlow({ outlets, limits, hasPower, become }: FlowContext): Flow {
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
    begin: (transaction) => void begun.add(transaction),
    async settle() {
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
