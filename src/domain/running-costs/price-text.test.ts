import { expect, it } from 'vitest'
import { aTariff } from '../../../test/support/records.ts'
import type { FrozenTariff } from '../ports/sessions.ts'
import { withPrice } from './rules.ts'

const tariff = (more: Partial<FrozenTariff>): FrozenTariff =>
  aTariff({ perKwhMicros: 350_000, perSessionMicros: 1_000_000, ...more })
const shows = { tariffAvailable: 1 }
const accepted = { status: 'Accepted' } as const

it.each([
  ['energy and a fee', tariff({}), 'en', '0.35 EUR/kWh + 1.00 EUR'],
  [
    'all of it',
    tariff({ perMinuteMicros: 12_500, idlePerMinuteMicros: 100_000 }),
    'de-AT',
    '0.35 EUR/kWh + 0.0125 EUR/min + 1.00 EUR + Standzeit 0.10 EUR/min',
  ],
  ['nothing', tariff({ perKwhMicros: 0, perSessionMicros: 0 }), undefined, '0.00 EUR'],
] as const)('DRIVER-C4: %s is one line', (_, of, language, text) => {
  expect(withPrice(accepted, shows, of, language)).toMatchObject({ price: { text } })
})

it.each([
  ['does not say that it shows tariffs', accepted, {}, tariff({})],
  ['has that switched off', accepted, { tariffAvailable: 1, tariffEnabled: 0 }, tariff({})],
  ['has no tariff', accepted, shows, undefined],
  ['refuses the card', { status: 'Blocked' } as const, shows, tariff({})],
])('DRIVER-C4: no price where the charge point %s', (_, authorisation, limits, of) => {
  expect(withPrice(authorisation, limits, of)).toEqual(authorisation)
})
