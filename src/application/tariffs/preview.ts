/** What a charge would cost, by the very rules that sessions are charged by (COST-L1, ADMIN-H1). */
import type { TariffRates } from '../../domain/ports/storage-webhooks.ts'
import { costMicros, roundCost } from '../../domain/sessions/figures/cost.ts'

export interface ImaginedCharge {
  readonly energyMilliWh: number
  readonly minutes: number
  readonly idleMinutes: number
}

export interface Preview {
  readonly total: number
  /** Each rounded by itself: their sum may be a minor unit off the total. */
  readonly parts: readonly { readonly part: 'energy' | 'time' | 'session' | 'idle'; readonly amount: number }[]
}

const MINUTE_MS = 60_000
const NO_RATES = { perKwhMicros: 0, perMinuteMicros: 0, perSessionMicros: 0, idlePerMinuteMicros: 0 }

export function previewCost(rates: TariffRates, { energyMilliWh, minutes, idleMinutes }: ImaginedCharge): Preview {
  const facts = { energyMilliWh, elapsedMs: minutes * MINUTE_MS, idleMs: idleMinutes * MINUTE_MS }
  const cost = (some: Partial<TariffRates>): number => {
    const tariff = { tariffId: '', version: 1, currency: rates.currency, ...NO_RATES, ...some }
    return roundCost(costMicros(tariff, facts), rates.currency)
  }
  return {
    total: cost(rates),
    parts: [
      { part: 'energy', amount: cost({ perKwhMicros: rates.perKwhMicros }) },
      { part: 'time', amount: cost({ perMinuteMicros: rates.perMinuteMicros }) },
      { part: 'session', amount: cost({ perSessionMicros: rates.perSessionMicros }) },
      { part: 'idle', amount: cost({ idlePerMinuteMicros: rates.idlePerMinuteMicros }) },
    ],
  }
}
