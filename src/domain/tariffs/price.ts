/**
 * What a charge costs by the elements of its tariff (TARIFF-A2): a pure function of the tariff's version and the course
 * of the charge. Sums stay fractions, and what is rounded of one period goes to the next, so that periods add up.
 */
import { type Course, type Phase, type Slice, slicesOf } from './course.ts'
import type { PriceComponent, PriceDimension, PriceLimit, TariffElement, TaxIncluded } from './elements.ts'

export interface PricedTariff {
  readonly currency: string
  readonly elements: readonly TariffElement[]
  readonly taxIncluded?: TaxIncluded | undefined
  readonly minPrice?: PriceLimit | undefined
  readonly maxPrice?: PriceLimit | undefined
}

/** Micro-units of the currency. */
export interface Amount {
  readonly netMicros: number
  readonly grossMicros: number
}

export interface PricedPeriod extends Amount {
  readonly start: number
  readonly end: number
  readonly phase: Phase
  readonly energyMilliWh: number
}

export const PARTS = ['energy', 'time', 'parking', 'fixed', 'reservation'] as const
export type Part = (typeof PARTS)[number]

export interface Priced extends Amount {
  readonly currency: string
  readonly periods: readonly PricedPeriod[]
  /** Without the limits of the price. */
  readonly parts: Readonly<Record<Part, Amount>>
  /** A rate of tax is known, or none applies: `grossMicros` can be shown. */
  readonly hasGross: boolean
}

type Timed = 'TIME' | 'PARKING_TIME'
type Active = { readonly [Dimension in PriceDimension]?: PriceComponent }

interface Period {
  readonly start: number
  end: number
  readonly phase: Phase
  energyMilliWh: number
  readonly active: Active
  /** What is paid for: FLAT once, and what step sizes add. */
  isFlat: boolean
  addedMilliWh: number
  addedMs: number
}

export function priceOf(tariff: PricedTariff, course: Course): Priced {
  const periods = periodsOf(slicesOf(tariff.elements, course))
  const isReserved = ({ phase }: Period): boolean => phase === 'reserved' || phase === 'expired'
  for (const some of [periods.filter(isReserved), periods.filter((one) => !isReserved(one))]) {
    const first = some.find(({ active }) => active.FLAT)
    if (first) first.isFlat = true
    addSteps(some)
  }
  const sums = new Sums(tariff)
  const parts = new Map(PARTS.map((part) => [part, new Sums(tariff)]))
  let before: Amount = { netMicros: 0, grossMicros: 0 }
  const priced = periods.map((period, index): PricedPeriod => {
    for (const [part, component, exact] of paidIn(period)) {
      sums.add(component, exact)
      parts.get(part)?.add(component, exact)
    }
    const until = limited(tariff, sums.amount(), index === periods.length - 1)
    const { start, end, phase, energyMilliWh } = period
    const own = { netMicros: until.netMicros - before.netMicros, grossMicros: until.grossMicros - before.grossMicros }
    before = until
    return { start, end, phase, energyMilliWh, ...own }
  })
  const amounts = Object.fromEntries([...parts].map(([part, one]) => [part, one.amount()])) as Record<Part, Amount>
  return { currency: tariff.currency, ...before, periods: priced, parts: amounts, hasGross: hasGross(tariff) }
}

function hasGross({ elements, taxIncluded = 'no' }: PricedTariff): boolean {
  return taxIncluded !== 'no' || elements.some((one) => one.priceComponents.some(({ vat }) => vat !== undefined))
}

function periodsOf(slices: readonly Slice[]): readonly Period[] {
  const periods: Period[] = []
  for (const { start, end, phase, energyMilliWh, elements } of slices) {
    const active = activeIn(elements, phase)
    const last = periods.at(-1)
    if (last?.phase === phase && isSame(last.active, active)) {
      last.end = end
      last.energyMilliWh += energyMilliWh
    } else periods.push({ start, end, phase, energyMilliWh, active, isFlat: false, addedMilliWh: 0, addedMs: 0 })
  }
  return periods
}

/** Of each dimension the first component in the list, never a sum. */
function activeIn(elements: readonly TariffElement[], phase: Phase): Active {
  const active: { -readonly [Dimension in PriceDimension]?: PriceComponent } = {}
  for (const { priceComponents } of elements) {
    for (const component of priceComponents) {
      if (isPaid(component.type, phase)) active[component.type] ??= component
    }
  }
  return active
}

function isPaid(type: PriceDimension, phase: Phase): boolean {
  if (type === 'TIME') return phase !== 'parking'
  if (type === 'PARKING_TIME') return phase === 'parking'
  return type === 'FLAT' || phase === 'charging' || phase === 'parking'
}

function isSame(a: Active, b: Active): boolean {
  return a.ENERGY === b.ENERGY && a.FLAT === b.FLAT && a.TIME === b.TIME && a.PARKING_TIME === b.PARKING_TIME
}

const timedOf = ({ TIME, PARKING_TIME }: Active): PriceComponent | undefined => TIME ?? PARKING_TIME

/** Once for energy and once for time: the whole of the session, in steps of the last component that was used. */
function addSteps(periods: readonly Period[]): void {
  const energy = periods.findLast(({ active, energyMilliWh }) => active.ENERGY && energyMilliWh > 0)
  if (energy?.active.ENERGY) {
    const total = sumOf(periods, ({ active, energyMilliWh }) => (active.ENERGY ? energyMilliWh : 0))
    energy.addedMilliWh = missingTo(energy.active.ENERGY.stepSize, total)
  }
  const timed = periods.findLast(({ active, start, end }) => timedOf(active) && end > start)
  const component = timed && timedOf(timed.active)
  if (!timed || !component) return
  const type = component.type as Timed
  timed.addedMs = missingTo(
    component.stepSize,
    sumOf(periods, ({ active, start, end }) => (active[type] ? end - start : 0)),
  )
}

function sumOf(periods: readonly Period[], of: (period: Period) => number): number {
  return periods.reduce((sum, period) => sum + of(period), 0)
}

/** Milli-watt-hours or milliseconds up to whole steps of watt-hours or seconds. */
function missingTo(stepSize: number, total: number): number {
  const rest = total % (stepSize * 1000)
  return rest === 0 ? 0 : stepSize * 1000 - rest
}

/** Milli-watt-hours in a kilowatt-hour and milliseconds in an hour, brought to one denominator. */
const DENOMINATOR = 18_000_000n
const PER_MILLI_WH = 18n
const PER_MILLISECOND = 5n

/** For its time, and once. */
const PARTS_OF = {
  charging: ['time', 'fixed'],
  parking: ['parking', 'fixed'],
  reserved: ['reservation', 'reservation'],
  expired: ['reservation', 'reservation'],
} as const satisfies Record<Period['phase'], readonly [Part, Part]>

function paidIn(period: Period): readonly (readonly [Part, PriceComponent, bigint])[] {
  const { active, phase, start, end, energyMilliWh, addedMilliWh, addedMs, isFlat } = period
  const [timed, fixed] = PARTS_OF[phase]
  const of = (part: Part, component: PriceComponent | undefined, quantity: number, factor: bigint) =>
    component ? [[part, component, BigInt(component.priceMicros) * BigInt(quantity) * factor] as const] : []
  return [
    ...of(fixed, isFlat ? active.FLAT : undefined, 1, DENOMINATOR),
    ...of('energy', active.ENERGY, energyMilliWh + addedMilliWh, PER_MILLI_WH),
    ...of(timed, timedOf(active), end - start + addedMs, PER_MILLISECOND),
  ]
}

/** A rate of tax has at most four decimals. */
const WHOLE = 1_000_000n
const FINE = 10n ** 12n

/** By rates of tax: each is added or taken out of its whole sum at once. */
class Sums {
  readonly #taxIncluded: TaxIncluded
  readonly #byRate = new Map<bigint, bigint>()

  constructor({ taxIncluded = 'no' }: PricedTariff) {
    this.#taxIncluded = taxIncluded
  }

  add({ vat = 0 }: PriceComponent, exact: bigint): void {
    const rate = this.#taxIncluded === 'n/a' ? 0n : BigInt(Math.round(vat * 10_000))
    this.#byRate.set(rate, (this.#byRate.get(rate) ?? 0n) + exact)
  }

  amount(): Amount {
    let [net, gross] = [0n, 0n]
    for (const [rate, exact] of this.#byRate) {
      if (this.#taxIncluded === 'yes') {
        gross += exact * FINE
        net += (exact * FINE * WHOLE) / (WHOLE + rate)
      } else {
        net += exact * FINE
        gross += (exact * FINE * (WHOLE + rate)) / WHOLE
      }
    }
    const micros = (sum: bigint): number => Number(divideHalfEven(sum, DENOMINATOR * FINE))
    return { netMicros: micros(net), grossMicros: micros(gross) }
  }
}

export function divideHalfEven(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor
  const twice = (dividend - quotient * divisor) * 2n
  return twice > divisor || (twice === divisor && quotient % 2n !== 0n) ? quotient + 1n : quotient
}

type Limited = Pick<PricedTariff, 'minPrice' | 'maxPrice' | 'taxIncluded'> & {
  readonly elements?: PricedTariff['elements'] | undefined
}

/** TARIFF-A5: both limits hold; where one is given, the other amount follows in proportion. @param isLast the whole */
export function limited(tariff: Limited, amount: Amount, isLast = true): Amount {
  const least = isLast && tariff.minPrice ? within(tariff, amount, tariff.minPrice, Math.max) : amount
  return tariff.maxPrice ? within(tariff, least, tariff.maxPrice, Math.min) : least
}

function within(tariff: Limited, amount: Amount, limit: PriceLimit, pick: (a: number, b: number) => number): Amount {
  const { netMicros, grossMicros } = amount
  const { exclVatMicros, inclVatMicros } = limit
  const net = exclVatMicros === undefined ? netMicros : pick(netMicros, exclVatMicros)
  const gross = inclVatMicros === undefined ? grossMicros : pick(grossMicros, inclVatMicros)
  const factor = netMicros > 0 ? grossMicros / netMicros : 1 + firstRate(tariff) / 100
  return {
    netMicros: exclVatMicros === undefined && gross !== grossMicros ? Math.round(gross / factor) : net,
    grossMicros: inclVatMicros === undefined && net !== netMicros ? Math.round(net * factor) : gross,
  }
}

/** Of what came to nothing. */
function firstRate({ elements = [], taxIncluded }: Limited): number {
  if (taxIncluded === 'n/a') return 0
  return elements.flatMap((one) => one.priceComponents.flatMap(({ vat }) => vat ?? []))[0] ?? 0
}
