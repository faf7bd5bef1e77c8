/** Local lists of thousands of cards, and of cards whose budget is used up, at charge points of both versions. */
import { afterAll, expect, it } from 'vitest'
import { openHouse, until } from './house.ts'
import { Listing } from './listing.ts'
import { bootStation, type Station } from './station.ts'

const CARDS = 5000
/** The two of the first test: a list of all cards holds them as well. */
const LISTED = CARDS + 2

const stations: Station[] = []

const house = await openHouse()
afterAll(async () => {
  for (const station of stations) await station.close()
  await house.closeClean()
})

async function station(id: string, protocol: 'ocpp1.6' | 'ocpp2.0.1', listing: Listing): Promise<Station> {
  const made = await bootStation(house.ocppUrl, id, protocol, listing)
  stations.push(made)
  return made
}

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

it('LIST-A3, LIST-A10: five thousand cards go to a charge point that takes a hundred per call, and only if it has room', async () => {
  const ids = Array.from({ length: CARDS }, (_, n) => `C${String(n).padStart(5, '0')}`)
  for (let from = 0; from < CARDS; from += 1000) {
    const csv = ['id,status', ...ids.slice(from, from + 1000).map((id) => `${id},Accepted`)].join('\n')
    expect((await house.request('POST', '/2/id-token-imports', { csv })).status).toBe(200)
  }
  const [large, full] = [new Listing(), new Listing()]
  large.values = { LocalAuthListMaxLength: '6000', SendLocalListMaxLength: '100' }
  full.values = { LocalAuthListMaxLength: '4999', SendLocalListMaxLength: '100' }
  await station('LARGE', 'ocpp1.6', large)
  await station('FULL', 'ocpp1.6', full)
  for (const id of ['LARGE', 'FULL']) {
    await house.request('POST', `/2/evse-controllers/${id}/reports`, { base: 'FullInventory' })
  }
  const put = (selector: object) => house.request('PUT', '/2/local-lists/fleet', { selector, tokens: 'all' })
  await until(async () => (await put({ ids: ['FULL'] })).status === 422)
  expect((await put({ ids: ['FULL', 'LARGE'] })).body.detail).toContain('FULL takes 4999')
  expect(full.cards.size).toBe(0)

  expect((await put({ ids: ['LARGE'] })).status).toBe(201)
  await until(() => large.cards.size === LISTED)
  await until(async () => (await house.request('GET', '/2/local-lists/fleet/status')).body.counts !== undefined)
  expect(large.updates).toEqual([
    'version? 0',
    'Full 100',
    ...Array.from({ length: 49 }, () => 'Differential 100'),
    'Differential 2',
  ])
  expect(ids.filter((id) => large.cards.get(id) !== 'Accepted')).toEqual([])

  // One of them is blocked: one entry goes out.
  large.updates.length = 0
  await house.request('PATCH', `/2/id-tokens/${ids[4321]}`, { status: 'Blocked' })
  await until(() => large.cards.get(ids[4321] ?? '') === 'Blocked')
  expect(large.updates).toEqual(['Differential 1'])
})
