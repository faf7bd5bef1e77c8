import { expect, it } from 'vitest'
import { previewCost } from './preview.ts'
import { microsOf, readRates, textOfMicros } from './rates.ts'

it.each([
  ['0', 0],
  ['0.49', 490_000],
  ['0,5', 500_000],
  ['0.000001', 1],
  ['1000000000', 1_000_000_000_000_000],
  ['1000000000.1', undefined],
  ['-1', undefined],
  ['0.0000001', undefined],
  ['1e3', undefined],
  ['', undefined],
])('ADMIN-H1: %j is %s millionths', (text, micros) => {
  expect(microsOf(text)).toBe(micros)
  if (micros !== undefined) expect(microsOf(textOfMicros(micros))).toBe(micros)
})

it('ADMIN-H1: the currency and the price of energy are needed, every fault is told', () => {
  expect(readRates({ currency: 'eur', perKwh: '0.5' })).toMatchObject({ currency: 'EUR', perKwhMicros: 500_000 })
  const read = readRates({ currency: 'XX', perMinute: 'x' })
  expect('faults' in read && read.faults.map(({ pointer }) => pointer)).toEqual(['/currency', '/perKwh', '/perMinute'])
})

it('ADMIN-H1, COST-L1: the preview is what a session would cost, part by part', () => {
  const rates = readRates({
    currency: 'EUR',
    perKwh: '0.5',
    perMinute: '0.02',
    perSession: '1',
    idlePerMinute: '0.1',
  })
  if ('faults' in rates) throw new Error('unreadable')
  const charge = { energyMilliWh: 20_500_000, minutes: 60, idleMinutes: 10 }
  expect(previewCost(rates, charge)).toEqual({
    total: 13.45,
    parts: [
      { part: 'energy', amount: 10.25 },
      { part: 'time', amount: 1.2 },
      { part: 'session', amount: 1 },
      { part: 'idle', amount: 1 },
    ],
  })
})
