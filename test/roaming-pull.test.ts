/** What partners and the public pull: locations, tariffs and CDRs over OCPI, from real stations. */
import { afterAll, expect, it } from 'vitest'
import { type Json, until } from './house.ts'
import { roamingHouse } from './roaming-house.ts'
import { startProvider } from './roaming-partner.ts'
import { BOOT_16, connectStation } from './station.ts'

const { house, invited } = await roamingHouse({ PILOTWIRE_AFIR: 'public' })
const provider = await startProvider()
afterAll(() => provider.close())
const station = await connectStation(house.ocppUrl, 'CP', 'ocpp1.6', { respond: () => ({ status: 'Accepted' }) })
await station.ask('BootNotification', BOOT_16)
const say = (status: string) =>
  station.ask('StatusNotification', {
    connectorId: 1,
    errorCode: 'NoError',
    status,
    timestamp: new Date().toISOString(),
  })
await say('Available')

const connector = { connectorId: '1', format: 'CABLE', powerType: 'DC', maxVoltage: 400, maxAmperage: 100 }
const PLACE: Json = {
  publish: true,
  address: 'Main Street 1',
  city: 'Hannover',
  country: 'DEU',
  coordinates: { latitude: 52.3759, longitude: 9.732 },
  timeZone: 'Europe/Berlin',
  helpPhone: '+49511000',
}
const put = (id: string, own: Json = {}) => house.request('PUT', `/2/locations/${id}`, { ...PLACE, ...own })
const evse = { uid: 'left', evseId: 'DE*PWR*E1', evseControllerId: 'CP', ocppEvseId: 1 }
const evses = [
  { ...evse, connectors: [{ ...connector, standard: 'IEC_62196_T2_COMBO' }] },
  { uid: 'right', connectors: [{ ...connector, standard: 'MCS' }] },
]
for (const id of ['a', 'c', 'd']) await put(id)
await put('b', { evses })
const { body: tariff } = await house.request('POST', '/2/tariffs', { currency: 'EUR', perKwh: 0.49 })

interface Page {
  readonly status: number
  readonly data: readonly Json[]
  readonly total: string | null
  readonly next: string | undefined
}

async function page(address: string): Promise<Page> {
  const { status, body, headers } = await provider.call('GET', address)
  const [, next] = /^<(.+)>; rel="next"$/.exec(headers.get('link') ?? '') ?? []
  return { status, data: body.data as readonly Json[], total: headers.get('x-total-count'), next }
}

const addressOf = (version: string, path: string): string => `${house.url}/ocpi/${version}/${path}`

it.each(['2.2.1', '2.3.0'] as const)(
  'OCPI-A2: a partner of %s pulls all locations in pages, and one by itself',
  async (version) => {
    await invited(provider, version)
    const first = await page(addressOf(version, 'locations?limit=3'))
    expect(first.total).toBe('4')
    await put('a', { name: 'Renamed meanwhile' })
    const second = await page(String(first.next))
    expect([...first.data, ...second.data].map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd'])
    expect(second.next).toBeUndefined()
    const shown = first.data[1] as Json
    const isNewer = version === '2.3.0'
    expect(shown).toMatchObject({ country_code: 'DE', party_id: 'PWR', ...(isNewer && { help_phone: '+49511000' }) })
    expect((shown.evses as readonly Json[]).map(({ uid }) => uid)).toEqual(isNewer ? ['left', 'right'] : ['left'])
    expect((shown.evses as readonly Json[])[0]).toMatchObject({
      status: 'AVAILABLE',
      connectors: [{ tariff_ids: [tariff.id] }],
    })
    const one = async (path: string) => await provider.call('GET', addressOf(version, `locations/${path}`))
    expect((await one('b')).body.data).toEqual(shown)
    expect((await one('b/left/1')).body.data).toMatchObject({ id: '1', standard: 'IEC_62196_T2_COMBO' })
    expect((await one('b/right')).status).toBe(isNewer ? 200 : 404)
    expect((await one('nowhere')).body.status_code).toBe(2003)
  },
)

it('OCPI-A2: a change since a time is pulled with its new status, a deleted location with removed EVSEs', async () => {
  await invited(provider)
  const { body } = await house.request('GET', '/2/locations/b')
  const since = new Date(Date.parse(String(body.lastUpdated)) + 1).toISOString()
  expect((await page(addressOf('2.3.0', `locations?date_from=${since}`))).data.map(({ id }) => id)).not.toContain('b')
  await say('Preparing')
  const changed = (await page(addressOf('2.3.0', `locations?date_from=${since}`))).data.find(({ id }) => id === 'b')
  expect(changed).toMatchObject({ evses: [{ status: 'BLOCKED' }, {}] })
  expect((await page(addressOf('2.3.0', `locations?date_to=${since}`))).data.map(({ id }) => id)).not.toContain('b')
})

it('OCPI-A2: tariffs are pulled, those of each version with its own members', async () => {
  await invited(provider)
  const { data, total } = await page(addressOf('2.3.0', 'tariffs'))
  expect(total).toBe('1')
  expect(data).toMatchObject([
    { id: tariff.id, tax_included: 'NO', elements: [{ price_components: [{ price: 0.49 }] }] },
  ])
  expect((await page(addressOf('2.3.0', 'tariffs?date_from=2100-01-01T00:00:00Z'))).data).toEqual([])
})

it('OCPI-A5: CDRs of other partners are as unknown as those that there are not', async () => {
  await invited(provider)
  expect(await page(addressOf('2.3.0', 'cdrs'))).toMatchObject({ data: [], total: '0' })
  // With a hundred signed values each, more of them would be no answer to read in one piece.
  expect((await provider.call('GET', addressOf('2.3.0', 'cdrs?limit=500'))).headers.get('x-limit')).toBe('100')
  expect((await provider.call('GET', addressOf('2.3.0', 'cdrs/none'))).status).toBe(404)
})

it('AFIR-A4: anyone pulls published locations and their tariffs by open OCPI, in pages', async () => {
  await put('hidden', { publish: false })
  const open = async (path: string) => {
    const answer = await fetch(path.startsWith('http') ? path : addressOf('open/2.2.1', path))
    return { answer, body: (await answer.json()) as { readonly data: readonly Json[]; readonly status_code: number } }
  }
  await put('e', { evses: [{ uid: 'planned', connectors: evses[0]?.connectors }] })
  await until(async () => (await open('locations')).body.data.length === 2, 2500)
  const { answer, body } = await open('locations?limit=1')
  expect([body.status_code, body.data[0]?.id, answer.headers.get('x-total-count')]).toEqual([1000, 'b', '2'])
  const [, next = ''] = /^<(.+)>; rel="next"$/.exec(answer.headers.get('link') ?? '') ?? []
  expect(next).toContain('/ocpi/open/2.2.1/locations?')
  expect((await open(next)).body.data).toMatchObject([{ id: 'e', evses: [{ status: 'PLANNED' }] }])
  expect((await open('tariffs')).body.data).toMatchObject([{ id: tariff.id, elements: [{}] }])
})
