/** A tariff in sentences (TARIFF-A3), for drivers and operators. Pure. */
import {
  type PriceComponent,
  type PriceLimit,
  type TariffRestrictions,
  type TaxIncluded,
  WEEKDAYS,
} from './elements.ts'
import type { TariffRates } from './fields.ts'

export type Language = 'en' | 'de'

/** @param day 0 is Monday, as the first of 2024 was */
export function dayName(day: number, language: Language): string {
  return new Date(Date.UTC(2024, 0, 1 + day)).toLocaleDateString(language, { weekday: 'long', timeZone: 'UTC' })
}

export function sentencesOf(tariff: TariffRates, language: Language): readonly string[] {
  const say = (english: string, german: string): string => (language === 'de' ? german : english)
  const { currency, taxIncluded, minPrice, maxPrice } = tariff
  const money = (micros: number): string => `${amountIn(micros, language)} ${currency}`
  const priced = pricesOf(tariff).map(({ unit, micros, vat, stepSize, restrictions = {} }) => {
    const [english, german] = UNITS[unit]
    const when = conditions(restrictions, language)
    const steps = stepsOf(unit, stepSize, say)
    const what =
      micros === 0 ? say(`free ${english}`, `kostenlos ${german}`) : `${money(micros)} ${say(english, german)}`
    return `${upper([what, ...when].join(' '))}${steps}${micros === 0 ? '' : taxOf(vat, taxIncluded, say)}.`
  })
  return [
    ...(priced.length > 0 ? priced : [say('Free of charge.', 'Kostenlos.')]),
    ...limitOf(minPrice, money, say, say('At least', 'Mindestens')),
    ...limitOf(maxPrice, money, say, say('At most', 'Höchstens')),
  ]
}

type Say = (english: string, german: string) => string
type Unit = keyof typeof UNITS

const UNITS = {
  ENERGY: ['per kWh', 'je kWh'],
  minute: ['per minute', 'je Minute'],
  TIME: ['per hour of charging', 'je Stunde Laden'],
  FLAT: ['per charge', 'je Ladevorgang'],
  idle: ['more per minute once the vehicle takes no more', 'zusätzlich je Minute, in der das Fahrzeug nicht mehr lädt'],
  PARKING_TIME: ['per hour in which the vehicle takes nothing', 'je Stunde, in der das Fahrzeug nicht lädt'],
  RESERVED: ['per hour of the reservation', 'je Stunde der Reservierung'],
  RESERVATION: ['per reservation', 'je Reservierung'],
} as const

export interface StatedPrice {
  readonly unit: Unit
  readonly micros: number
  readonly vat?: number | undefined
  readonly stepSize: number
  readonly restrictions?: TariffRestrictions | undefined
}

/** As drivers are to read them: per kilowatt-hour, by time, per charge, and the rest. */
export function pricesOf(tariff: TariffRates): readonly StatedPrice[] {
  const { elements, vat } = tariff
  if (elements) {
    const all = elements.flatMap(({ priceComponents, restrictions }) =>
      priceComponents.map((one) => statedPrice(one, restrictions)),
    )
    return all.sort((a, b) => ORDER.indexOf(a.unit) - ORDER.indexOf(b.unit))
  }
  const of = (unit: Unit, micros: number): readonly StatedPrice[] =>
    micros > 0 ? [{ unit, micros, vat, stepSize: 1 }] : []
  return [
    ...of('ENERGY', tariff.perKwhMicros),
    ...of('minute', tariff.perMinuteMicros),
    ...of('FLAT', tariff.perSessionMicros),
    ...of('idle', tariff.idlePerMinuteMicros),
  ]
}

const ORDER = Object.keys(UNITS)

function statedPrice(
  { type, priceMicros: micros, vat, stepSize }: PriceComponent,
  restrictions: TariffRestrictions | undefined,
): StatedPrice {
  const reserved = type === 'FLAT' ? 'RESERVATION' : 'RESERVED'
  return { unit: restrictions?.reservation ? reserved : type, micros, vat, stepSize, restrictions }
}

function conditions(restrictions: TariffRestrictions, language: Language): readonly string[] {
  const say: Say = (english, german) => (language === 'de' ? german : english)
  const { startTime, endTime, startDate, endDate, dayOfWeek = [], reservation } = restrictions
  const number = (value: number): string => (language === 'de' ? String(value).replace('.', ',') : String(value))
  const between = (min: number | undefined, max: number | undefined, unit: string) => [
    min !== undefined && say(`from ${number(min)} ${unit}`, `ab ${number(min)} ${unit}`),
    max !== undefined && say(`below ${number(max)} ${unit}`, `unter ${number(max)} ${unit}`),
  ]
  const minutes = (seconds: number | undefined) => (seconds === undefined ? undefined : seconds / 60)
  const days = dayOfWeek.map((day) => dayName(WEEKDAYS.indexOf(day), language)).join(', ')
  const [from, to] = [startTime ?? '00:00', endTime ?? '00:00']
  return [
    (startTime ?? endTime) !== undefined && say(`from ${from} to ${to}`, `von ${from} bis ${to} Uhr`),
    days !== '' && say(`on ${days}`, `am ${days}`),
    startDate !== undefined && say(`since ${startDate}`, `ab dem ${startDate}`),
    endDate !== undefined && say(`before ${endDate}`, `vor dem ${endDate}`),
    ...between(restrictions.minKwh, restrictions.maxKwh, 'kWh'),
    ...between(restrictions.minPower, restrictions.maxPower, 'kW'),
    ...between(restrictions.minCurrent, restrictions.maxCurrent, 'A'),
    ...between(minutes(restrictions.minDuration), minutes(restrictions.maxDuration), say('minutes', 'Minuten')),
    reservation === 'RESERVATION_EXPIRES' && say('that expires', 'die verfällt'),
  ].filter((one) => one !== false)
}

function stepsOf(unit: Unit, stepSize: number, say: Say): string {
  if (stepSize <= 1) return ''
  if (unit === 'ENERGY') return say(`, in steps of ${stepSize} Wh`, `, in Schritten von ${stepSize} Wh`)
  const [size, english, german] =
    stepSize > 60 && stepSize % 60 === 0 ? [stepSize / 60, 'minutes', 'Minuten'] : [stepSize, 's', 's']
  return say(`, in steps of ${size} ${english}`, `, in Schritten von ${size} ${german}`)
}

function taxOf(vat: number | undefined, taxIncluded: TaxIncluded = 'no', say: Say): string {
  if (taxIncluded === 'n/a') return ''
  const rate = vat === undefined ? '' : ` ${vat} %`
  if (taxIncluded === 'yes') return say(`, including${rate} VAT`, `, inklusive${rate} Umsatzsteuer`)
  return vat === undefined
    ? say(', without VAT', ', ohne Umsatzsteuer')
    : say(`, plus${rate} VAT`, `, zuzüglich${rate} Umsatzsteuer`)
}

function limitOf(
  limit: PriceLimit = {},
  money: (micros: number) => string,
  say: Say,
  words: string,
): readonly string[] {
  const { exclVatMicros, inclVatMicros } = limit
  const parts = [
    exclVatMicros !== undefined && `${money(exclVatMicros)} ${say('without VAT', 'ohne Umsatzsteuer')}`,
    inclVatMicros !== undefined && `${money(inclVatMicros)} ${say('with VAT', 'mit Umsatzsteuer')}`,
  ].filter((one) => one !== false)
  return parts.length === 0 ? [] : [`${words} ${parts.join(say(' and ', ' und '))}.`]
}

/** At least two digits behind the point. */
export function amountIn(micros: number, language: Language): string {
  const exact = String(micros / 1_000_000)
  const digits = exact.split('.')[1]?.length ?? 0
  const text = digits < 2 ? (micros / 1_000_000).toFixed(2) : exact
  return language === 'de' ? text.replace('.', ',') : text
}

const upper = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)
