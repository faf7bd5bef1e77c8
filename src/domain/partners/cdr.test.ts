import { expect, it } from 'vitest'
import type { FrozenTariff } from '../ports/sessions.ts'
import type { CostPart } from '../sessions/figures/cost.ts'
import { cdrsOf, type PartnersSession, periodsOf, totalOf } from './cdr.ts'

const START = Date.UTC(2026, 10, 29, 10)
const HOUR = 3_600_000
const TARIFF = {
  tariffId: 'tar_1',
  version: 3,
  currency: 'EUR',
  perKwhMicros: 450_000,
  perMinuteMicros: 10_000,
  perSessionMicros: 1_000_000,
  idlePerMinuteMicros: 50_000,
} as FrozenTariff
const SESSION: PartnersSession = {
  id: '019e0000-0000-7000-8000-0000000000ab',
  accountId: 'one',
  chargePointId: 'CP1',
  state: 'completed',
  energyMilliWh: 12_345_678,
  createdAt: START - 1000,
  startedAt: START,
  stoppedAt: START + 2 * HOUR,
  idleMs: HOUR / 2,
  version: 4,
  flags: [],
  settlementCount: 1,
  cost: { micros: 9_255_555, currency: 'EUR' },
  tariff: TARIFF,
  partner: {
    partnerId: 'p1',
    countryCode: 'NL',
    partyId: 'EMP',
    uid: 'CARD',
    type: 'RFID',
    contractId: 'NL-EMP-C1',
    authMethod: 'WHITELIST',
  },
  place: {
    locationId: 'north',
    address: 'Main Street 1',
    city: 'Hannover',
    country: 'DEU',
    coordinates: { latitude: 52, longitude: 9 },
    evseUid: 'u1',
    evseId: 'DE*PWR*E1',
    connectorId: '1',
    standard: 'IEC_62196_T2',
    format: 'SOCKET',
    powerType: 'AC_3_PHASE',
  },
}
const PARTS: readonly CostPart[] = [
  { part: 'energy', quantity: 12_345_678, priceMicros: 450_000, micros: 5_555_555 },
  { part: 'time', quantity: 2 * HOUR, priceMicros: 10_000, micros: 1_200_000 },
  { part: 'idle', quantity: HOUR / 2, priceMicros: 50_000, micros: 1_500_000 },
  { part: 'session', quantity: 1, priceMicros: 1_000_000, micros: 1_000_000 },
]
const SHORT = '019e00000000700080000000000000ab'

it.each([
  ['not settled', { settlementCount: undefined }, []],
  ['settled', {}, [[`${SHORT}-1`, undefined]]],
  ['settled, and seen again', { billed: 1 }, []],
  [
    'settled again',
    { settlementCount: 2, billed: 1 },
    [
      [`${SHORT}-1C`, `${SHORT}-1`],
      [`${SHORT}-2`, undefined],
    ],
  ],
  [
    'corrected after corrections that were not billed',
    { settlementCount: 37, billed: 35 },
    [
      [`${SHORT}-zC`, `${SHORT}-z`],
      [`${SHORT}-11`, undefined],
    ],
  ],
] as const)('OCPI-A5: a session that is %s', (_, more, expected) => {
  const made = cdrsOf({ ...SESSION, ...more }, { parts: PARTS }, START + 3 * HOUR)
  expect(made.map(({ cdrId, creditOf }) => [cdrId, creditOf])).toEqual(expected)
  for (const { cdrId, creditOf, facts, lastUpdated } of made) {
    expect(cdrId.length).toBeLessThanOrEqual(36)
    expect([facts === undefined, lastUpdated]).toEqual([creditOf !== undefined, START + 3 * HOUR])
  }
})

it('OCPI-A5: a session id of another shape makes ids of the same length, and always the same', () => {
  const [one] = cdrsOf({ ...SESSION, id: 'a session' }, { parts: PARTS }, START)
  const [same] = cdrsOf({ ...SESSION, id: 'a session' }, { parts: PARTS }, START + 1)
  expect([one?.cdrId.length, same?.cdrId]).toEqual([34, one?.cdrId])
})

it('OCPI-A5: a CDR has place, token and tariff of the start, and parts that add up to the cost', () => {
  const [cdr] = cdrsOf(SESSION, { parts: PARTS }, START)
  const { facts } = cdr ?? {}
  expect(facts).toMatchObject({ place: SESSION.place, token: SESSION.partner, tariff: TARIFF, currency: 'EUR' })
  expect(facts?.parts).toEqual({
    ENERGY: { costMicros: 5_555_555 },
    FLAT: { costMicros: 1_000_000 },
    TIME: { costMicros: 900_000 },
    PARKING_TIME: { costMicros: 1_800_000 },
  })
  const sum = Object.values(facts?.parts ?? {}).reduce((all, one) => all + one.costMicros, 0)
  expect(sum).toBe(9_255_555)
})

it('OCPI-A5: an operator who settled by hand leaves no parts', () => {
  const [cdr] = cdrsOf({ ...SESSION, costFixed: true }, { parts: PARTS }, START)
  expect(cdr?.facts).not.toHaveProperty('parts')
})

it.each([
  ['rounded to its currency', {}, { currency: 'EUR', costMicros: 9_260_000 }],
  ['of a yen', { cost: { micros: 9_500_001, currency: 'JPY' } }, { currency: 'JPY', costMicros: 10_000_000 }],
  [
    'with tax on top',
    { tariff: { ...TARIFF, taxPercent: 19 } },
    { currency: 'EUR', costMicros: 9_260_000, costInclVatMicros: 11_019_400 },
  ],
  [
    'of prices with tax in them, as costs never are',
    { tariff: { ...TARIFF, taxPercent: 19, taxIncluded: 'yes' as const } },
    { currency: 'EUR', costMicros: 9_260_000, costInclVatMicros: 11_019_400 },
  ],
  ['of nothing', { cost: undefined, tariff: undefined }, { currency: 'XXX', costMicros: 0 }],
])('OCPI-A5: a total %s', (_, more, expected) => {
  expect(totalOf({ ...SESSION, ...more })).toEqual(expected)
})

it.each([
  ['charged and parked', {}, { ENERGY: 12.345678, TIME: 1.5, PARKING_TIME: 0.5 }],
  ['only charged', { idleMs: 0 }, { ENERGY: 12.345678, TIME: 2 }],
  ['parked for longer than it took', { idleMs: 9 * HOUR }, { ENERGY: 12.345678, TIME: 0, PARKING_TIME: 2 }],
  ['took nothing', { energyMilliWh: 0, idleMs: undefined }, { TIME: 2 }],
])('OCPI-A5, TARIFF-A4: a vehicle that %s', (_, more, expected) => {
  const [period] = periodsOf({ ...SESSION, ...more }, START + 2 * HOUR)
  expect(Object.fromEntries(period?.dimensions.map(({ type, volume }) => [type, volume]) ?? [])).toEqual(expected)
})

it('OCPI-A2: the clock of a station that is ahead makes no negative time', () => {
  const [period] = periodsOf({ ...SESSION, energyMilliWh: 0 }, START - HOUR)
  expect(period?.dimensions).toEqual([{ type: 'TIME', volume: 0 }])
})

it('OCPI-A2: a session that has not begun has no periods', () => {
  expect(periodsOf({ ...SESSION, startedAt: undefined }, START)).toEqual([])
})

it('OCPI-A5, TARIFF-A2: by elements, periods and parts are those of the price', () => {
  const nothing = { netMicros: 0, grossMicros: 0 }
  const part = { netMicros: 5_000_000, grossMicros: 5_950_000 }
  const priced = {
    currency: 'EUR',
    netMicros: 9_255_555,
    grossMicros: 11_014_110,
    hasGross: true,
    parts: { energy: part, time: nothing, parking: part, fixed: nothing, reservation: nothing },
    periods: [
      { start: START, end: START + HOUR, phase: 'charging', energyMilliWh: 12_345_678, ...part },
      { start: START + HOUR, end: START + 2 * HOUR, phase: 'parking', energyMilliWh: 0, ...part },
    ],
  } as const
  const [cdr] = cdrsOf({ ...SESSION, tariff: { ...TARIFF, elements: [] } }, { parts: [], priced }, START)
  expect(cdr?.facts).toMatchObject({
    costMicros: 9_260_000,
    costInclVatMicros: 11_010_000,
    periods: [
      { startAt: START, dimensions: [{ type: 'ENERGY' }, { type: 'TIME', volume: 1 }] },
      { startAt: START + HOUR, dimensions: [{ type: 'PARKING_TIME', volume: 1 }] },
    ],
  })
  const amount = { costMicros: 5_000_000, costInclVatMicros: 5_950_000 }
  expect(cdr?.facts?.parts).toEqual({ ENERGY: amount, PARKING_TIME: amount })
})
