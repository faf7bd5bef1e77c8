import { expect, it } from 'vitest'
import { operatorsOfTest } from '../../../test/support/console/testing.ts'
import { csrfOf } from '../../../test/support/oidc/browser.ts'
import { aChargePoint } from '../../../test/support/storage-contract/records.ts'
import { expectTexts } from '../../../test/support/texts.ts'
import { addSitePages } from './page.tsx'

const HOSTILE = `"><script>alert(1)</script>/../%2F?#\u05d0${'🚗'.repeat(200)}`
const online = new Set<string>()

const core = {
  onlineChargePoints: async () => [...online],
  connectivity: async (ids: readonly string[]) =>
    ids.map((chargePointId) => ({ chargePointId, online: online.has(chargePointId) })),
}
const { place, bob, otto } = await operatorsOfTest(core, { extraPages: [addSitePages] })

async function page(path: string, browser = bob, status = 200): Promise<string> {
  const response = await browser.get(`/dashboard${path}`)
  expect([path, response.status]).toEqual([path, status])
  const html = await response.text()
  expect(html).not.toContain('<script>')
  return html
}

/** Names of the sites in the table, in its order. */
const rowsOf = (html: string): readonly string[] =>
  [...html.matchAll(/<a class="name-link" href="[^"]*"><bdi>(.*?)<\/bdi>/g)].map(([, name = '']) => name)
const marksOf = (html: string): readonly string[] =>
  [...html.matchAll(/<a class="mark[^"]*" href="([^"]*)" aria-label="([^"]*)"/g)].map(
    ([, to = '', name = '']) => `${name} -> ${to.replaceAll('&amp;', '&')}`,
  )
const sitePathOf = (site: string): string => `/sites/${encodeURIComponent(site)}`

async function station(id: string, site: string | undefined, isOnline: boolean, fault = false): Promise<void> {
  const labels = site === undefined ? {} : { labels: { site } }
  await place.writes.createChargePoint(aChargePoint({ id, securityProfile: 0, createdAt: place.now(), ...labels }))
  if (isOnline) online.add(id)
  const connector = { connectorId: 1, status: fault ? 'Faulted' : 'Available', updatedAt: place.now() }
  await place.core.commit([{ chargePointId: id, connectors: [connector] }])
}

async function locate(site: string, latitude: string, longitude: string, browser = otto): Promise<Response> {
  const path = sitePathOf(site)
  const csrf = csrfOf(await page(path, browser), '/place')
  return browser.post(`/dashboard${path}/place`, { csrf, latitude, longitude })
}

it('SITE-P1: nothing of what a new account has is a site', async () => {
  const html = await page('/sites')
  expectTexts(html, 'There are no sites yet.', 'No site has coordinates yet.')
  expect(html).toContain('href="/dashboard/charge-points?siteless=true"')
})

it('SITE-P1: what needs somebody stands first, narrowed and sorted by the address', async () => {
  await station('F1', 'Free', true)
  await station('G1', 'Gone', false)
  await station('B1', 'Broken', true)
  await station('B2', 'Broken', true, true)
  await station('B3', 'Broken', true)
  await place.writes.updateChargePoint('A', 'B3', { disabled: true })
  await station('H1', HOSTILE, true)
  const html = await page('/sites')
  expect(rowsOf(html).slice(0, 3)).toEqual(['Gone', 'Broken', expect.stringContaining('&lt;script&gt;')])
  expectTexts(html, 'all offline', '4 with')
  expect(rowsOf(await page('/sites?show=needs'))).toEqual(['Gone', 'Broken'])
  expect(rowsOf(await page('/sites?q=REE'))).toEqual(['Free'])
  expect(rowsOf(await page('/sites?sort=stations&order=desc&q=r'))[0]).toBe('Broken')
  expect(rowsOf(await page('/sites?sort=site&q=o'))).toEqual(['Broken', 'Gone'])
  expect(await page('/sites?q=zzz')).toContain('Nothing matches the search.')
  expect(rowsOf(await page('/sites?before=9'))).toEqual([])
  for (const wrong of [
    'map=1,2',
    'map=91,0,3',
    'map=1,1,99',
    'sort=colour',
    'order=up',
    'show=x',
    `q=${'x'.repeat(256)}`,
  ]) {
    expect(await page(`/sites?${wrong}`, bob, 400)).toContain('role="alert"')
  }
})

it('SITE-P2: a site has its figures, stations, limits, uptime and place', async () => {
  const group = { accountId: 'A', name: 'hall', revision: 1, createdAt: 1, updatedAt: 1 }
  const desired = { amps: 63, selector: { labels: { site: 'Broken' } } }
  await place.writes.putRecords('limit_groups', [{ ...group, desired }])
  const html = await page('/sites/Broken')
  expect(rowsOf(html)).toEqual(['B2', 'B1', 'B3'])
  expect(html).toContain('href="/dashboard/charge-points?site=Broken&amp;online=true&amp;status=Faulted"')
  expectTexts(html, 'href="/dashboard/limits/hall"', '63 A', 'Uptime, last 30 days', 'It has no coordinates.')
  expect(await page('/sites?q=Broken')).toContain('href="/dashboard/limits/hall">63 A')
  expect(await page(sitePathOf(HOSTILE))).toContain('&lt;script&gt;')
  for (const none of ['None', '%00', 'free', '%20']) await page(`/sites/${none}`, bob, 404)
  expect((await (await place.signedIn(place.eve)).get('/dashboard/sites/Broken')).status).toBe(404)
  expect((await (await place.signedIn(place.mia)).get('/dashboard/sites')).status).toBe(403)
})

it('SITE-P4: coordinates are said by who may act, refused beside their field, and taken back', async () => {
  expect(await page('/sites/Free')).not.toContain('name="latitude"')
  const csrf = csrfOf(await page('/sites/Free', otto), '/place')
  const order = { csrf, latitude: '52', longitude: '9' }
  expect((await bob.post('/dashboard/sites/Free/place', order)).status).toBe(403)
  expect((await otto.post('/dashboard/sites/Gone/place', order)).status).toBe(403)
  for (const [latitude, longitude] of [
    ['91', '0'],
    ['<b>', '0'],
    ['52', ''],
    ['0', '180.1'],
  ] as const) {
    const refused = await locate('Free', latitude, longitude)
    const html = await refused.text()
    expect([latitude, refused.status]).toEqual([latitude, 400])
    expect(html).toContain('class="warn" role="alert"')
    expect(html).not.toContain('value="<b>"')
  }
  expect((await locate('Free', '52,3759', ' 9.732 ')).status).toBe(303)
  expect((await locate(HOSTILE, '52.3', '9.7')).status).toBe(303)
  const html = await page('/sites/Free', otto)
  expectTexts(html, '52.3759, 9.732', 'href="/dashboard/sites?map=52.3759%2C9.7320%2C12"')
  expect((await locate('Free', '', '')).status).toBe(303)
  expect((await locate('Free', '', '')).status).toBe(404)
  expect(await page('/sites/Free')).toContain('It has no coordinates.')
})

it('SITE-M4: the map leads nearer until the table beside it names what cannot be told apart', async () => {
  await locate('Free', '52.3', '9.7')
  await locate('Broken', '52.3', '9.7')
  await locate('Gone', '48.1', '11.6')
  const whole = await page('/sites')
  expect(whole).not.toMatch(/(src|href)="https?:/)
  expect(whole).toContain('class="land"')
  const [many = '', one] = marksOf(whole)
  expect(one).toBe('Gone: all offline -> /dashboard/sites/Gone')
  expect(many).toMatch(/^3 sites, worst: faulted -> \/dashboard\/sites\?map=52\.3000%2C9\.7000%2C14$/)
  const near = await page(many.slice(many.indexOf('/dashboard') + '/dashboard'.length))
  expect(rowsOf(near)).toHaveLength(3)
  expect(rowsOf(near)).not.toContain('Gone')
  expect(marksOf(near)).toHaveLength(1)
  expect(near).not.toContain('aria-label="Nearer"')
  expect(near).toContain('aria-label="Farther"')
  expect(rowsOf(await page('/sites?map=0.0000,-150.0000,3'))).toEqual([])
  expect(rowsOf(await page('/sites?show=unplaced'))).toEqual([])
})

it('SITE-M3: the map begins where all are neighbors, across the antimeridian as well', async () => {
  await station('X1', 'Suva', true)
  await station('X2', 'Apia', true)
  await locate('Suva', '-18.1', '178.4')
  await locate('Apia', '-13.8', '-171.8')
  const html = await page('/sites?q=a&map=-16.0000,-176.0000,4')
  expect(rowsOf(html)).toEqual(['Apia', 'Suva'])
  expect(marksOf(html)).toHaveLength(2)
  expect(await page('/sites?map=-16.0000,-176.0000,4')).toContain('Map of 2 sites.')
})

it('SITE-P2: of more than a hundred stations the first are shown, and the way to all', async () => {
  for (let at = 0; at < 101; at++) await station(`M${String(at).padStart(3, '0')}`, 'Many', true)
  const html = await page('/sites/Many')
  expect(rowsOf(html)).toHaveLength(100)
  expectTexts(html, 'All 101 charge points', 'With so many charge points it has a page of its own.')
})
