/** Limits and budgets as the API and the pages show them: kilowatt-hours, amounts, seconds. */
import type { Budget, ChargeLimits } from '../../ports/id-tokens.ts'
import type { LimitReached } from '../../ports/sessions.ts'
import { roundCost } from '../figures/cost.ts'

const MILLIONTHS = 1_000_000

export interface ShownLimits {
  readonly energyKwh?: number | undefined
  readonly cost?: number | undefined
  readonly durationSeconds?: number | undefined
}

/** Undefined where nothing is limited. */
export function showLimits({ energyMilliWh, costMicros, durationMs }: ChargeLimits): ShownLimits | undefined {
  if (energyMilliWh === undefined && costMicros === undefined && durationMs === undefined) return undefined
  return {
    ...(energyMilliWh !== undefined && { energyKwh: energyMilliWh / MILLIONTHS }),
    ...(costMicros !== undefined && { cost: costMicros / MILLIONTHS }),
    ...(durationMs !== undefined && { durationSeconds: durationMs / 1000 }),
  }
}

export function showBudget({ per, energyMilliWh, costMicros }: Budget) {
  return { ...showLimits({ energyMilliWh, costMicros }), per }
}

/** Figures as those of a session are shown (API-G1). */
export function showReached({ kind, limit, reached, per }: LimitReached, currency = 'EUR') {
  return {
    kind,
    limit: kind === 'duration' ? limit / 1000 : limit / MILLIONTHS,
    reached: shownFigure(kind, reached, currency),
    per,
  }
}

function shownFigure(kind: LimitReached['kind'], value: number, currency: string): number {
  if (kind === 'cost') return roundCost(value, currency)
  return Math.round(value / 1000) / (kind === 'energy' ? 1000 : 1)
}
