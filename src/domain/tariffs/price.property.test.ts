/** What holds of every price. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  BERLIN,
  course,
  element,
  type Price as Priced,
  type Step,
  tariff,
} from '../../../test/support/domain/tariffs.ts'
import { forAll } from '../../../test/support/property.ts'
import type { TariffRestrictions } from './elements.ts'
import { priceOf } from './price.ts'

const night = [element([['ENERGY', 0.2]], { startTime: '22:00', endTime: '06:00' }), element([['ENERGY', 0.5]])]

const component: fc.Arbitrary<Priced> = fc.tuple(
  fc.constantFrom('ENERGY', 'FLAT', 'TIME', 'PARKING_TIME'),
  fc.integer({ min: 0, max: 5_000_000 }).map((micros) => micros / 1e6),
  fc.constantFrom(undefined, 7, 19, 5.2),
  fc.constantFrom(1, 60, 900),
)
const restrictions = fc.constantFrom<TariffRestrictions | undefined>(
  undefined,
  undefined,
  { startTime: '08:15', endTime: '20:00' },
  { startTime: '22:00', endTime: '02:30' },
  { minKwh: 3.3 },
  { maxKwh: 11 },
  { minDuration: 1234 },
  { maxPower: 11 },
  { dayOfWeek: ['SUNDAY', 'MONDAY'] },
)
const tariffs = fc
  .record({
    elements: fc.array(fc.tuple(fc.array(component, { minLength: 1, maxLength: 4 }), restrictions), {
      minLength: 1,
      maxLength: 5,
    }),
    taxIncluded: fc.constantFrom('yes', 'no', 'n/a'),
    maxPrice: fc.constantFrom(undefined, { exclVatMicros: 3_000_000 }, { inclVatMicros: 9_000_000 }),
    minPrice: fc.constantFrom(undefined, { exclVatMicros: 1_000_000 }),
  })
  .map(({ elements, ...more }) =>
    tariff(
      elements.map(([prices, when]) => element(prices, when)),
      more as object,
    ),
  )
const courses = fc
  .tuple(
    fc.constantFrom('2026-10-24T22:17:03Z', '2026-03-28T23:00:00.123Z', '2026-08-03T05:00:00Z'),
    fc.array(fc.tuple(fc.integer({ min: 0, max: 600 }), fc.integer({ min: 0, max: 60 }), fc.boolean()), {
      minLength: 1,
      maxLength: 6,
    }),
  )
  .map(([from, steps]) => course(from, steps, { timeZone: BERLIN }))

it('TARIFF-A2: periods add up to the total, and are the whole session', () => {
  forAll(tariffs, courses, (of, charge) => {
    const { netMicros, grossMicros, periods } = priceOf(of, charge)
    const sum = (name: 'netMicros' | 'grossMicros' | 'energyMilliWh') =>
      periods.reduce((all, one) => all + one[name], 0)
    expect([sum('netMicros'), sum('grossMicros')]).toEqual([netMicros, grossMicros])
    expect(sum('energyMilliWh')).toBe(charge.pieces.reduce((all, one) => all + one.energyMilliWh, 0))
    const ends = [...periods.map(({ start }) => start), charge.pieces.at(-1)?.end]
    expect(ends).toEqual([charge.pieces[0]?.start, ...periods.map(({ end }) => end)])
  })
})

it('TARIFF-A2: a piece may be split anywhere', () => {
  forAll(tariffs, courses, fc.integer({ min: 1, max: 9 }), (of, charge, tenths) => {
    const pieces = charge.pieces.flatMap(({ start, end, energyMilliWh, isCharging }) => {
      const at = start + ((end - start) / 10) * tenths
      const first = (energyMilliWh / 10) * tenths
      const powerWatts = end > start ? (energyMilliWh * 3600) / (end - start) : 0
      return [
        { start, end: at, energyMilliWh: first, isCharging, powerWatts },
        { start: at, end, energyMilliWh: energyMilliWh - first, isCharging, powerWatts },
      ]
    })
    const whole = priceOf(of, charge)
    const split = priceOf(of, { ...charge, pieces })
    expect(split).toEqual(whole)
  })
})

it('TARIFF-A2: a long charge takes time in proportion', () => {
  const years = Array.from({ length: 100_000 }, (): Step => [5, 0.01])
  const at = performance.now()
  const { periods } = priceOf(tariff(night), course('2026-01-01T00:00:00Z', years, { timeZone: BERLIN }))
  expect(periods).toHaveLength(696)
  expect(performance.now() - at).toBeLessThan(5000)
})
