/** Amounts and currencies in requests; inside the house they are integer micro-units (COST-L1). */
import { z } from '@hono/zod-openapi'

const MICROS = 1_000_000
const MOST = 1_000_000_000
/** Codes of ISO 4217 that this Node knows, and the one it lacks. */
const CURRENCIES: ReadonlySet<string> = new Set([...Intl.supportedValuesOf('currency'), 'UYW'])
/** At most a billion, at most six decimals: what the API takes as a number. */
const AMOUNT = /^(\d{1,9}|1000000000)(?:[.,](\d{1,6}))?$/

export const AMOUNT_HINT = 'must be a number from 0 with at most six decimals'
export const CURRENCY_HINT = 'must be an ISO 4217 code such as EUR'

export function isCurrency(code: string): boolean {
  return CURRENCIES.has(code)
}

export const currency = z.string().refine(isCurrency, CURRENCY_HINT).openapi({ example: 'EUR' })

export const amount = (description: string) =>
  z
    .number()
    .min(0)
    .max(MOST)
    .refine((value) => Math.abs(value * MICROS - Math.round(value * MICROS)) < 1e-2, 'must have at most six decimals')
    .openapi({ description: `${description} At most six decimals.` })

/** The same number in millionths: micro-units of a currency, or milli-watt-hours of kilowatt-hours. */
export function millionths(value: number): number {
  return Math.round(value * MICROS)
}

export function fromMillionths(value: number): number {
  return value / MICROS
}

/** Exactly, digit by digit: 0.1 is no binary number. */
export function microsOf(text: string): number | undefined {
  const match = AMOUNT.exec(text)
  if (!match) return undefined
  const micros = Number(match[1]) * MICROS + Number((match[2] ?? '').padEnd(6, '0'))
  return micros > MOST * MICROS ? undefined : micros
}
