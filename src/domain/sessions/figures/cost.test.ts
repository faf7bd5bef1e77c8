import fc from 'fast-check'
import { expect, it } from 'vitest'
import { forAll } from '../../../../test/support/property.ts'
import { aTariff } from '../../../../test/support/records.ts'
import { Driver, MINUTE, TARIFF } from '../../../../test/support/sessions/driver.ts'
import { event, register, sampled, started, status, stopped } from '../../../../test/support/sessions/inputs.ts'
import type { FrozenTariff } from '../../ports/sessions.ts'
import { type CostFacts, costMicros, costParts, currencyExponent, roundCost } from './cost.ts'

const FREE = aTariff()
const NOTHING: CostFacts = { energyMilliWh: 0, elapsedMs: 0, idleMs: 0 }

it.each<[string, Partial<FrozenTariff>, Partial<CostFacts>, number]>([
  ['nothing used is free', {}, {}, 0],
  ['per kilowatt-hour', { perKwhMicros: 500_000 }, { energyMilliWh: 10_500_000 }, 5_250_000],
  ['per minute', { perMinuteMicros: 20_000 }, { elapsedMs: 90_000 }, 30_000],
  ['per session', { perSessionMicros: 1_000_000 }, {}, 1_000_000],
  ['per idle minute', { perMinuteMicros: 10, idlePerMinuteMicros: 100 }, { elapsedMs: 60_000, idleMs: 60_000 }, 110],
  ['half a micro-unit goes to the even one', { perKwhMicros: 1 }, { energyMilliWh: 500_000 }, 0],
  ['and one and a half to two', { perKwhMicros: 1 }, { energyMilliWh: 1_500_000 }, 2],
  [
    'a third and a fraction are added before rounding',
    { perKwhMicros: 1, perMinuteMicros: 1 },
    { energyMilliWh: 333_333, elapsedMs: 10_001 },
    1,
  ],
])('COST-L1: cost: %s', (_, tariff, facts, expected) => {
  expect(costMicros({ ...FREE, ...tariff }, { ...NOTHING, ...facts })).toBe(expected)
})

it.each([
  [1_005_000, 'EUR', 1],
  [1_015_000, 'EUR', 1.02],
  [1_025_000, 'EUR', 1.02],
  [1_025_001, 'EUR', 1.03],
  [1_500_000, 'JPY', 2],
  [2_500_000, 'JPY', 2],
  [1_234_500, 'KWD', 1.234],
  [1_235_500, 'KWD', 1.236],
  [1_234_550, 'CLF', 1.2346],
  [-1_005_000, 'EUR', -1],
  [0, 'EUR', 0],
])('COST-L1: cost: %i micro-units of %s are shown as %d', (micros, currency, expected) => {
  expect(roundCost(micros, currency)).toBe(expected)
})

it('COST-L1: cost: an unknown currency has two decimals, even one named like a member of every object', () => {
  expect(currencyExponent('ZZZ')).toBe(2)
  expect(currencyExponent('constructor')).toBe(2)
})

it('COST-L1: cost: shown amounts are never further off than half a minor unit', () => {
  forAll(fc.integer({ min: 0, max: 10 ** 12 }), fc.constantFrom('EUR', 'JPY', 'KWD', 'CLF'), (micros, currency) => {
    const halfMinor = 10 ** -currencyExponent(currency) / 2
    expect(Math.abs(roundCost(micros, currency) - micros / 1e6)).toBeLessThanOrEqual(halfMinor + 1e-9)
  })
})

const tariff = aTariff({ perKwhMicros: 390_000, perMinuteMicros: 10_000, perSessionMicros: 350_000 })

it('CONSOLE-C8: the parts of a cost are what each price came to, without those that are nothing', () => {
  expect(costParts(tariff, { energyMilliWh: 10_000_000, elapsedMs: 90_000, idleMs: 60_000 })).toEqual([
    { part: 'energy', quantity: 10_000_000, priceMicros: 390_000, micros: 3_900_000 },
    { part: 'time', quantity: 90_000, priceMicros: 10_000, micros: 15_000 },
    { part: 'session', quantity: 1, priceMicros: 350_000, micros: 350_000 },
  ])
  const free = { ...tariff, perKwhMicros: 0, perMinuteMicros: 0, perSessionMicros: 0 }
  expect(costParts(free, { energyMilliWh: 1, elapsedMs: 1, idleMs: 1 })).toEqual([])
})

it('CONSOLE-C8: the parts of a cost add up to the cost, whatever is rounded', () => {
  const price = fc.integer({ min: 0, max: 10_000_000 })
  const amount = fc.integer({ min: 0, max: 1_000_000_000 })
  forAll(price, price, price, price, amount, amount, amount, (...drawn) => {
    const [perKwhMicros, perMinuteMicros, perSessionMicros, idlePerMinuteMicros, ...quantities] = drawn
    const [energyMilliWh, elapsedMs, idleMs] = quantities
    const drawnTariff = { ...tariff, perKwhMicros, perMinuteMicros, perSessionMicros, idlePerMinuteMicros }
    const facts = { energyMilliWh, elapsedMs, idleMs }
    const sum = costParts(drawnTariff, facts).reduce((total, { micros }) => total + micros, 0)
    expect(sum).toBe(costMicros(drawnTariff, facts))
  })
})

const perIdleMinute = { ...TARIFF, perMinuteMicros: 0, perKwhMicros: 0, perSessionMicros: 0 }
const idleAfter = (messages: readonly (readonly [minutes: number, input: Parameters<Driver['send']>[0]])[]): number => {
  const driver = new Driver({ idTokens: [{}], tariff: perIdleMinute })
  for (const [minutes, input] of messages) driver.sendAt(minutes, input)
  return (driver.session().idleMs ?? 0) / MINUTE
}
const start = [0, started(0)] as const
const stop = [60, stopped(60, { transactionId: '100', registerMilliWh: 3_000_000 })] as const

it.each([
  ['SuspendedEV', 10],
  ['SuspendedEVSE', 0],
])('COST-L1, TARIFF-A4: %s right after the start cost 39.9 minutes', (name, idle) => {
  const suspended = [0.1, status(0.1, name)] as const
  expect(idleAfter([start, suspended, [40, status(40, 'Charging')], stop])).toBe(0)
  expect(idleAfter([start, suspended, stop])).toBe(0)
  expect(idleAfter([start, suspended, [40, status(40, 'Charging')], [50, status(50, name)], stop])).toBe(idle)
  const other = name === 'SuspendedEV' ? 'SuspendedEVSE' : 'SuspendedEV'
  expect(idleAfter([start, suspended, [20, status(20, other)], stop])).toBe(0)
})

it('COST-L1: the standby consumption of a plugged car is no charge', () => {
  const sample = [5, sampled('100', [register(5, 20)])] as const
  expect(idleAfter([start, sample, [6, status(6, 'SuspendedEV')], stop])).toBe(0)
})

it.each<[string, Parameters<typeof idleAfter>[0]]>([
  ['its connector says so', [[1, status(1, 'Charging')]]],
  ['energy has flowed', [[10, sampled('100', [register(10, 1500)])]]],
])('COST-L1: it has charged when %s', (_, messages) => {
  expect(idleAfter([start, ...messages, [20, status(20, 'SuspendedEV')], stop])).toBe(40)
})

it('COST-L1: it has charged when its connector said so before the start arrived', () => {
  const first = [0, status(-0.1, 'Charging')] as const
  expect(idleAfter([first, start, [20, status(20, 'SuspendedEV')], stop])).toBe(40)
})

it('COST-L1: one that never said that it charges, and took nothing, did not', () => {
  const late = [5, status(5, 'SuspendedEV')] as const
  const empty = [60, stopped(60, { transactionId: '100', registerMilliWh: 0 })] as const
  expect(idleAfter([start, late, empty])).toBe(0)
  const sample = [30, sampled('100', [register(30, 0)])] as const
  expect(idleAfter([start, late, sample, [40, status(40, 'Charging')], stop])).toBe(0)
})

it('COST-L1: 2.0.1 counts alike', () => {
  const of = (minutes: number, number: number, activity: 'suspendedEv' | 'charging') =>
    [minutes, event(number, minutes, 'updated', { activity })] as const
  const begin = [0, event(0, 0, 'started', { evseId: 1, idToken: { id: 'CARD', type: 'ISO14443' } })] as const
  const end = [60, event(9, 60, 'ended')] as const
  expect(idleAfter([begin, of(1, 1, 'suspendedEv'), of(40, 2, 'charging'), of(50, 3, 'suspendedEv'), end])).toBe(10)
  expect(idleAfter([begin, of(1, 1, 'suspendedEv'), end])).toBe(0)
})
