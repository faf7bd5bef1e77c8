/**
 * What a charge costs, as DATEX II says it (AFIR-A6). The prices of one rate add up there, each within its limits; of
 * OCPI's elements the first that fits prices. So each price is given for what no element before it takes.
 */
import { type PriceComponent, type PriceDimension, WEEKDAYS } from '../domain/tariffs/elements.ts'
import { elementsOf, type ShownTariff } from '../domain/tariffs/shown-elements.ts'
import { DAY_MS } from '../domain/time-zone.ts'
import { type HoldTimes, holdTimes, hoursOf, type Range, without } from './hold-times.ts'
import { dateTime, multilingual, valued } from './words.ts'

const PRICE_TYPES: Readonly<Record<PriceDimension, string>> = {
  ENERGY: 'pricePerKWh',
  FLAT: 'basePrice',
  TIME: 'pricePerMinute',
  PARKING_TIME: 'pricePerMinute',
}
/** Both are minutes there. */
const WHICH_MINUTES: Readonly<Partial<Record<PriceDimension, Readonly<Record<string, string>>>>> = {
  TIME: { en: 'While the vehicle charges', de: 'Während das Fahrzeug lädt' },
  PARKING_TIME: { en: 'While the vehicle takes no power', de: 'Während das Fahrzeug keinen Strom abnimmt' },
}
/** More parts than that no reader follows. */
const MAX_PRICES = 200

export interface Adhoc {
  readonly tariff: ShownTariff
  readonly updatedAt: number
}

export function energyRate(id: string, { tariff, updatedAt }: Adhoc, lang: string, paymentMeans: readonly string[]) {
  const taxIncluded = tariff.taxIncluded === 'yes'
  const limit = (of: ShownTariff['minPrice']) => {
    const micros = taxIncluded ? (of?.inclVatMicros ?? of?.exclVatMicros) : (of?.exclVatMicros ?? of?.inclVatMicros)
    return micros === undefined ? undefined : money(micros)
  }
  return {
    idG: id,
    ratePolicy: valued('adHoc'),
    lastUpdated: dateTime(updatedAt),
    applicableCurrency: [tariff.currency],
    maximumDeliveryFee: limit(tariff.maxPrice),
    minimumDeliveryFee: limit(tariff.minPrice),
    payment: { paymentMeans: paymentMeans.map(valued) },
    energyPrice: energyPrices({ tariff, updatedAt }, lang),
  }
}

const priced = new WeakMap<ShownTariff, { readonly lang: string; readonly prices: readonly object[] }>()

/** Worked out once for all EVSEs of a tariff. */
export function energyPrices(adhoc: Adhoc, lang: string): readonly object[] {
  const known = priced.get(adhoc.tariff)
  if (known?.lang === lang) return known.prices
  const prices = allPrices(adhoc, lang).slice(0, MAX_PRICES)
  priced.set(adhoc.tariff, { lang, prices })
  return prices
}

function allPrices({ tariff, updatedAt }: Adhoc, lang: string): readonly object[] {
  const earlier = new Map<PriceDimension, HoldTimes[]>()
  const prices: object[] = []
  for (const { priceComponents, restrictions } of elementsOf(tariff)) {
    const holds = holdTimes(restrictions)
    if (!holds) continue
    for (const component of priceComponents) {
      if (prices.length >= MAX_PRICES) return prices
      const taken = earlier.get(component.type) ?? []
      const parts = taken.reduce<readonly HoldTimes[]>(
        (left, other) => left.flatMap((one) => without(one, other)).slice(0, MAX_PRICES),
        [holds],
      )
      earlier.set(component.type, [...taken, holds])
      prices.push(...parts.map((part) => energyPrice(component, part, tariff, updatedAt, lang)))
    }
  }
  return prices
}

function energyPrice(
  { type, priceMicros, vat }: PriceComponent,
  holds: HoldTimes,
  { taxIncluded }: ShownTariff,
  updatedAt: number,
  lang: string,
): object {
  const isMinute = type === 'TIME' || type === 'PARKING_TIME'
  const which = WHICH_MINUTES[type]
  const isFree = type === 'FLAT' && priceMicros === 0
  return {
    priceType: valued(isFree ? 'free' : PRICE_TYPES[type]),
    value: money(isMinute ? priceMicros / 60 : priceMicros),
    // Where no tax applies the price is what is paid.
    taxIncluded: taxIncluded === 'yes' || taxIncluded === 'n/a',
    taxRate: vat,
    additionalInformation: which && multilingual(lang)(which[lang] ?? which.en ?? ''),
    overallPeriod: overallPeriod(holds, updatedAt),
    timeBasedApplicability: limits(holds.duration[0], 60, 'fromMinute', 'toMinute'),
    energyBasedApplicability: limits(holds.energy[0], 1, 'fromKWh', 'toKWh'),
  }
}

/** Absent: always. */
function overallPeriod(holds: HoldTimes, updatedAt: number): object | undefined {
  const [[from, below] = [-Infinity, Infinity]] = holds.dates
  const week = hoursOf(holds)
  const isAlways = week.every(([range]) => range?.[0] === 0 && range[1] === 1440)
  if (isAlways && from === -Infinity && below === Infinity) return undefined
  // Days with the same hours are one period.
  const byHours = new Map<string, string[]>()
  for (const [at, ranges] of week.entries()) {
    const hours = JSON.stringify(ranges)
    if (ranges.length > 0) byHours.set(hours, [...(byHours.get(hours) ?? []), WEEKDAYS[at] ?? ''])
  }
  return {
    overallStartTime: dateTime(from === -Infinity ? updatedAt : from * DAY_MS),
    overallEndTime: below === Infinity ? undefined : dateTime(below * DAY_MS - 1000),
    validPeriod: isAlways
      ? undefined
      : [...byHours].map(([hours, days]) => recurring(JSON.parse(hours) as readonly Range[], days)),
  }
}

/** @param days all seven are not named */
export function recurring(ranges: readonly Range[], days: readonly string[]): object {
  return {
    recurringTimePeriodOfDay: ranges.map(([start, end]) => ({
      startTimeOfPeriod: timeOfDay(start),
      endTimeOfPeriod: timeOfDay(end),
    })),
    recurringDayWeekMonthPeriod:
      days.length === 7
        ? undefined
        : [{ comDayWeekMonth: { applicableDay: days.map((day) => valued(day.toLowerCase())) } }],
  }
}

/** Ends with a Z and is local time all the same; a day ends with its last second. */
function timeOfDay(minute: number): string {
  if (minute >= 1440) return '23:59:59Z'
  const two = (value: number): string => String(value).padStart(2, '0')
  return `${two(Math.floor(minute / 60))}:${two(minute % 60)}:00Z`
}

function limits(range: Range = [0, Infinity], unit: number, fromName: string, toName: string): object | undefined {
  const [from, below] = range
  if (from === 0 && below === Infinity) return undefined
  return {
    [fromName]: from === 0 ? undefined : Math.round(from / unit),
    [toName]: below === Infinity ? undefined : Math.round(below / unit),
  }
}

/** Prices of a minute have more decimals than money: a sixtieth of one with six. */
function money(micros: number): number {
  return Math.round(micros) / 1e6
}
