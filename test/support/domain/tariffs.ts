/** Tariffs and courses in short, for tests of prices. */
import type { Course, CoursePiece } from '../../../src/domain/tariffs/course.ts'
import type { PriceComponent, TariffElement, TariffRestrictions } from '../../../src/domain/tariffs/elements.ts'
import type { PricedTariff } from '../../../src/domain/tariffs/price.ts'

export const MINUTE = 60_000
export const BERLIN = 'Europe/Berlin'

export type Price = readonly [type: PriceComponent['type'], price: number, vat?: number, stepSize?: number]
export const element = (prices: readonly Price[], restrictions?: TariffRestrictions): TariffElement => ({
  priceComponents: prices.map(([type, price, vat, stepSize = 1]) => ({
    type,
    priceMicros: Math.round(price * 1e6),
    vat,
    stepSize,
  })),
  restrictions,
})
export const tariff = (elements: readonly TariffElement[], more: Partial<PricedTariff> = {}): PricedTariff => ({
  currency: 'EUR',
  taxIncluded: 'no',
  elements,
  ...more,
})

export type Step = readonly [minutes: number, kwh: number, isCharging?: boolean, more?: Partial<CoursePiece>]
export function course(from: string, steps: readonly Step[], more: Partial<Course> = {}): Course {
  let at = Date.parse(from)
  const pieces = steps.map(([minutes, kwh, isCharging = true, facts]): CoursePiece => {
    const start = at
    at += Math.round(minutes * MINUTE)
    return { start, end: at, energyMilliWh: Math.round(kwh * 1e6), isCharging, ...facts }
  })
  return { pieces, timeZone: 'UTC', ...more }
}
