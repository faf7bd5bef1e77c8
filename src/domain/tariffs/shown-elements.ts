/** A tariff as partners and the public see it: elements, also of a simple one (TARIFF-A1). */
import type { FrozenTariff } from '../ports/sessions.ts'
import type { PriceComponent, TariffElement } from './elements.ts'
import type { TariffRates } from './fields.ts'

/** A tariff, or the version of it that a session began with. */
export interface ShownTariff extends FrozenTariff {
  readonly type?: string | undefined
  readonly tariffAltText?: readonly { readonly language: string; readonly text: string }[] | undefined
}

type ShownPrices = TariffRates & Pick<FrozenTariff, 'taxPercent'>

/** The prices of a simple tariff add up: an idle minute costs both. Without any it is free of charge. */
export function elementsOf(tariff: ShownPrices): readonly TariffElement[] {
  const { elements, perKwhMicros = 0, perMinuteMicros = 0, perSessionMicros = 0, idlePerMinuteMicros = 0 } = tariff
  if (elements && elements.length > 0) return elements
  const vat = tariff.vat ?? tariff.taxPercent
  const priced = (type: PriceComponent['type'], priceMicros: number): readonly PriceComponent[] =>
    priceMicros === 0 ? [] : [{ type, priceMicros, vat, stepSize: 1 }]
  const priceComponents = [
    ...priced('ENERGY', perKwhMicros),
    ...priced('FLAT', perSessionMicros),
    ...priced('TIME', perMinuteMicros * 60),
    ...priced('PARKING_TIME', (perMinuteMicros + idlePerMinuteMicros) * 60),
  ]
  const free: PriceComponent = { type: 'FLAT', priceMicros: 0, vat, stepSize: 1 }
  return [{ priceComponents: priceComponents.length > 0 ? priceComponents : [free] }]
}
