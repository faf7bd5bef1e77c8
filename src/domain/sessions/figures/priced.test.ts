/** Sessions by tariffs with elements, limits and tax, and where the tariff comes from. */
import { describe, expect, it } from 'vitest'
import { Driver, type DriverOptions, MINUTE, TARIFF, ZERO } from '../../../../test/support/sessions/driver.ts'
import { event, register, sampled, started, status, stopped } from '../../../../test/support/sessions/inputs.ts'
import type { FrozenTariff } from '../../ports/sessions.ts'
import type { PriceComponent, TariffRestrictions } from '../../tariffs/elements.ts'
import { netLimits } from '../../tax.ts'
import { sessionDetails } from './details.ts'

const component = (type: PriceComponent['type'], price: number, stepSize = 1): PriceComponent => ({
  type,
  priceMicros: price * 1e6,
  vat: 19,
  stepSize,
})
const element = (components: readonly PriceComponent[], restrictions?: TariffRestrictions) => ({
  priceComponents: components,
  restrictions,
})
const FREE = { ...TARIFF, perKwhMicros: 0, perMinuteMicros: 0, perSessionMicros: 0, idlePerMinuteMicros: 0 }
/** The zero of the tests is 12:00 in Berlin. */
const byTime: FrozenTariff = {
  ...FREE,
  taxPercent: 19,
  elements: [
    element([component('ENERGY', 0.2)], { startTime: '12:30' }),
    element([component('FLAT', 1), component('ENERGY', 0.5), component('PARKING_TIME', 6, 600)]),
  ],
}
const settings = { timeZone: 'Europe/Berlin' }

function charged(options: DriverOptions, more: readonly (readonly [number, Parameters<Driver['send']>[0]])[] = []) {
  const driver = new Driver({ idTokens: [{}], settings, ...options })
  const samples = [20, 40].map((minutes) => [minutes, sampled('100', [register(minutes, minutes * 500)])] as const)
  const stop = [60, stopped(60, { transactionId: '100', registerMilliWh: 20_000_000 })] as const
  const all = [[0, started(0)] as const, ...samples, ...more, stop].sort((a, b) => a[0] - b[0])
  for (const [minutes, input] of all) driver.sendAt(minutes, input)
  const session = driver.session()
  const details = sessionDetails(session, driver.transaction() as never, driver.now)
  return { driver, session, details, cost: (session.cost?.micros ?? 0) / 1e6 }
}

describe('TARIFF-A2: a session by elements', () => {
  it('is divided at the local hour, and its periods add up to its cost', () => {
    const { cost, details, session } = charged({ tariff: byTime })
    // 15 of 20 kWh before 12:30, by the samples around it.
    expect(cost).toBe(1 + 7.5 + 1)
    expect(session.tariff?.timeZone).toBe('Europe/Berlin')
    expect(details.chargingPeriods).toEqual([
      {
        start: '2026-08-01T10:00:00.000Z',
        dimensions: [
          { type: 'ENERGY', volume: 15 },
          { type: 'TIME', volume: 0.5 },
        ],
        cost: 8.5,
      },
      {
        start: '2026-08-01T10:30:00.000Z',
        dimensions: [
          { type: 'ENERGY', volume: 5 },
          { type: 'TIME', volume: 0.5 },
        ],
        cost: 1,
      },
    ])
    expect(details.costInclVat).toBe(11.3)
  })

  it('has a cost while it runs, which never falls', () => {
    const driver = new Driver({ idTokens: [{}], settings, tariff: byTime })
    const seen = [started(0), ...[10, 20, 31, 45].map((at) => sampled('100', [register(at, at * 500)]))].map(
      (input, at) => {
        driver.sendAt([0, 10, 20, 31, 45][at] ?? 0, input)
        return (driver.session().cost?.micros ?? 0) / 1e6
      },
    )
    expect(seen).toEqual([1, 3.5, 6, 8.6, 10])
  })

  it('TARIFF-A4: parking is what the vehicle suspends, in steps; a pause of the EVSE is charging', () => {
    const suspended = (name: string) => charged({ tariff: byTime }, [[45, status(45, name)]])
    // 15 minutes are 20 in steps of 10; from 12:30 on nothing but the second element has a price for them.
    expect(suspended('SuspendedEV').cost).toBe(9.5 + 2)
    expect(suspended('SuspendedEVSE').cost).toBe(9.5)
    const { details } = suspended('SuspendedEV')
    const hours = (type: string) =>
      details.chargingPeriods?.reduce(
        (sum, { dimensions }) => sum + (dimensions.find((one) => one.type === type)?.volume ?? 0),
        0,
      )
    expect([hours('TIME'), hours('PARKING_TIME'), hours('ENERGY')]).toEqual([0.75, 0.25, 20])
  })

  it('keeps few points of a long charge', () => {
    const driver = new Driver({ idTokens: [{}], settings, tariff: byTime })
    driver.sendAt(0, started(0))
    for (let at = 1; at <= 400; at++) driver.sendAt(at, sampled('100', [register(at, at * 100)]))
    expect(driver.transaction().course?.length).toBeLessThanOrEqual(128)
    expect((driver.session().cost?.micros ?? 0) / 1e6).toBeCloseTo(1 + 1.5 + 37 * 0.2, 4)
    const simple = charged({ tariff: TARIFF })
    expect(simple.driver.transaction().course).toBeUndefined()
  })

  it('of no accepted user costs its energy alone', () => {
    const driver = new Driver({ settings, tariff: byTime })
    driver.sendAt(0, event(0, 0, 'started', { evseId: 1, idToken: { id: 'UNKNOWN', type: 'ISO14443' } }))
    driver.sendAt(20, event(1, 20, 'updated', { activity: 'charging', samples: [register(20, 2000)] }))
    driver.sendAt(25, event(2, 25, 'ended', { samples: [register(25, 4000)] }))
    expect(driver.session().cost?.micros).toBeLessThanOrEqual(2_000_000)
  })
})

it.each<[string, Partial<FrozenTariff>, cost: number, gross: number | undefined]>([
  ['net', {}, 10, undefined],
  ['net, with a rate', { vat: 19, taxPercent: 19 }, 10, 11.9],
  ['gross', { perKwhMicros: 595_000, vat: 19, taxPercent: 19, taxIncluded: 'yes' }, 10, 11.9],
  ['without tax', { taxIncluded: 'n/a', taxPercent: 0 }, 10, 10],
  ['at most', { maxPrice: { exclVatMicros: 7_000_000 } }, 7, undefined],
  ['at least, with tax', { vat: 19, taxPercent: 19, minPrice: { inclVatMicros: 23_800_000 } }, 20, 23.8],
])('TARIFF-A5: simple prices %s', (_, more, cost, gross) => {
  const charge = charged({ tariff: { ...FREE, perKwhMicros: 500_000, ...more } })
  expect([charge.cost, charge.details.costInclVat]).toEqual([cost, gross])
  expect(charge.details.chargingPeriods?.reduce((sum, one) => sum + one.cost, 0)).toBe(cost)
})

it.each<[string, FrozenTariff | undefined, expected: number | undefined]>([
  ['of a known rate', { ...TARIFF, taxPercent: 19 }, 10_000_000],
  ['of no known rate', TARIFF, 11_900_000],
  [
    'of several rates the highest',
    { ...FREE, elements: [element([{ ...component('ENERGY', 0.5), vat: 7 }, component('FLAT', 1)])] },
    10_000_000,
  ],
  ['where none applies', { ...byTime, taxIncluded: 'n/a', taxPercent: 0 }, 11_900_000],
  ['of no tariff', undefined, 11_900_000],
])('TARIFF-A5: the limit of a payment, with tax, %s', (_, tariff, expected) => {
  expect(netLimits({ costMicros: 11_900_000 }, tariff).costMicros).toBe(expected)
})

describe('TARIFF-A1: what a connector names goes before all others', () => {
  const named = { ...FREE, tariffId: 'named', perKwhMicros: 100_000 }
  const place = (ocppEvseId: number | undefined, connectorId: string, tariffs: readonly FrozenTariff[]) => ({
    ocppEvseId,
    connectorId,
    timeZone: 'America/New_York',
    tariffs,
  })
  it.each<[string, DriverOptions['places'], tariffId: string]>([
    ['its connector', [place(2, '1', []), place(1, '1', [named])], 'named'],
    ['the whole charge point', [place(undefined, '1', [named])], 'named'],
    ['of several the first', [place(1, '1', [named, TARIFF])], 'named'],
    ['another EVSE', [place(2, '1', [named])], 'tariff'],
    ['none', [place(1, '1', [])], 'tariff'],
    ['the connector of its number', [place(undefined, '2', [TARIFF]), place(undefined, '1', [named])], 'named'],
  ])('%s', (_, places, tariffId) => {
    expect(charged({ tariff: TARIFF, places }).session.tariff?.tariffId).toBe(tariffId)
  })

  it('a card’s own goes before it, also where the card is shown after the cable', () => {
    const own = { ...FREE, tariffId: 'own', perKwhMicros: 300_000 }
    const places = [place(1, '1', [named])]
    const options = { idTokens: [{ tariff: own }], places }
    expect(charged({ ...options, tariff: TARIFF }).session.tariff?.tariffId).toBe('own')
    const driver = new Driver(options)
    driver.sendAt(0, event(0, 0, 'started', { evseId: 1, samples: [register(0, 0)] }))
    expect(driver.session().tariff?.tariffId).toBe('named')
    driver.sendAt(1, event(1, 1, 'updated', { idToken: { id: 'CARD', type: 'ISO14443' }, activity: 'charging' }))
    expect(driver.session().tariff).toMatchObject({ tariffId: 'own', isOfDriver: true })
    driver.sendAt(20, event(2, 20, 'ended', { samples: [register(20, 10_000)] }))
    expect(driver.session().cost?.micros).toBe(3_000_000)
  })

  it('its elements are those of the local time there', () => {
    const places = [place(1, '1', [byTime])]
    const { cost, session } = charged({ tariff: TARIFF, places })
    expect(session.tariff?.timeZone).toBe('America/New_York')
    // 06:00 there: all of it before 12:30.
    expect(cost).toBe(11)
  })
})

it('TARIFF-A2: a session keeps the version that it began with', () => {
  const driver = new Driver({ idTokens: [{}], settings, tariff: byTime })
  driver.sendAt(0, started(0))
  expect(driver.session().tariff).toMatchObject({ version: 1, elements: byTime.elements })
  expect(driver.session().startedAt).toBe(ZERO)
  expect(MINUTE).toBe(60_000)
})
