/** What a session costs by its frozen tariff (COST-L1): exact integer arithmetic, rounded only where it is shown. */
import type { FrozenTariff } from '../../ports/sessions.ts'
import type { MembersOf } from '../../resources/field.ts'
import type { rates } from '../../tariffs/fields.ts'
import { divideHalfEven } from '../../tariffs/price.ts'

export interface CostFacts {
  readonly energyMilliWh: number
  /** Between start and stop, or until the newest message. */
  readonly elapsedMs: number
  /** Spent suspended after the first charging; charged on top of the elapsed time. */
  readonly idleMs: number
}

/** Milli-watt-hours in a kilowatt-hour and milliseconds in a minute, brought to one denominator. */
const DENOMINATOR = 3_000_000n
const PER_MILLI_WH = 3n
const PER_MILLISECOND = 50n

type Rate = MembersOf<typeof rates, 'amount'>

/** What each rate is paid for; one without a line does not compile. Without a fact it is paid once. */
const PAID_FOR: Readonly<
  Record<Rate, readonly [part: CostPart['part'], fact: keyof CostFacts | undefined, factor: bigint]>
> = {
  perKwhMicros: ['energy', 'energyMilliWh', PER_MILLI_WH],
  perMinuteMicros: ['time', 'elapsedMs', PER_MILLISECOND],
  idlePerMinuteMicros: ['idle', 'idleMs', PER_MILLISECOND],
  perSessionMicros: ['session', undefined, DENOMINATOR],
}
const RATES = Object.entries(PAID_FOR) as readonly (readonly [Rate, (typeof PAID_FOR)[Rate]])[]
export const NO_RATES = Object.fromEntries(RATES.map(([rate]) => [rate, 0])) as Readonly<Record<Rate, 0>>

/** Micro-units of the tariff's currency, excluding VAT, half-even. Energy and times are never negative. */
export function costMicros(tariff: FrozenTariff, facts: CostFacts): number {
  let [metered, fixed] = [0n, 0]
  for (const [rate, [, fact, factor]] of RATES) {
    const micros = tariff[rate] ?? 0
    if (fact === undefined) fixed += micros
    else metered += BigInt(micros) * BigInt(facts[fact]) * factor
  }
  return fixed + Number(divideHalfEven(metered, DENOMINATOR))
}

/** Minor units as ISO 4217 has them; Intl knows them differently for some currencies (CLDR: IQD 0, UYW 0). */
const UNUSUAL: readonly (readonly [exponent: number, currencies: readonly string[]])[] = [
  [0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' ')],
  [3, 'BHD IQD JOD KWD LYD OMR TND'.split(' ')],
  [4, 'CLF UYW'.split(' ')],
]

const EXPONENTS: Readonly<Record<string, number>> = Object.fromEntries(
  UNUSUAL.flatMap(([exponent, currencies]) => currencies.map((currency) => [currency, exponent])),
)

/** Currencies whose minor unit is not a hundredth, and how many micro-units it has. */
export const MINOR_UNITS: readonly (readonly [currencies: readonly string[], micros: number])[] = UNUSUAL.map(
  ([exponent, currencies]) => [currencies, 10 ** (6 - exponent)],
)

/** Number of decimals of an ISO 4217 currency: 2 unless the table says otherwise. */
export function currencyExponent(currency: string): number {
  return Object.hasOwn(EXPONENTS, currency) ? (EXPONENTS[currency] ?? 2) : 2
}

/** The amount as it is shown: micro-units rounded half-even to the currency's minor unit. */
export function roundCost(micros: number, currency: string): number {
  const exponent = currencyExponent(currency)
  const minorUnit = 10 ** (6 - exponent)
  const floor = Math.floor(micros / minorUnit)
  const rest = micros - floor * minorUnit
  const up = rest * 2 > minorUnit || (rest * 2 === minorUnit && floor % 2 !== 0)
  return (up ? floor + 1 : floor) / 10 ** exponent
}

/** What one price of the tariff came to. */
export interface CostPart {
  readonly part: 'energy' | 'time' | 'idle' | 'session'
  /** Milli-watt-hours, milliseconds, or times. */
  readonly quantity: number
  /** For a kilowatt-hour, a minute, or once. */
  readonly priceMicros: number
  readonly micros: number
}

/** CONSOLE-C8: the cost by priced parts, `costMicros` exactly in sum: what is rounded of one part goes to the next. */
export function costParts(tariff: FrozenTariff, facts: CostFacts): readonly CostPart[] {
  const parts: CostPart[] = []
  let [exact, rounded] = [0n, 0n]
  for (const [rate, [part, fact, factor]] of RATES) {
    const priceMicros = tariff[rate] ?? 0
    const quantity = fact === undefined ? 1 : facts[fact]
    if (fact !== undefined) exact += BigInt(priceMicros) * BigInt(quantity) * factor
    const until = divideHalfEven(exact, DENOMINATOR)
    const micros = fact === undefined ? priceMicros : Number(until - rounded)
    if (priceMicros > 0) parts.push({ part, quantity, priceMicros, micros })
    rounded = until
  }
  return parts
}
