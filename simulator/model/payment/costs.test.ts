import { expect, it } from 'vitest'
import type { Tariff } from '../facts.ts'
import { totalCostOf } from './costs.ts'

const tariff = (more: Partial<Tariff>): Tariff => ({ tariffId: 'T', currency: 'EUR', ...more })
const usage = { energyWh: 10_000, seconds: 3600, idleSeconds: 600 }
const VAT = [{ type: 'VAT', tax: 20 }]
const energy = { prices: [{ priceKwh: 0.5 }], taxRates: VAT }

it.each([
  ['nothing priced', {}, 0, 0, 'NormalCost'],
  ['energy with its tax', { energy }, 5, 6, 'NormalCost'],
  [
    'minutes of charging and of rest',
    { chargingTime: { prices: [{ priceMinute: 0.1 }] }, idleTime: { prices: [{ priceMinute: 1 }] } },
    15,
    15,
    'NormalCost',
  ],
  ['a fee', { fixedFee: { prices: [{ priceFixed: 2 }] }, energy }, 7, 8, 'NormalCost'],
] as const)('OCPP21-E1: %s', (_name, more, exclTax, inclTax, typeOfCost) => {
  expect(totalCostOf(tariff(more as Partial<Tariff>), usage)).toMatchObject({ typeOfCost, total: { exclTax, inclTax } })
})
