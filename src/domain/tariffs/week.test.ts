import { expect, it } from 'vitest'
import { element } from '../../../test/support/domain/tariffs.ts'
import type { TariffElement } from './elements.ts'
import { weekOf } from './week.ts'

const rates = { currency: 'EUR', perKwhMicros: 0, perMinuteMicros: 0, perSessionMicros: 0, idlePerMinuteMicros: 0 }
/** A Monday. */
const MONDAY = Date.UTC(2026, 7, 3)
const cells = (elements: readonly TariffElement[] | undefined, more = {}) =>
  weekOf({ ...rates, ...more, elements }, MONDAY).map(({ day, from, to, energyMicros, timeMicros }) => [
    day,
    from / 60,
    to / 60,
    energyMicros / 1e6,
    timeMicros / 1e6,
  ])

it('TARIFF-A3: a week has the prices at which a charge begins, day by day', () => {
  expect(cells(undefined, { perKwhMicros: 400_000, perMinuteMicros: 10_000 })).toEqual(
    [0, 1, 2, 3, 4, 5, 6].map((day) => [day, 0, 24, 0.4, 0.6]),
  )
  const week = cells([
    element([['ENERGY', 0.9]], { minKwh: 5 }),
    element([['ENERGY', 0.3]], { startTime: '22:00', endTime: '06:00', maxDuration: 600 }),
    element(
      [
        ['ENERGY', 0.4],
        ['TIME', 2],
      ],
      { dayOfWeek: ['SATURDAY', 'SUNDAY'] },
    ),
    element([['ENERGY', 0.5]], { endDate: '2026-08-04' }),
  ])
  expect(week.slice(0, 5)).toEqual([
    [0, 0, 6, 0.3, 0],
    [0, 6, 22, 0.5, 0],
    [0, 22, 24, 0.3, 0],
    [1, 0, 6, 0.3, 0],
    [1, 6, 22, 0, 0],
  ])
  expect(week.slice(-3)).toEqual([
    [6, 0, 6, 0.3, 2],
    [6, 6, 22, 0.4, 2],
    [6, 22, 24, 0.3, 2],
  ])
})
