/** Local lists of odd versions, and of cards whose budget is used up, at charge points of both versions. */
import { expect, it } from 'vitest'
import { houseOfFile, until } from './house.ts'
import { Listing } from './listing.ts'
import { bootStation, type Station } from './station.ts'

const house = await houseOfFile()

const station = (id: string, protocol: 'ocpp1.6' | 'ocpp2.0.1', listing: Listing): Promise<Station> =>
  bootStation(house.ocppUrl, id, protocol, listing)

it('LIST-A11: a card whose budget is used up was accepted offline: it is listed as such, until it is raised', async () => {
  const [old, recent] = [new Listing(), new Listing()]
  const first = await station('SPENT-1', 'ocpp1.6', old)
  await station('SPENT-2', 'ocpp2.0.1', recent)
  const budget = { energyKwh: 1, per: 'total' }
  for (const id of ['SPENDS', 'SAVES']) await house.request('POST', '/2/id-tokens', { id, budget })
  const list = { selector: { ids: ['SPENT-1', 'SPENT-2'] }, tokens: { ids: ['SPENDS', 'SAVES'] } }
  expect((await house.request('PUT', '/2/local-lists/spent', list)).status).toBe(201)
  await until(() => old.cards.get('SPENDS') === 'Accepted' && recent.cards.get('SPENDS') === 'Accepted')
  const timestamp = new Date().toISOString()
  const start = { connectorId: 1, idTag: 'SPENDS', meterStart: 0, timestamp }
  const { transactionId } = await first.ask('StartTransaction', start)
  // Its last message uses it up: nobody is asked again.
  await first.ask('StopTransaction', { transactionId, idTag: 'SPENDS', meterStop: 1500, timestamp })
  await until(() => old.cards.get('SPENDS') === 'Blocked' && recent.cards.get('SPENDS') === 'NoCredit')
  expect([old.cards.get('SAVES'), recent.cards.get('SAVES')]).toEqual(['Accepted', 'Accepted'])
  await house.request('PATCH', '/2/id-tokens/SPENDS', { budget: { ...budget, energyKwh: 2 } })
  await until(() => old.cards.get('SPENDS') === 'Accepted' && recent.cards.get('SPENDS') === 'Accepted')
  expect((await house.request('DELETE', '/2/local-lists/spent')).status).toBe(204)
})

it('LIST-A3: a list was sent with a version of more than 31 bits: it begins again, and whole', async () => {
  const listing = new Listing()
  listing.version = 2 ** 31 - 2
  await station('LAST', 'ocpp2.0.1', listing)
  await house.request('POST', '/2/id-tokens', { id: 'WRAPS' })
  const list = { selector: { ids: ['LAST'] }, tokens: { ids: ['WRAPS'] } }
  expect((await house.request('PUT', '/2/local-lists/last', list)).status).toBe(201)
  await until(() => listing.version === 2 ** 31 - 1)
  await house.request('PATCH', '/2/id-tokens/WRAPS', { status: 'Blocked' })
  await until(() => listing.cards.get('WRAPS') === 'Blocked')
  expect(listing.version).toBe(1)
  await house.request('PATCH', '/2/id-tokens/WRAPS', { status: 'Accepted' })
  await until(() => listing.cards.get('WRAPS') === 'Accepted')
  const last = String(2 ** 31 - 1)
  expect(listing.updates.slice(1)).toEqual(['Full 1', `version? ${last}`, 'Full 1', 'Differential 1'])
  expect((await house.request('DELETE', '/2/local-lists/last')).status).toBe(204)
  expect((await house.request('DELETE', '/2/id-tokens/WRAPS')).status).toBe(204)
})

it.each([
  ['ocpp1.6', 'SendLocalListMaxLength'],
  ['ocpp2.0.1', 'ItemsPerMessage'],
] as const)(
  'LIST-A3: a list left before anybody knew how much %s takes: twenty cards to one that takes five',
  async (protocol, key) => {
    const [small, silent] = [new Listing(), new Listing()]
    small.values = { [key]: '5' }
    const ids = Array.from({ length: 12 }, (_, n) => `${protocol.slice(-3)}-${n}`)
    for (const id of ids) await house.request('POST', '/2/id-tokens', { id })
    await station(`SMALL-${protocol}`, protocol, small)
    await station(`SILENT-${protocol}`, protocol, silent)
    const list = { selector: { ids: [`SMALL-${protocol}`, `SILENT-${protocol}`] }, tokens: { ids } }
    expect((await house.request('PUT', '/2/local-lists/small', list)).status).toBe(201)
    await until(() => small.cards.size === 12 && silent.cards.size === 12)
    expect(small.updates).toEqual(['version? 0', 'Full 5', 'Differential 5', 'Differential 2'])
    expect(silent.updates).toEqual(['version? 0', 'Full 12'])
    expect((await house.request('DELETE', '/2/local-lists/small')).status).toBe(204)
    for (const id of ids) await house.request('DELETE', `/2/id-tokens/${id}`)
  },
)
