/** A charge by any tariff, period by period (TARIFF-A2): elements, or the simple prices as a special case. */
import { isoTime } from '../../iso-time.ts'
import type { FrozenTariff } from '../../ports/sessions.ts'
import type { Course } from '../../tariffs/course.ts'
import { type Amount, limited, type Priced, priceOf } from '../../tariffs/price.ts'
import { elementsOf } from '../../tariffs/shown-elements.ts'
import { grossOf, withoutTax } from '../../tax.ts'
import { type CostFacts, costMicros, currencyExponent, roundCost } from './cost.ts'

export function pricedBy(tariff: FrozenTariff, course: Course): Priced {
  const elements = elementsOf(tariff)
  if (tariff.elements) return priceOf({ ...tariff, elements }, course)
  const first = course.pieces.findIndex(({ isCharging }) => isCharging)
  // No minute is idle before the first charging.
  const pieces = course.pieces.map((piece, index) => (index < first ? { ...piece, isCharging: true } : piece))
  return priceOf({ ...tariff, elements }, { ...course, pieces })
}

/** What the simple prices come to. @param isWhole the charge is over, so its minimum counts */
export function simpleAmount(tariff: FrozenTariff, facts: CostFacts, isWhole = true): Amount {
  const micros = costMicros(tariff, facts)
  const amount =
    tariff.taxIncluded === 'yes'
      ? { netMicros: Math.round(withoutTax(micros, tariff)), grossMicros: micros }
      : { netMicros: micros, grossMicros: grossOf(micros, tariff) }
  return limited(tariff, amount, isWhole)
}

const TIMES = {
  charging: 'TIME',
  parking: 'PARKING_TIME',
  reserved: 'RESERVATION_TIME',
  expired: 'RESERVATION_TIME',
} as const

/** Amounts in the unit of the currency: each rounded so that they add up to the rounded total. */
export function shownPeriods({ periods, currency }: Pick<Priced, 'periods' | 'currency'>) {
  const units = 10 ** currencyExponent(currency)
  let [exact, rounded] = [0, 0]
  return periods.map(({ start, end, phase, energyMilliWh, netMicros }) => {
    exact += netMicros
    const until = Math.round(roundCost(exact, currency) * units)
    const cost = (until - rounded) / units
    rounded = until
    const energy = { type: 'ENERGY', volume: energyMilliWh / 1e6 } as const
    const timed = { type: TIMES[phase], volume: Math.round((end - start) / 3.6) / 1e6 }
    return { start: isoTime(start), dimensions: energyMilliWh > 0 ? [energy, timed] : [timed], cost }
  })
}
