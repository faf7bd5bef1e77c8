/** What a tariff may ask, read from text as forms and command lines have it (COST-L1, ADMIN-H1). */
import type { Fault } from '../../domain/message-log/fault.ts'
import type { TariffRates } from '../../domain/ports/storage-webhooks.ts'

export const RATE_NAMES = ['perKwh', 'perMinute', 'perSession', 'idlePerMinute'] as const
export type RateName = (typeof RATE_NAMES)[number]

/** Codes of ISO 4217 that this Node knows, and the one it lacks. */
const CURRENCIES: ReadonlySet<string> = new Set([...Intl.supportedValuesOf('currency'), 'UYW'])
/** At most a billion, at most six decimals: what the API takes as a number. */
const AMOUNT = /^(\d{1,9}|1000000000)(?:[.,](\d{1,6}))?$/
const MOST = 1_000_000_000
const MICROS = 1_000_000

export const AMOUNT_HINT = 'must be a number from 0 with at most six decimals'

export function isCurrency(code: string): boolean {
  return CURRENCIES.has(code)
}

/** The energy price and the currency are needed; a rate that is left out is nothing. */
export function readRates(
  texts: Partial<Readonly<Record<RateName | 'currency', string>>>,
): TariffRates | { readonly faults: readonly Fault[] } {
  const currency = texts.currency?.trim().toUpperCase() ?? ''
  const faults: Fault[] = []
  if (!isCurrency(currency)) {
    faults.push({ pointer: '/currency', code: 'invalid_value', message: 'must be an ISO 4217 code such as EUR' })
  }
  const micros = (name: RateName): number => {
    const text = texts[name]?.trim() ?? ''
    if (text === '' && name !== 'perKwh') return 0
    const amount = microsOf(text)
    if (amount === undefined) faults.push({ pointer: `/${name}`, code: 'invalid_value', message: AMOUNT_HINT })
    return amount ?? 0
  }
  const rates: TariffRates = {
    currency,
    perKwhMicros: micros('perKwh'),
    perMinuteMicros: micros('perMinute'),
    perSessionMicros: micros('perSession'),
    idlePerMinuteMicros: micros('idlePerMinute'),
  }
  return faults.length > 0 ? { faults } : rates
}

/** Exactly, digit by digit: 0.1 is no binary number. */
export function microsOf(text: string): number | undefined {
  const match = AMOUNT.exec(text)
  if (!match) return undefined
  const micros = Number(match[1]) * MICROS + Number((match[2] ?? '').padEnd(6, '0'))
  return micros > MOST * MICROS ? undefined : micros
}

export function textOfMicros(micros: number): string {
  return String(micros / MICROS)
}
