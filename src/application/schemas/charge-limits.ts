/** Limits of charges and budgets of cards, as the API writes them (SESSION-L1, TOKEN-Z6). */
import { z } from '@hono/zod-openapi'
import type { Budget, ChargeLimits } from '../../domain/ports/id-tokens.ts'
import { amount, millionths } from './money.ts'

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
    kind: z.enum(['energy', 'cost', 'duration']),
    limit: z.number().openapi({ description: 'Kilowatt-hours, an amount or seconds.' }),
    reached: z.number().openapi({ description: 'What it came to; of a budget, all charges when it was used up.' }),
    per: z.enum(['day', 'month', 'total']).optional().openapi({ description: 'It was the budget of the card.' }),
  })
  .openapi('LimitReached')

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
