/** A charge by any tariff, period by period (TARIFF-A2): elements, or the simple prices as a special case. */
import type { FrozenTariff } from '../../ports/sessions.ts'
import type { Course, CoursePiece } from '../../tariffs/course.ts'
import { type Amount, limited, type Priced, type PricedPeriod, priceOf } from '../../tariffs/price.ts'
import { grossOf, withoutTax } from '../../tax.ts'
import { type CostFacts, costMicros, currencyExponent, roundCost } from './cost.ts'

export function pricedBy(tariff: FrozenTariff, course: Course): Priced {
  const { elements } = tariff
  return elements ? priceOf({ ...tariff, elements }, course) : bySimplePrices(tariff, course)
}

const NOTHING: Amount = { netMicros: 0, grossMicros: 0 }

function bySimplePrices(tariff: FrozenTariff, { pieces }: Course): Priced {
  const periods: PricedPeriod[] = []
  let facts: CostFacts = { energyMilliWh: 0, elapsedMs: 0, idleMs: 0 }
  let [before, hasCharged] = [NOTHING, false]
  merged(pieces).forEach(({ start, end, energyMilliWh, isCharging }, index, all) => {
    const elapsedMs = end - start
    hasCharged ||= isCharging
    facts = {
      energyMilliWh: facts.energyMilliWh + energyMilliWh,
      elapsedMs: facts.elapsedMs + elapsedMs,
      idleMs: facts.idleMs + (hasCharged && !isCharging ? elapsedMs : 0),
    }
    const until = simpleAmount(tariff, facts, index === all.length - 1)
    periods.push({
      start,
      end,
      energyMilliWh,
      phase: isCharging ? 'charging' : 'parking',
      netMicros: until.netMicros - before.netMicros,
      grossMicros: until.grossMicros - before.grossMicros,
    })
    before = until
  })
  const none = { energy: NOTHING, time: NOTHING, parking: NOTHING, fixed: NOTHING, reservation: NOTHING }
  const hasGross = tariff.taxPercent !== undefined
  return { currency: tariff.currency, ...before, periods, parts: none, hasGross }
}

/** What the simple prices come to. @param isWhole the charge is over, so its minimum counts */
export function simpleAmount(tariff: FrozenTariff, facts: CostFacts, isWhole = true): Amount {
  const micros = costMicros(tariff, facts)
  const isGross = tariff.taxIncluded === 'yes'
  const amount = isGross
    ? { netMicros: Math.round(withoutTax(micros, tariff)), grossMicros: micros }
    : { netMicros: micros, grossMicros: grossOf(micros, tariff) }
  return tariff.minPrice || tariff.maxPrice ? limited(tariff, amount, isWhole) : amount
}

function merged(pieces: readonly CoursePiece[]): readonly CoursePiece[] {
  const all: CoursePiece[] = []
  for (const piece of pieces) {
    const last = all.at(-1)
    if (last?.isCharging === piece.isCharging) {
      all[all.length - 1] = { ...last, end: piece.end, energyMilliWh: last.energyMilliWh + piece.energyMilliWh }
    } else all.push(piece)
  }
  return all
}

export interface ShownPeriod {
  readonly start: number
  readonly dimensions: readonly { readonly type: string; readonly volume: number }[]
  readonly cost: number
}

/** Amounts in the unit of the currency: each rounded so that they add up to the rounded total. */
export function shownPeriods({ periods, currency }: Pick<Priced, 'periods' | 'currency'>): readonly ShownPeriod[] {
  const units = 10 ** currencyExponent(currency)
  let [exact, rounded] = [0, 0]
  return periods.map(({ start, end, phase, energyMilliWh, netMicros }) => {
    exact += netMicros
    const until = Math.round(roundCost(exact, currency) * units)
    const cost = (until - rounded) / units
    rounded = until
    const hours = Math.round((end - start) / 3.6) / 1e6
    const timed = phase === 'charging' ? 'TIME' : phase === 'parking' ? 'PARKING_TIME' : 'RESERVATION_TIME'
    const energy = { type: 'ENERGY', volume: energyMilliWh / 1e6 }
    return { start, dimensions: [...(energyMilliWh > 0 ? [energy] : []), { type: timed, volume: hours }], cost }
  })
}
