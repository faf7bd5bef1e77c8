/** A tariff as OCPI has it (TARIFF-A1, TARIFF-A5): one with elements, or a simple one as the elements that it is. */
import { type Amount, DIFFERENCES, type Party, spelled } from '../../domain/partners/ocpi-versions.ts'
import type { OcpiVersion } from '../../domain/partners/records.ts'
import type { PriceLimit, TariffElement, TaxIncluded } from '../../domain/tariffs/elements.ts'
import { elementsOf, type ShownTariff } from '../../domain/tariffs/shown-elements.ts'

const TAX_INCLUDED: Readonly<Record<TaxIncluded, string>> = { yes: 'YES', no: 'NO', 'n/a': 'N/A' }

export function tariffIn(
  version: OcpiVersion,
  tariff: ShownTariff,
  updatedAt: number,
  { countryCode, partyId }: Party,
) {
  const { taxIncluded = 'no' } = tariff
  const { priceLimit, componentPrice } = DIFFERENCES[version]
  const elements = elementsOf(tariff)
  const limit = (of: PriceLimit | undefined, otherwise: 'least' | 'greatest') =>
    of && Object.keys(of).length > 0 ? priceLimit(bothLimits(of, elements, otherwise)) : undefined
  return spelled(version, {
    countryCode,
    partyId,
    id: tariff.tariffId,
    currency: tariff.currency,
    type: tariff.type,
    tariffAltText: tariff.tariffAltText,
    minPrice: limit(tariff.minPrice, 'least'),
    maxPrice: limit(tariff.maxPrice, 'greatest'),
    taxIncluded: TAX_INCLUDED[taxIncluded],
    elements: elements.map(({ priceComponents, restrictions }) => ({
      priceComponents: priceComponents.map(({ type, priceMicros, vat, stepSize }) => ({
        type,
        price: componentPrice({ price: units(priceMicros), vat }, taxIncluded),
        vat,
        stepSize: type === 'FLAT' ? 1 : stepSize,
      })),
      restrictions: restrictions?.endTime === '24:00' ? { ...restrictions, endTime: '00:00' } : restrictions,
    })),
    lastUpdated: updatedAt,
  })
}

/**
 * The net limit is required. Where only the gross one is known it follows from the rate of tax; where rates differ it
 * is one that never holds before the gross one does.
 */
function bothLimits(
  { exclVatMicros, inclVatMicros }: PriceLimit,
  elements: readonly TariffElement[],
  otherwise: 'least' | 'greatest',
): Amount {
  const gross = inclVatMicros === undefined ? undefined : units(inclVatMicros)
  if (exclVatMicros !== undefined || gross === undefined) return { net: units(exclVatMicros ?? 0), gross }
  const rates = new Set(elements.flatMap(({ priceComponents }) => priceComponents.map(({ vat = 0 }) => vat)))
  const [rate = 0] = rates
  if (rates.size === 1) return { net: gross / (1 + rate / 100), gross }
  return { net: otherwise === 'least' ? 0 : gross, gross }
}

export function units(micros: number): number {
  return micros / 1e6
}
