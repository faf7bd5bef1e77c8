import { expect, it } from 'vitest'
import { operatorsOfTest } from '../../../test/support/console/testing.ts'
import { csrfOf } from '../../../test/support/oidc/browser.ts'
import { expectTexts } from '../../../test/support/texts.ts'
import { addLocationPages } from './page.tsx'

const core = { decideBlock: async () => ({}), connectivity: async () => [], onlineChargePoints: async () => [] }
const { place, bob, otto } = await operatorsOfTest(core, { extraPages: [addLocationPages] })

async function page(path: string, browser = otto, status = 200): Promise<string> {
  const response = await browser.get(`/dashboard${path}`)
  expect([path, response.status]).toEqual([path, status])
  const html = await response.text()
  expect(html).not.toContain('<script>')
  expect(html).not.toMatch(/(src|href)="https?:/)
  return html
}

const NORTH = {
  location: 'north',
  name: '"><script>alert(1)</script>',
  address: 'Main Street 1',
  city: 'Hannover',
  country: 'DEU',
  timeZone: 'Europe/Berlin',
  'coordinates/latitude': '52,3759',
  'coordinates/longitude': '9.732',
  facilities: 'WIFI',
  'openingTimes/twentyfourseven': 'yes',
}
const send = async (path: string, form: Record<string, string>, from = '/new-location', browser = otto) => {
  const response = await browser.post(`/dashboard${path}`, { csrf: csrfOf(await page(from), path), ...form })
  return [response.status, await response.text()] as const
}
const stored = async (locationId = 'north') =>
  (await place.reads.listRecords('locations', { limit: 10 })).find((one) => one.locationId === locationId)

it('LOCATION-P1: an account without locations is said what they are for', async () => {
  expectTexts(await page('/locations', bob), 'There are no locations yet.', 'There is no location to show.')
  await page('/new-location', bob, 403)
})

it('LOCATION-P2: a fault stands beside its field, and what was typed stays', async () => {
  const [status, html] = await send('/new-location', { ...NORTH, location: 'a b', country: 'DE', city: '' })
  expect(status).toBe(400)
  expectTexts(html, 'must be a country of ISO 3166-1', 'must have 1 to 36 letters', 'value="Main Street 1"')
  expect(await stored()).toBeUndefined()
})

it('LOCATION-P1, LOCATION-P2: a location is made, listed, drawn, and says what AFIR misses', async () => {
  expect((await send('/new-location', NORTH))[0]).toBe(303)
  expect((await send('/new-location', NORTH))[0]).toBe(409)
  expect((await stored())?.facts).toMatchObject({
    coordinates: { latitude: 52.3759, longitude: 9.732 },
    facilities: ['WIFI'],
    openingTimes: { twentyfourseven: true },
  })
  const list = await page('/locations', bob)
  expectTexts(list, '&lt;script&gt;', 'Main Street 1, Hannover', 'no EVSEs', '0 of 0', '7 missing', 'class="map"')
  expect(await page('/locations?q=HANNOV', bob)).toContain('href="/dashboard/locations/north"')
  expect(await page('/locations?q=Berlin', bob)).not.toContain('href="/dashboard/locations/north"')
  const far = await page('/locations?map=0.0000,-150.0000,3', bob)
  expect(far).not.toContain('class="name-link"')
  expect(far).toContain('class="land"')
  const html = await page('/locations/north', bob)
  expectTexts(html, '(a)(iv) contact of the operator', 'not public', 'helpPhone')
  expect(html).not.toContain('name="address"')
  await page('/locations/none', bob, 404)
})

it('LOCATION-P2: it is changed, what the form does not show stays, and EVSEs come and go', async () => {
  const at = '/locations/north'
  const evse = { evseId: 'DE*ABC*E1', standard: 'MCS', format: 'CABLE', powerType: 'DC', maxVoltage: '1000' }
  const [status, html] = await send(`${at}/evses`, { ...evse, evseId: 'E1' }, at)
  expect(status).toBe(400)
  expectTexts(html, 'must be an EVSE id such as', 'value="E1"')
  expect((await send(`${at}/evses`, { ...evse, maxAmperage: '500', tariffIds: 'A, B' }, at))[0]).toBe(303)
  const [made] = (await stored())?.evses ?? []
  expect(made?.connectors[0]).toMatchObject({ standard: 'MCS', maxAmperage: 500, tariffIds: ['A', 'B'] })
  const { location: _, facilities: __, ...facts } = NORTH
  expect((await send(at, { ...facts, name: 'North', publish: 'yes' }, at))[0]).toBe(303)
  const after = await stored()
  expect(after).toMatchObject({ publish: true, facts: { name: 'North', openingTimes: { twentyfourseven: true } } })
  expect(after?.facts).not.toHaveProperty('facilities')
  expect(after?.evses).toEqual([made])
  expectTexts(await page(at, bob), 'DE*ABC*E1', 'planned', 'evses[].connectors[].maxElectricPower')
  // The tariffs A and B are none of the account; with one of the account the price is there, as `afir check` says.
  expectTexts(await page(at, bob), 'evses[].connectors[].tariffIds')
  const { accountId = '' } = (await stored()) ?? {}
  const prices = { perKwhMicros: 450_000, perMinuteMicros: 0, perSessionMicros: 0, idlePerMinuteMicros: 0 }
  const times = { createdAt: 1, updatedAt: 1 }
  await place.writes.createTariff({ tariffId: 'T', accountId, version: 1, currency: 'EUR', ...prices, ...times })
  expect(await page(at, bob)).not.toContain('evses[].connectors[].tariffIds')
  expect((await send(`${at}/evses/remove`, { uid: made?.uid ?? '' }, at))[0]).toBe(303)
  expectTexts(await page(at, bob), 'removed')
  expect((await bob.post(`/dashboard${at}/delete`, { csrf: csrfOf(await page(at), `${at}/delete`) })).status).toBe(403)
  expect((await send(`${at}/delete`, {}, at))[0]).toBe(303)
  await page(at, bob, 404)
  expect((await stored())?.isRemoved).toBe(true)
})

it('LOCATION-P2: saving the form as it stood unpublished a location: its ticks were not ticked', async () => {
  const at = '/locations/shown'
  expect((await send('/new-location', { ...NORTH, location: 'shown', publish: 'yes' }))[0]).toBe(303)
  const ticked = [...(await page(at)).matchAll(/<input type="checkbox" name="([^"]+)" value="([^"]+)" checked/g)]
  const { location: _, facilities: __, 'openingTimes/twentyfourseven': ___, ...facts } = NORTH
  const form = { ...facts, ...Object.fromEntries(ticked.map(([, name = '', value = '']) => [name, value])) }
  expect((await send(at, form, at))[0]).toBe(303)
  expect(await stored('shown')).toMatchObject({
    publish: true,
    facts: { facilities: ['WIFI'], openingTimes: { twentyfourseven: true } },
  })
})

it('LOCATION-P3: what is exported is imported again, and a file with a fault changes nothing', async () => {
  const exported = await bob.get('/dashboard/export/locations?format=csv')
  expect(exported.headers.get('content-disposition')).toContain('locations.csv')
  const csv = await exported.text()
  const take = (format: string, text: string) => send('/import/locations', { format, text }, '/import/locations')
  const before = await place.reads.listRecords('locations', { limit: 10 })
  expectTexts(
    (await take('csv', csv))[1],
    `0 new, 0 changed, ${before.filter((one) => !one.isRemoved).length} unchanged.`,
  )
  const [status, html] = await take('csv', `${csv}south,Nowhere`)
  expect(status).toBe(422)
  expectTexts(html, 'Nothing was imported', `>${csv.trimEnd().split('\n').length + 1}/address<`, 'south,Nowhere')
  expect((await take('csv', csv.replaceAll('Main Street 1', 'Main Street 2')))[1]).toContain('changed')
  expect(await stored('shown')).toMatchObject({ facts: { address: 'Main Street 2' } })
  await page('/import/locations', bob, 403)
})

it('LOCATION-P3: locations of OCPI go out and come in, and what is no JSON is said', async () => {
  const exported = await bob.get('/dashboard/export/locations?format=ocpi')
  expect(exported.headers.get('content-type')).toBe('application/json')
  const take = (text: string) => send('/import/locations', { format: 'ocpi', text }, '/import/locations')
  expectTexts((await take(await exported.text()))[1], 'unchanged.')
  expect((await take('nonsense'))[0]).toBeGreaterThanOrEqual(400)
})
