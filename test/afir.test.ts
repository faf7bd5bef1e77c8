/** The public feed on the whole server, from a real station to what an access point reads. */
import { gunzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { houseOfFile, openHouse, until } from './house.ts'
import { PLACE, saysStatus } from './public-place.ts'
import { BOOT_16, connectStation } from './station.ts'

const house = await houseOfFile({ PILOTWIRE_AFIR: 'public' })
const station = await connectStation(house.ocppUrl, 'CP', 'ocpp1.6', { respond: () => ({ status: 'Accepted' }) })
await station.ask('BootNotification', BOOT_16)
const say = (status: string) => saysStatus(station, status)
const read = (path: string, headers: Record<string, string> = {}, url = house.url) =>
  fetch(`${url}/afir/${path}`, { headers })
const text = async (path: string, headers?: Record<string, string>) => (await read(path, headers)).text()
const statuses = async (query = ''): Promise<readonly string[]> =>
  [...(await text(`status${query}`)).matchAll(/"status":\{"value":"(\w+)"\}/g)].map(([, value = '']) => value)

it('AFIR-A1: without a published location there is no table, and the status has no sites', async () => {
  await house.request('PUT', '/2/locations/hidden', { ...PLACE, publish: false, evses: [] })
  const table = await read('table')
  expect([table.status, await table.text()]).toEqual([404, expect.stringContaining('No location is published')])
  expect(await text('status')).toContain('"energyInfrastructureSiteStatus":[]')
})

it('AFIR-A3: a location, a status, a price are in the feed within two seconds', async () => {
  await say('Available')
  expect((await house.request('PUT', '/2/locations/north', PLACE)).status).toBe(201)
  await until(async () => (await statuses()).join() === 'available', 2500)
  await say('Preparing')
  await until(async () => (await statuses()).join() === 'blocked', 2500)
  const { body } = await house.request('POST', '/2/tariffs', { currency: 'EUR', perKwh: 0.49 })
  await until(async () => /"pricePerKWh"\},"value":0.49/.test(await text('table')), 2500)
  await house.request('PATCH', `/2/tariffs/${body.id}`, { perKwh: 0.59 })
  await until(async () => /"pricePerKWh"\},"value":0.59/.test(await text('status')), 2500)
  expect(await text('table')).toContain('"value":0.59')
})

it('AFIR-A1: an ETag and a time say that nothing changed; the table does not change with a status', async () => {
  const table = await read('table')
  const etag = table.headers.get('etag') ?? ''
  expect((await read('table', { 'if-none-match': etag })).status).toBe(304)
  expect((await read('table', { 'if-modified-since': table.headers.get('last-modified') ?? '' })).status).toBe(304)
  await say('Faulted')
  await until(async () => (await statuses()).join() === 'outOfOrder', 2500)
  expect((await read('table', { 'if-none-match': etag })).status).toBe(304)
})

it('AFIR-A1: the feed is compressed for clients that take it, and plain for others', async () => {
  const plain = await text('table', { 'accept-encoding': 'identity' })
  const packed = await read('table', { 'accept-encoding': 'gzip' })
  expect(packed.headers.get('content-encoding')).toBe('gzip')
  expect(await packed.text()).toBe(plain)
  expect(JSON.parse(plain)).toHaveProperty('payload.aegiEnergyInfrastructureTablePublication')
})

it('AFIR-A1: XML is sent to clients that prefer it, and nothing else to those that take neither', async () => {
  const answer = await read('status', { accept: 'application/xml' })
  expect(answer.headers.get('content-type')).toBe('application/xml; charset=utf-8')
  expect(await answer.text()).toMatch(/<aegi:status>outOfOrder<\/aegi:status>/)
  expect((await read('status', { accept: 'image/png' })).status).toBe(406)
})

it('AFIR-A1: what changed since a time, down to what is public no longer', async () => {
  const { body } = await house.request('GET', '/2/locations/north')
  expect(await statuses(`?since=${body.lastUpdated}`)).toEqual(['outOfOrder'])
  const later = new Date(Date.parse(String(body.lastUpdated)) + 1).toISOString()
  expect(await statuses(`?since=${later}`)).toEqual([])
  expect((await read('status?since=yesterday')).status).toBe(400)
  await house.request('PATCH', '/2/locations/north', { publish: false })
  await until(async () => (await statuses(`?since=${later}`)).join() === 'removed', 2500)
  expect(await statuses()).toEqual([])
  expect(await text(`status?since=${later}`)).toContain('"codedExchangeProtocol":{"value":"deltaPull"}')
})

it('AFIR-A1: with a token only its callers are admitted, and without the setting there is no feed', async () => {
  const token = 'a-token-of-some-length'
  const guarded = await openHouse({ PILOTWIRE_AFIR: 'token', PILOTWIRE_AFIR_TOKEN: token })
  const status = async (headers: Record<string, string>) => (await read('status', headers, guarded.url)).status
  expect(await status({})).toBe(401)
  expect(await status({ authorization: 'Bearer another-token-than-that' })).toBe(401)
  expect(await status({ authorization: `Bearer ${token}` })).toBe(200)
  await guarded.closeClean()
  const closed = await openHouse()
  expect((await read('status', {}, closed.url)).status).toBe(404)
  await closed.closeClean()
})

it('AFIR-A3: the compressed document is one gzip that any reader takes', async () => {
  await house.request('PATCH', '/2/locations/north', { publish: true })
  await until(async () => (await read('table')).status === 200, 2500)
  const { request } = await import('node:http')
  const bytes = await new Promise<Buffer>((resolve) => {
    request(`${house.url}/afir/table`, { headers: { 'accept-encoding': 'gzip' } }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('end', () => resolve(Buffer.concat(chunks)))
    }).end()
  })
  expect(JSON.parse(gunzipSync(bytes).toString())).toHaveProperty('payload')
})
