/** The worked examples of OCPI 2.3.0 edition 2, and what holds of every price. */
import { describe, expect, it } from 'vitest'
import {
  course,
  element,
  MINUTE,
  type Price as Priced,
  type Step,
  tariff,
} from '../../../test/support/domain/tariffs.ts'
import type { Course } from './course.ts'
import type { TariffElement } from './elements.ts'
import { type PricedTariff, priceOf } from './price.ts'

const MONDAY = '2026-08-03T09:30:00Z'
const parked = false
const reserved = (minutes: number, isExpired = false) => ({
  reservation: { start: Date.parse(MONDAY) - minutes * MINUTE, end: Date.parse(MONDAY), isExpired },
})
const inEuro = (micros: number): number => micros / 1e6

const perKwh: Priced = ['ENERGY', 0.25, 10]
const withStart = [element([['FLAT', 0.5, 20], perKwh])]
const withParking = [element([['FLAT', 0.5, 20], perKwh, ['PARKING_TIME', 2, 20, 900]])]
const [weekdays, weekend] = [
  ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY'],
  ['SATURDAY', 'SUNDAY'],
] as const
const complex = [
  element([['FLAT', 2.5, 15]]),
  element([['TIME', 1, 20, 900]], { maxCurrent: 32 }),
  element([['TIME', 2, 20, 600]], { minCurrent: 32, dayOfWeek: weekdays }),
  element([['TIME', 1.25, 20, 600]], { minCurrent: 32, dayOfWeek: weekend }),
  element([['PARKING_TIME', 5, 10, 300]], { startTime: '09:00', endTime: '18:00', dayOfWeek: weekdays }),
  element([['PARKING_TIME', 6, 10, 300]], { startTime: '10:00', endTime: '17:00', dayOfWeek: ['SATURDAY'] }),
]
const reservation = [element([['TIME', 5, 20, 60]], { reservation: 'RESERVATION' }), ...withStart]
const reservationFee = [
  element(
    [
      ['FLAT', 2, 20],
      ['TIME', 5, 20, 300],
    ],
    { reservation: 'RESERVATION' },
  ),
  ...withStart,
]
const expireFee = [
  element([['FLAT', 4, 20]], { reservation: 'RESERVATION_EXPIRES' }),
  element([['TIME', 2, 20, 600]], { reservation: 'RESERVATION' }),
  ...withStart,
]
const expireTime = [
  element([['TIME', 6, 20, 600]], { reservation: 'RESERVATION_EXPIRES' }),
  element([['TIME', 3, 20, 600]], { reservation: 'RESERVATION' }),
  ...withStart,
]
const steps = [
  element(
    [
      ['TIME', 1.2, undefined, 1800],
      ['PARKING_TIME', 1, undefined, 900],
    ],
    { startTime: '00:00', endTime: '17:00' },
  ),
  element(
    [
      ['TIME', 2.4, undefined, 900],
      ['PARKING_TIME', 1, undefined, 900],
    ],
    { startTime: '17:00', endTime: '20:00' },
  ),
  element([['TIME', 2.4, undefined, 900]], { startTime: '20:00', endTime: '00:00' }),
]
const byPower = [
  element([['ENERGY', 0.2, 20]], { maxPower: 16 }),
  element([['ENERGY', 0.35, 20]], { maxPower: 32 }),
  element([['ENERGY', 0.5, 20]]),
]
const byDuration = [
  element([['ENERGY', 0, 20]], { maxDuration: 1800 }),
  element([['ENERGY', 0.25, 20]], { maxDuration: 3600 }),
  element([['ENERGY', 0.4, 20]]),
]
const atLeast = { minPrice: { exclVatMicros: 500_000, inclVatMicros: 550_000 } }
const atMost = { maxPrice: { exclVatMicros: 10_000_000, inclVatMicros: 11_000_000 } }
const twoPrices = (prices: readonly [Priced, Priced]) => [
  element([prices[0]], { endTime: '17:00' }),
  element([prices[1]], { startTime: '17:00' }),
]

describe('TARIFF-A2: the worked examples of OCPI', () => {
  it.each<[string, readonly TariffElement[], Course, net: number, gross: number, more?: Partial<PricedTariff>]>([
    ['per kWh', [element([perKwh])], course(MONDAY, [[60, 20]]), 5, 5.5],
    ['per kWh and start', withStart, course(MONDAY, [[60, 20]]), 5.5, 6.1],
    ['a minimum that is reached', [element([perKwh])], course(MONDAY, [[60, 20]]), 5, 5.5, atLeast],
    ['a minimum', [element([perKwh])], course(MONDAY, [[60, 1.9]]), 0.5, 0.55, atLeast],
    [
      'parking in steps',
      withParking,
      course(MONDAY, [
        [60, 20],
        [40, 0, parked],
      ]),
      7,
      7.9,
    ],
    ['a maximum', withStart, course(MONDAY, [[60, 50]]), 10, 11, atMost],
    ['a maximum that is not reached', withStart, course(MONDAY, [[60, 30]]), 8, 8.85, atMost],
    [
      'per hour',
      [element([['TIME', 2, 10, 60]])],
      course(MONDAY, [
        [150, 9],
        [30, 0, parked],
      ]),
      5,
      5.5,
    ],
    ['tax that is not known', [element([['TIME', 2]])], course(MONDAY, [[150, 9]]), 5, 5],
    ['all taxes included', [element([['TIME', 2.1]])], course(MONDAY, [[150, 9]]), 5.25, 5.25, { taxIncluded: 'yes' }],
    [
      'per hour, and per hour parked',
      [
        element([
          ['TIME', 3, 10, 60],
          ['PARKING_TIME', 5, 20, 300],
        ]),
      ],
      course(MONDAY, [
        [150, 20],
        [42, 0, parked],
      ]),
      11.25,
      12.75,
    ],
    ['ad hoc', [element([['TIME', 1.9, 5.2, 300]])], course(MONDAY, [[150, 20]]), 4.75, 4.997],
    [
      'steps of 100 Wh',
      [
        element([
          ['FLAT', 0.5, 20],
          ['ENERGY', 0.25, 10, 100],
        ]),
      ],
      course(MONDAY, [[60, 20.45]]),
      5.625,
      6.2375,
    ],
    [
      'no steps',
      [
        element([
          ['FLAT', 0.5, 20],
          ['ENERGY', 0.25, 10],
        ]),
      ],
      course(MONDAY, [[60, 20.45]]),
      5.6125,
      6.22375,
    ],
    [
      'complex, on a Monday',
      complex,
      course(MONDAY, [
        [165, 9, true, { currentAmps: 16 }],
        [42, 0, parked],
      ]),
      9,
      10.3,
    ],
    [
      'complex, on a Saturday: 114 minutes are 2.375',
      complex,
      course('2026-08-01T13:30:00Z', [
        [114, 50, true, { currentAmps: 43 }],
        [71, 0, parked],
      ]),
      12.375,
      13.975,
    ],
    ['free', [element([['FLAT', 0]])], course(MONDAY, [[60, 20]]), 0, 0],
    ['reserved', reservation, course(MONDAY, [[60, 20]], reserved(15)), 6.75, 7.6],
    ['reserved, with a fee', reservationFee, course(MONDAY, [[60, 20]], reserved(13)), 8.75, 10],
    ['reserved, not expired', expireFee, course(MONDAY, [[60, 20]], reserved(22)), 6.5, 7.3],
    ['expired, with a fee', expireFee, course(MONDAY, [], reserved(60, true)), 6, 7.2],
    ['reserved by time', expireTime, course(MONDAY, [[60, 20]], reserved(22)), 7, 7.9],
    ['expired by time', expireTime, course(MONDAY, [], reserved(90, true)), 9, 10.8],
    [
      'charging, then parking at 17:05',
      steps,
      course('2026-08-03T16:55:00Z', [
        [10, 1],
        [2, 0, parked],
      ]),
      0.55,
      0.55,
    ],
    ['charging past 17:00', steps, course('2026-08-03T16:35:00Z', [[35, 1]]), 1.3, 1.3],
    [
      'parking that is free from 20:00',
      steps,
      course('2026-08-03T19:40:00Z', [
        [12, 1],
        [20, 0, parked],
      ]),
      0.73,
      0.73,
    ],
    [
      'by power',
      byPower,
      course(MONDAY, [
        [10, 1],
        [50, 40],
        [7.5, 0.5],
      ]),
      20.3,
      24.36,
    ],
    [
      'by duration',
      byDuration,
      course(MONDAY, [
        [30, 5],
        [10, 1.2],
      ]),
      0.3,
      0.36,
    ],
    ['energy 115.2 Wh in steps of 1', [element([['ENERGY', 0.25]])], course(MONDAY, [[60, 0.1152]]), 0.029, 0.029],
    ['in steps of 25', [element([['ENERGY', 0.25, undefined, 25]])], course(MONDAY, [[60, 0.1152]]), 0.03125, 0.03125],
    ['in steps of 500', [element([['ENERGY', 0.25, undefined, 500]])], course(MONDAY, [[60, 0.1152]]), 0.125, 0.125],
    [
      'a whole number of steps',
      [element([['ENERGY', 0.25, undefined, 25]])],
      course(MONDAY, [[60, 0.125]]),
      0.03125,
      0.03125,
    ],
    [
      'the step of the last parking alone',
      [
        element([
          ['TIME', 1, undefined, 600],
          ['PARKING_TIME', 2, undefined, 600],
        ]),
      ],
      course(MONDAY, [
        [21, 3],
        [16, 0, parked],
      ]),
      1.016667,
      1.016667,
    ],
    [
      'one step for energy at two prices',
      twoPrices([
        ['ENERGY', 0.2, undefined, 500],
        ['ENERGY', 0.27, undefined, 500],
      ]),
      course('2026-08-03T16:17:00Z', [
        [43, 4.3],
        [11, 1.1],
      ]),
      1.184,
      1.184,
    ],
    [
      'one step for time at two prices',
      twoPrices([
        ['TIME', 5, undefined, 600],
        ['TIME', 7, undefined, 600],
      ]),
      course('2026-08-03T16:54:00Z', [[28, 4]]),
      3.3,
      3.3,
    ],
  ])('%s', (_, elements, of, net, gross, more) => {
    const priced = priceOf(tariff(elements, more), of)
    expect([inEuro(priced.netMicros), inEuro(priced.grossMicros)]).toEqual([net, gross])
  })
})

describe('TARIFF-A2: what applies when', () => {
  it.each<[string, readonly TariffElement[], readonly Step[], euro: number]>([
    [
      'a threshold of energy splits a piece',
      [
        element([['ENERGY', 0]], { maxKwh: 5 }),
        element([
          ['ENERGY', 0.4],
          ['TIME', 6],
        ]),
      ],
      [[60, 20]],
      // 15 of 60 minutes are below it, so 45 cost time.
      6 + 6,
    ],
    ['of several the first', [element([['ENERGY', 0.1]]), element([['ENERGY', 0.2]])], [[60, 10]], 1],
    [
      'of each dimension the first',
      [
        element([['TIME', 1]]),
        element([
          ['TIME', 2],
          ['ENERGY', 0.2],
        ]),
      ],
      [[60, 10]],
      3,
    ],
    ['the start once', [element([['FLAT', 1]], { maxDuration: 600 }), element([['FLAT', 5]])], [[60, 10]], 1],
    ['nothing where no element does', [element([['ENERGY', 1]], { minKwh: 100 })], [[60, 10]], 0],
    [
      'a duration counts from the start, also for parking',
      [element([['PARKING_TIME', 6]], { minDuration: 5400 })],
      [
        [60, 10],
        [60, 0, parked],
      ],
      3,
    ],
    [
      'charging again after parking has the step of its own',
      [
        element([
          ['TIME', 6, undefined, 600],
          ['PARKING_TIME', 1, undefined, 3600],
        ]),
      ],
      [
        [3, 1],
        [30, 0, parked],
        [3, 1],
      ],
      1.5,
    ],
  ])('%s', (_, elements, stepsOf, euro) => {
    expect(inEuro(priceOf(tariff(elements), course(MONDAY, stepsOf)).netMicros)).toBe(euro)
  })

  it.each<[string, Partial<PricedTariff>, Priced, net: number, gross: number]>([
    ['prices with tax', { taxIncluded: 'yes' }, ['ENERGY', 0.6, 20], 5, 6],
    ['no tax applies', { taxIncluded: 'n/a' }, ['ENERGY', 0.5, 20], 5, 5],
    [
      'a net limit takes the gross amount along',
      { maxPrice: { exclVatMicros: 2_500_000 } },
      ['ENERGY', 0.5, 20],
      2.5,
      3,
    ],
    ['and a gross limit the net one', { minPrice: { inclVatMicros: 12_000_000 } }, ['ENERGY', 0.5, 20], 10, 12],
    ['also of nothing', { minPrice: { exclVatMicros: 1_000_000 } }, ['ENERGY', 0, 20], 1, 1.2],
  ])('TARIFF-A5: %s', (_, more, price, net, gross) => {
    const priced = priceOf(tariff([element([price])], more), course(MONDAY, [[60, 10]]))
    expect([inEuro(priced.netMicros), inEuro(priced.grossMicros)]).toEqual([net, gross])
  })
})
