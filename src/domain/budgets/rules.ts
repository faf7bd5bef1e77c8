/** When a budget is used up (TOKEN-Z6, TOKEN-Z7). Pure. */
import type { Budget, LimitReached } from '../ports/sessions.ts'
import { type Period, periodOf } from '../time-zone.ts'
import type { BudgetUse } from './records.ts'

/** The day or month that holds a time, by the clocks of the zone; `total` is all time. */
export function budgetPeriod(per: Budget['per'], at: number, timeZone: string): Period {
  return per === 'total' ? { from: 0, below: Number.MAX_SAFE_INTEGER } : periodOf(per, at, timeZone)
}

/** Sums: of energy, and of money by currency, because amounts of two currencies add up to nothing. */
export interface Used {
  readonly energyMilliWh: number
  readonly costMicros: ReadonlyMap<string, number>
}

export function sumUses(uses: readonly BudgetUse[]): Used {
  let energyMilliWh = 0
  const costMicros = new Map<string, number>()
  for (const use of uses) {
    energyMilliWh += use.energyMilliWh
    if (use.currency === undefined) continue
    costMicros.set(use.currency, (costMicros.get(use.currency) ?? 0) + (use.costMicros ?? 0))
  }
  return { energyMilliWh, costMicros }
}

/** Which part of the budget is used up; undefined: something is left. */
export function usedUp({ energyMilliWh, costMicros, per }: Budget, used: Used): LimitReached | undefined {
  if (energyMilliWh !== undefined && used.energyMilliWh >= energyMilliWh) {
    return { kind: 'energy', limit: energyMilliWh, reached: used.energyMilliWh, per }
  }
  const most = Math.max(0, ...used.costMicros.values())
  return costMicros !== undefined && most >= costMicros
    ? { kind: 'cost', limit: costMicros, reached: most, per }
    : undefined
}
