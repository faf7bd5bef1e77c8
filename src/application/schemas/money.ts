/** Amounts and currencies in requests; inside the house they are integer micro-units (COST-L1). */
import { z } from '@hono/zod-openapi'
import { isCurrency } from '../tariffs/rates.ts'

const MICROS = 1_000_000
const MOST = 1_000_000_000

export const currency = z
  .string()
  .refine(isCurrency, 'must be an ISO 4217 code such as EUR')
  .openapi({ example: 'EUR' })

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
