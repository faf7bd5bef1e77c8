/** docs/price-by-time-of-day.md and docs/publish-to-the-access-point.md: their commands and settings as they stand. */
import { expect, it } from 'vitest'
import { commandsOf, jsonFor } from './documents.ts'
import { houseOfFile, until } from './house.ts'

const TOKEN = 'token-of-the-access-point-0123456789'
const [put, check = '', settings = ''] = commandsOf('docs/publish-to-the-access-point.md')
const house = await houseOfFile(
  Object.fromEntries(
    [...settings.matchAll(/export (\w+)=(\S+)/g)].map(([, name, value]) => [name, value === '…' ? TOKEN : value]),
  ),
)

it('TARIFF-A1, TARIFF-A3: the page makes a tariff by time of day, and quotes by it', async () => {
  const [make, quote = ''] = commandsOf('docs/price-by-time-of-day.md')
  const { id } = await jsonFor<{ readonly id: string }>(house, make)
  // Half an hour before 20 o'clock at the location, and an hour behind it.
  expect(await jsonFor(house, quote.replace('…', id))).toMatchObject({
    cost: 10.5,
    costInclVat: 12.5,
    chargingPeriods: [
      { dimensions: [{ type: 'ENERGY', volume: 10 }, {}], cost: 4.5 },
      { start: '2026-03-02T19:00:00.000Z', dimensions: [{ type: 'ENERGY', volume: 20 }, {}], cost: 6 },
    ],
  })
})

it('AFIR-A1, AFIR-A3: the page publishes a location, and its settings let the access point read it', async () => {
  await house.request('POST', '/2/evse-controllers', { id: 'NORTH-1' })
  expect(await jsonFor(house, put)).toMatchObject({ id: 'north', publish: true, evses: [{ status: 'PLANNED' }] })
  const read = (headers = {}) => fetch(`${house.url}/afir/table`, { headers })
  expect((await read()).status).toBe(401)
  const table = async () => (await read({ authorization: `Bearer ${TOKEN}` })).text()
  await until(async () => (await table()).includes('DE*PWR*E1'))
  expect(check.trim()).toBe('pilotwire afir check')
  await expect(house.cli([...check.trim().split(' ').slice(1), '--json'])).rejects.toThrow(/ended with 1: $/)
})
