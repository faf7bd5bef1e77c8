/** A tariff as OCPI has it (TARIFF-A1, TARIFF-A5): one with elements, or a simple one as the elements that it is. */
import type { OcpiVersion } from '../../domain/partners/records.ts'
import type { PriceLimit, TariffElement, TariffRestrictions, TaxIncluded } from '../../domain/tariffs/elements.ts'
import { elementsOf, type ShownTariff } from '../../domain/tariffs/shown-elements.ts'
import { type Amount, componentPriceIn, present, priceLimitIn, rounded, spelled } from '../versions.ts'
import { displayTexts, filled, owner, type Party, time } from './words.ts'

const TAX_INCLUDED: Readonly<Record<TaxIncluded, string>> = { yes: 'YES', no: 'NO', 'n/a': 'N/A' }

export function tariffIn(version: OcpiVersion, tariff: ShownTariff, updatedAt: number, party: Party) {
  const { taxIncluded = 'no' } = tariff
  const elements = elementsOf(tariff)
  const limit = (of: PriceLimit | undefined, otherwise: 'least' | 'greatest') =>
    of && priceLimitIn(version, bothLimits(of, elements, otherwise))
  return spelled(version, 'tariff', {
    ...owner(party),
    id: tariff.tariffId,
    currency: tariff.currency,
    type: tariff.type,
    tariff_alt_text: displayTexts(tariff.tariffAltText),
    min_price: limit(tariff.minPrice, 'least'),
    max_price: limit(tariff.maxPrice, 'greatest'),
    tax_included: TAX_INCLUDED[taxIncluded],
    elements: elements.map(({ priceComponents, restrictions }) =>
      present({
        price_components: priceComponents.map(({ type, priceMicros, vat, stepSize }) =>
          present({
            type,
            price: componentPriceIn(version, { price: units(priceMicros), vat }, taxIncluded),
            vat: rounded(vat),
            step_size: type === 'FLAT' ? 1 : stepSize,
          }),
        ),
        restrictions: restrictions && restrictionsIn(restrictions),
      }),
    ),
    last_updated: time(updatedAt),
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
  if (exclVatMicros !== undefined) return { net: units(exclVatMicros), gross }
  if (gross === undefined) return { net: 0 }
  const rates = new Set(elements.flatMap(({ priceComponents }) => priceComponents.map(({ vat = 0 }) => vat)))
  const [rate = 0] = rates
  if (rates.size === 1) return { net: gross / (1 + rate / 100), gross }
  return { net: otherwise === 'least' ? 0 : gross, gross }
}

function restrictionsIn(of: TariffRestrictions): object | undefined {
  const members = present({
    start_time: of.startTime,
    end_time: of.endTime === '24:00' ? '00:00' : of.endTime,
    start_date: of.startDate,
    end_date: of.endDate,
    min_kwh: rounded(of.minKwh),
    max_kwh: rounded(of.maxKwh),
    min_current: rounded(of.minCurrent),
    max_current: rounded(of.maxCurrent),
    min_power: rounded(of.minPower),
    max_power: rounded(of.maxPower),
    min_duration: of.minDuration,
    max_duration: of.maxDuration,
    day_of_week: filled(of.dayOfWeek),
    reservation: of.reservation,
  })
  return Object.keys(members).length === 0 ? undefined : members
}

export function units(micros: number): number {
  return micros / 1e6
}
