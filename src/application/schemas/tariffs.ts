import { z } from '@hono/zod-openapi'
import { listOf, time } from './common.ts'
import { amount, currency } from './money.ts'

const rates = {
  currency,
  perKwh: amount('Per kilowatt-hour.'),
  perMinute: amount('Per minute between start and stop.').optional(),
  perSession: amount('Once per session.').optional(),
  idlePerMinute: amount('Per minute suspended after the first charging, on top of perMinute.').optional(),
}

export const TariffSchema = z
  .strictObject({
    id: z.string(),
    version: z.int(),
    evseControllerId: z.string().optional().openapi({ description: 'Absent: the default of the account.' }),
    ...rates,
    createdAt: time(),
    updatedAt: time(),
  })
  .openapi('Tariff')
export const TariffListSchema = listOf('TariffList', TariffSchema)

export const CreateTariffSchema = z
  .strictObject({ evseControllerId: z.string().min(1).optional(), ...rates })
  .openapi('CreateTariff')

export const ChangeTariffSchema = z
  .strictObject({ ...rates, currency: currency.optional(), perKwh: rates.perKwh.optional() })
  .openapi('ChangeTariff')

export const tariffParams = z.object({ tariffId: z.string() })
