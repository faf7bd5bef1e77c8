/** Prices by the wall clock: midnight, weekdays, and the days on which the clock is set. */
import { describe, expect, it } from 'vitest'
import { BERLIN, course, element, type Step, tariff } from '../../../test/support/domain/tariffs.ts'
import type { TariffElement } from './elements.ts'
import { priceOf } from './price.ts'

const inEuro = (micros: number): number => micros / 1e6
const night = [element([['ENERGY', 0.2]], { startTime: '22:00', endTime: '06:00' }), element([['ENERGY', 0.5]])]

describe('TARIFF-A2: local time', () => {
  it.each<[string, readonly TariffElement[], string, Step, euro: number]>([
    ['past midnight', night, '2026-08-03T21:30:00Z', [60, 6], 1.2],
    ['until 06:00', night, '2026-08-04T03:30:00Z', [60, 6], 2.1],
    ['the day that the clock is set forward has one hour less', night, '2026-03-28T21:00:00Z', [480, 8], 1.9],
    ['the day that it is set back has one more', night, '2026-10-24T20:00:00Z', [600, 10], 2.3],
    [
      'the hour that comes twice counts twice',
      [element([['ENERGY', 1]], { startTime: '02:00', endTime: '03:00' })],
      '2026-10-24T22:00:00Z',
      [360, 6],
      2,
    ],
    [
      'the hour that is left out never comes',
      [element([['ENERGY', 1]], { startTime: '02:00', endTime: '03:00' })],
      '2026-03-28T22:00:00Z',
      [360, 6],
      0,
    ],
    [
      'a weekday is the local one',
      [element([['ENERGY', 1]], { dayOfWeek: ['TUESDAY'] })],
      '2026-08-03T21:00:00Z',
      [120, 2],
      1,
    ],
    [
      'the last date is not included',
      [element([['ENERGY', 1]], { startDate: '2026-08-03', endDate: '2026-08-04' })],
      '2026-08-03T21:00:00Z',
      [120, 2],
      1,
    ],
    [
      '00:00 is the end of the day',
      [element([['ENERGY', 1]], { startTime: '23:00', endTime: '00:00' })],
      '2026-08-03T20:00:00Z',
      [180, 3],
      1,
    ],
    ['so is none', [element([['ENERGY', 1]], { startTime: '23:00' })], '2026-08-03T20:00:00Z', [180, 3], 1],
  ])('%s', (_, elements, from, step, euro) => {
    expect(inEuro(priceOf(tariff(elements), course(from, [step], { timeZone: BERLIN })).netMicros)).toBe(euro)
  })
})
