/** Limits of charges and budgets of cards, as the API writes them (SESSION-L1, TOKEN-Z6). */
import { z } from '@hono/zod-openapi'
import type { Budget, ChargeLimits } from '../../domain/ports/id-tokens.ts'
import { time } from './common.ts'

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

const MAX_SECONDS = 366 * 24 * 3600

const more = (description: string) => amount(description).gt(0)
const energyKwh = more('Kilowatt-hours.').optional()
const cost = more('Excluding VAT, in the currency of the tariff.').optional()

export const ChargeLimitsSchema = z
  .strictObject({ energyKwh, cost, durationSeconds: z.int().min(1).max(MAX_SECONDS).optional() })
  .openapi('ChargeLimits', { description: 'The charge is stopped when it reaches any of them.' })

export const BudgetSchema = z
  .strictObject({ energyKwh, cost, per: z.enum(['day', 'month', 'total']) })
  .refine((budget) => (budget.energyKwh === undefined) !== (budget.cost === undefined), {
    message: 'must be either of energy or of cost',
    path: ['cost'],
  })
  .openapi('Budget', {
    description:
      'What all charges of the card may come to, wherever it charges: those that began on one day, in one month, or ever. Days and months are those of `PILOTWIRE_TIME_ZONE`.',
  })

export const LimitReachedSchema = z
  .strictObject({
    kind: z.enum(['energy', 'cost', 'duration', 'stateOfCharge']),
    limit: z.number().optional().openapi({ description: 'Kilowatt-hours, an amount, seconds or per cent.' }),
    reached: z.number().optional().openapi({
      description:
        'What it came to; of a budget, all charges when it was used up. Absent where its station suspends it.',
    }),
    at: time().optional().openapi({
      description: 'Its station has suspended it since then, and goes on once the limit is raised (OCPP 2.1).',
    }),
    per: z.enum(['day', 'month', 'total']).optional().openapi({ description: 'It was the budget of the card.' }),
  })
  .openapi('LimitReached')

export const StationLimitsSchema = z
  .strictObject({
    energyKwh: z.number().optional(),
    cost: z.number().optional().openapi({ description: 'Including VAT.' }),
    durationSeconds: z.number().optional(),
    stateOfCharge: z.number().optional().openapi({ description: 'Of the battery in per cent.' }),
  })
  .openapi('StationLimits', {
    description: 'What an OCPP 2.1 charge point enforces by itself, as it confirmed: ours, or the driver’s own.',
  })

export const StationCostSchema = z
  .strictObject({
    currency: z.string().optional(),
    net: z.number().optional().openapi({ description: 'Excluding VAT.' }),
    gross: z.number().optional().openapi({ description: 'Including VAT.' }),
    failure: z.string().optional().openapi({ description: 'Why it could not calculate; may be empty.' }),
    isFinal: z.boolean().openapi({ description: 'It came with the end of the charge.' }),
    at: time(),
  })
  .openapi('StationCost', { description: 'What an OCPP 2.1 charge point says the charge costs, as it said it last.' })

export function readLimits({ energyKwh, cost, durationSeconds }: z.output<typeof ChargeLimitsSchema>): ChargeLimits {
  return {
    ...(energyKwh !== undefined && { energyMilliWh: millionths(energyKwh) }),
    ...(cost !== undefined && { costMicros: millionths(cost) }),
    ...(durationSeconds !== undefined && { durationMs: durationSeconds * 1000 }),
  }
}

export function readBudget({ per, ...most }: z.output<typeof BudgetSchema>): Budget {
  return { ...readLimits(most), per }
}
