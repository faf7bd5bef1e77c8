/** Quotes and public prices, as the API has them (TARIFF-A3). */
import { z } from '@hono/zod-openapi'
import { roundCost } from '../../domain/sessions/figures/cost.ts'
import { shownPeriods } from '../../domain/sessions/figures/priced.ts'
import type { Priced } from '../../domain/tariffs/price.ts'
import { amount } from '../schemas/charge-limits.ts'
import { time, timeZone } from '../schemas/common.ts'

const MAX_PERIODS = 1000
const instant = () => z.iso.datetime({ offset: true })

const energyKwh = amount('Kilowatt-hours.')

export const QuoteRequestSchema = z
  .strictObject({
    tariffId: z.string(),
    start: instant(),
    end: instant(),
    energyKwh: energyKwh.optional().openapi({ description: 'What is charged in all. Left out: the sum of `periods`.' }),
    timeZone: timeZone.optional().openapi({ description: 'Of the place; UTC if left out.' }),
    periods: z
      .array(
        z.strictObject({
          start: instant(),
          end: instant(),
          energyKwh,
          charging: z.boolean().openapi({ description: 'The vehicle asks for power.' }),
          powerKw: amount('Kilowatts.').optional(),
          currentAmps: amount('The sum of all phases.').optional(),
        }),
      )
      .min(1)
      .max(MAX_PERIODS)
      .optional()
      .openapi({ description: 'The course, in order; in gaps the vehicle is parked. Left out: one even charge.' }),
    reservation: z
      .strictObject({ start: instant(), end: instant(), expired: z.boolean().default(false) })
      .optional()
      .openapi({ description: 'Before the charge, or, where it expired, instead of one.' }),
  })
  .openapi('QuoteRequest')

export const ChargingPeriodSchema = z
  .strictObject({
    start: time(),
    dimensions: z.array(
      z.strictObject({
        type: z.enum(['ENERGY', 'TIME', 'PARKING_TIME', 'RESERVATION_TIME']),
        volume: z.number().openapi({ description: 'Kilowatt-hours, or hours.' }),
      }),
    ),
    cost: z.number().openapi({ description: 'Excluding VAT. All add up to the cost.' }),
  })
  .openapi('ChargingPeriod')

export const QuoteSchema = z
  .strictObject({
    currency: z.string(),
    cost: z.number().openapi({ description: 'Excluding VAT.' }),
    costInclVat: z.number().optional().openapi({ description: 'Where a rate of tax is known, or none applies.' }),
    chargingPeriods: z.array(ChargingPeriodSchema),
  })
  .openapi('Quote')

export function showPriced(priced: Priced) {
  const { currency, netMicros, grossMicros, hasGross } = priced
  return {
    currency,
    cost: roundCost(netMicros, currency),
    ...(hasGross && { costInclVat: roundCost(grossMicros, currency) }),
    chargingPeriods: shownPeriods(priced),
  }
}

export const PublicPriceSchema = z
  .strictObject({
    id: z.string(),
    currency: z.string(),
    taxIncluded: z.enum(['yes', 'no', 'n/a']),
    prices: z
      .array(
        z.strictObject({
          unit: z.enum(['kWh', 'minute', 'charge', 'reservation', 'idleMinute', 'parkedMinute', 'reservedMinute']),
          price: z.number(),
          vat: z.number().optional(),
          restrictions: z.record(z.string(), z.unknown()).optional(),
        }),
      )
      .openapi({ description: 'First per kilowatt-hour, then by time, per charge, and the rest.' }),
    texts: z.array(z.strictObject({ language: z.enum(['en', 'de']), text: z.string() })),
  })
  .openapi('PublicPrice', {
    description:
      'Times are priced per minute. With VAT wherever a rate is known, as prices are to be shown to the public.',
  })
