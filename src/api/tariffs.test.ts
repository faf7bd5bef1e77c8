/** Tariffs with elements: kept, replaced, quoted and shown (TARIFF-A1, TARIFF-A3). */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startApi, type TestApi } from '../../test/support/api/testing.ts'
import { addTariffRoutes } from './network/tariffs.ts'

interface Tariff {
  readonly id: string
  readonly default?: boolean
  readonly [member: string]: unknown
}
const night = {
  priceComponents: [{ type: 'ENERGY', price: 0.3, vat: 19, stepSize: 1 }],
  restrictions: { startTime: '22:00', endTime: '06:00' },
}
const day = {
  priceComponents: [
    { type: 'ENERGY', price: 0.5, vat: 19, stepSize: 1 },
    { type: 'PARKING_TIME', price: 6, vat: 19, stepSize: 60 },
  ],
}
const elements = [night, day]

let api: TestApi
beforeAll(async () => {
  api = await startApi({ parts: { extraEndpoints: [addTariffRoutes] } })
})
afterAll(() => api.close())

async function made(body: object, status = 201): Promise<Tariff> {
  const answer = await api.call('POST', '/2/tariffs', body)
  expect(answer.status).toBe(status)
  return answer.json<Tariff>()
}

it('TARIFF-A1: elements come back as they were sent, and many stand beside the simple prices', async () => {
  const first = await made({ currency: 'EUR', elements, taxIncluded: 'no', maxPrice: { exclVat: 20 }, type: 'REGULAR' })
  expect(first).toMatchObject({ elements, taxIncluded: 'no', maxPrice: { exclVat: 20 }, type: 'REGULAR' })
  expect(first).not.toHaveProperty('perKwh')
  api.clock.advance(1000)
  const second = await made({ currency: 'EUR', perKwh: 0.4 })
  const third = await made({ currency: 'EUR', perKwh: 0.4, name: 'Staff' })
  await made({ currency: 'EUR', perKwh: 0.4 }, 409)
  const taken = await api.call('PUT', `/2/tariffs/${third.id}`, { currency: 'EUR', perKwh: 0.1 })
  expect(taken.status).toBe(409)
  const { data } = await api.get<{ data: readonly Tariff[] }>('/2/tariffs')
  expect(data.filter((one) => one.default).map(({ id }) => id)).toEqual([first.id])
  const whole = await api.call('PUT', `/2/tariffs/${first.id}`, { currency: 'EUR', name: 'Plain', perKwh: 0.2 })
  expect(await whole.json()).toMatchObject({ name: 'Plain', perKwh: 0.2, version: 2 })
  const shown = await api.get<Tariff>(`/2/tariffs/${first.id}`)
  expect(shown).not.toHaveProperty('elements')
  expect(shown).not.toHaveProperty('maxPrice')
  for (const { id } of [first, second, third]) await api.call('DELETE', `/2/tariffs/${id}`)
})

it.each<[string, object, pointer: string]>([
  ['neither prices nor elements', {}, '/perKwh'],
  ['both', { perKwh: 0.1, elements }, '/perKwh'],
  ['a tax of its own beside elements', { vat: 19, elements }, '/vat'],
  ['a limit of nothing, which partners read as 0', { perKwh: 0.1, maxPrice: {} }, '/maxPrice'],
  ['no components', { elements: [{ priceComponents: [] }] }, '/elements/0/priceComponents'],
  [
    'energy of a reservation',
    { elements: [{ ...day, restrictions: { reservation: 'RESERVATION' } }] },
    '/elements/0/priceComponents/0/type',
  ],
  [
    'a dimension twice',
    { elements: [{ priceComponents: [...night.priceComponents, ...night.priceComponents] }] },
    '/elements/0/priceComponents/1/type',
  ],
  [
    'a time that is none',
    { elements: [{ ...day, restrictions: { startTime: '24:00' } }] },
    '/elements/0/restrictions/startTime',
  ],
  [
    'a step of nothing',
    { elements: [{ priceComponents: [{ type: 'ENERGY', price: 1, stepSize: 0 }] }] },
    '/elements/0/priceComponents/0/stepSize',
  ],
  ...Object.entries({
    endDate: { startDate: '2026-03-30', endDate: '2026-03-01' },
    maxKwh: { minKwh: 10, maxKwh: 5 },
    maxCurrent: { minCurrent: 16, maxCurrent: 16 },
    maxPower: { minPower: 50, maxPower: 11 },
    maxDuration: { minDuration: 3600, maxDuration: 60 },
  }).map(([name, restrictions]): [string, object, string] => [
    `a ${name} that leaves nothing`,
    { elements: [{ ...day, restrictions }] },
    `/elements/0/restrictions/${name}`,
  ]),
])('TARIFF-A1: %s is refused', async (_, body, pointer) => {
  const answer = await api.call('POST', '/2/tariffs', { currency: 'EUR', ...body })
  expect(answer.status).toBe(400)
  expect((await answer.json()).errors?.map((one) => one.pointer)).toContain(pointer)
})

it('TARIFF-A3: a reservation that is not over before the charge is refused', async () => {
  const { id: tariffId } = await made({ currency: 'EUR', elements })
  const [start, end] = ['2026-08-03T19:00:00Z', '2026-08-03T21:00:00Z']
  const reservation = { start: '2026-08-03T18:30:00Z', end: '2026-08-03T19:30:00Z' }
  const asked = { tariffId, start, end, energyKwh: 20, reservation }
  const refused = await api.call('POST', '/2/tariffs/quote', asked)
  expect([refused.status, (await refused.json()).errors?.[0]?.pointer]).toEqual([400, '/reservation/end'])
  const expired = { ...asked, reservation: { ...reservation, expired: true } }
  expect((await api.call('POST', '/2/tariffs/quote', expired)).status).toBe(200)
})

it('TARIFF-A3: a quote has periods that add up to its cost', async () => {
  const { id: tariffId } = await made({ currency: 'EUR', elements })
  const asked = { tariffId, start: '2026-08-03T19:00:00Z', end: '2026-08-03T21:00:00Z', timeZone: 'Europe/Berlin' }
  const quoted = await api.call('POST', '/2/tariffs/quote', { ...asked, energyKwh: 20 })
  expect(await quoted.json()).toEqual({
    currency: 'EUR',
    cost: 8,
    costInclVat: 9.52,
    chargingPeriods: [
      {
        start: '2026-08-03T19:00:00.000Z',
        cost: 5,
        dimensions: [
          { type: 'ENERGY', volume: 10 },
          { type: 'TIME', volume: 1 },
        ],
      },
      {
        start: '2026-08-03T20:00:00.000Z',
        cost: 3,
        dimensions: [
          { type: 'ENERGY', volume: 10 },
          { type: 'TIME', volume: 1 },
        ],
      },
    ],
  })
  const periods = [{ start: asked.start, end: '2026-08-03T20:00:00Z', energyKwh: 1, charging: true }]
  const parked = await api.call('POST', '/2/tariffs/quote', { ...asked, timeZone: 'UTC', periods })
  expect(await parked.json()).toMatchObject({ cost: 6.5, chargingPeriods: [{ cost: 0.5 }, { cost: 6 }] })
  for (const [wrong, pointer] of [
    [{}, '/energyKwh'],
    [{ periods, energyKwh: 2 }, '/energyKwh'],
    [{ energyKwh: 1, end: '2026-08-03T18:00:00Z' }, '/end'],
    [{ periods: [...periods, ...periods] }, '/periods/1/start'],
    [{ periods: [{ ...periods[0], end: '2026-08-04T20:00:00Z' }] }, '/periods/0/end'],
  ] as const) {
    const refused = await api.call('POST', '/2/tariffs/quote', { ...asked, ...wrong })
    expect((await refused.json()).errors?.map((one) => one.pointer)).toEqual([pointer])
  }
  expect((await api.call('POST', '/2/tariffs/quote', { ...asked, energyKwh: 1, tariffId: 'none' })).status).toBe(404)
  const shown = await api.get<{ prices: readonly object[]; taxIncluded: string; texts: readonly object[] }>(
    `/2/tariffs/${tariffId}/public`,
  )
  expect(shown).toMatchObject({
    taxIncluded: 'yes',
    prices: [
      { unit: 'kWh', price: 0.357, vat: 19, restrictions: night.restrictions },
      { unit: 'kWh', price: 0.595, vat: 19 },
      { unit: 'parkedMinute', price: 0.119, vat: 19 },
    ],
    texts: [{ language: 'en' }, { language: 'de' }],
  })
  await api.call('DELETE', `/2/tariffs/${tariffId}`)
})

it('TARIFF-A3: simple prices are quoted as they are charged', async () => {
  const { id: tariffId } = await made({
    currency: 'EUR',
    perKwh: 0.595,
    perMinute: 0.119,
    idlePerMinute: 1.19,
    vat: 19,
    taxIncluded: 'yes',
  })
  const periods = [
    { start: '2026-08-03T19:00:00Z', end: '2026-08-03T19:10:00Z', energyKwh: 2, charging: true },
    { start: '2026-08-03T19:10:00Z', end: '2026-08-03T19:20:00Z', energyKwh: 0, charging: false },
  ]
  const quoted = await api.call('POST', '/2/tariffs/quote', {
    tariffId,
    start: '2026-08-03T19:00:00Z',
    end: '2026-08-03T19:20:00Z',
    periods,
  })
  expect(await quoted.json()).toMatchObject({
    cost: 13,
    costInclVat: 15.47,
    chargingPeriods: [{ cost: 2 }, { cost: 11 }],
  })
})
