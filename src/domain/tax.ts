/** Tax of a tariff's prices (TARIFF-A5). */
import type { ChargeLimits } from './ports/id-tokens.ts'
import type { FrozenTariff } from './ports/sessions.ts'

/** The one rate of all its prices; absent: none is known, or there are several. */
export function withTaxPercent(tariff: FrozenTariff): FrozenTariff {
  const taxPercent = rateOf(tariff)
  return taxPercent === undefined ? tariff : { ...tariff, taxPercent }
}

type KeptVersion = Pick<FrozenTariff, 'tariffId' | 'version'> & {
  readonly rates?: Omit<FrozenTariff, 'tariffId' | 'version'> | undefined
}

/** As a session keeps it; undefined: it was deleted. */
export function frozenVersion({ tariffId, version, rates }: KeptVersion): FrozenTariff | undefined {
  return rates && withTaxPercent({ tariffId, version, ...rates })
}

function rateOf({ vat, elements, taxIncluded }: FrozenTariff): number | undefined {
  if (taxIncluded === 'n/a') return 0
  if (!elements) return vat
  const rates = new Set(ratesOf({ elements }))
  return rates.size === 1 ? [...rates][0] : undefined
}

function ratesOf({ elements = [] }: Pick<FrozenTariff, 'elements'>) {
  return elements.flatMap(({ priceComponents }) => priceComponents.map((one) => one.vat))
}

/** With tax, of an amount without it; the same where no rate is known. */
export function grossOf(netMicros: number, { taxPercent = 0 }: Pick<FrozenTariff, 'taxPercent'>): number {
  return Math.round((netMicros * (100 + taxPercent)) / 100)
}

/** A net price of one that may include tax. */
export function withoutTax(micros: number, { taxIncluded, taxPercent }: FrozenTariff): number {
  return taxIncluded === 'yes' && taxPercent ? (micros * 100) / (100 + taxPercent) : micros
}

/** The limit of cost without tax, of one with it, by the highest of its rates; the same where none is known. */
export function netLimits(limits: ChargeLimits, tariff: FrozenTariff | undefined): ChargeLimits {
  const { costMicros } = limits
  const rate = tariff && (tariff.taxPercent ?? Math.max(0, ...ratesOf(tariff).map((vat = 0) => vat)))
  return costMicros && rate ? { ...limits, costMicros: Math.floor((costMicros * 100) / (100 + rate)) } : limits
}
