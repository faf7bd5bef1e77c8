/**
 * What the server does for pages that keep themselves up to date; what the module does is seen in Chromium
 * (test/browser).
 */
import { expect, it } from 'vitest'
import { operatorsOfTest } from '../../test/support/console/testing.ts'
import { aSession } from '../../test/support/storage-contract/records.ts'
import type { Session } from '../domain/ports/sessions.ts'
import { LIVE_MODULE } from '../web/fixed-document.ts'

const ID = '01900000-0000-7000-8000-000000000001'
const OPERATOR_PAGES = [
  '/charging-sessions',
  `/charging-sessions/${ID}`,
  '/charge-points',
  '/charge-points/CP1',
  '/webhooks',
]
const OTHER_PAGES = [
  '/applications',
  '/sign-ins',
  '/developer/clients',
  '/developer/credentials',
  '/charging-sessions/unknown',
]

const store = async (energyMilliWh: number): Promise<void> => {
  const at = place.now()
  const session: Session = aSession({ id: ID, energyMilliWh, startedAt: at, createdAt: at })
  await place.core.commit([{ chargePointId: 'CP1', sessions: [session] }])
}

const { place, ada } = await operatorsOfTest()
await store(1_000_000)

const policyOf = (response: Response): string => response.headers.get('content-security-policy') ?? ''

it.each(OPERATOR_PAGES)('API-P2: %s loads one module of ours, and may load no other', async (path) => {
  const response = await ada.get(`/dashboard${path}`)
  const html = await response.text()
  const scripts = [...html.matchAll(/<script[^>]*>/g)].map(([tag]) => tag)
  const [, address = ''] = /src="([^"]+)"/.exec(scripts[0] ?? '') ?? []
  expect(scripts).toEqual([`<script type="module" src="${address}">`])
  expect(policyOf(response)).toContain("default-src 'none'; style-src 'self'")
  expect(policyOf(response)).toContain("; script-src 'self'; connect-src 'self'; ")
  expect(html).toMatch(/<p class="fresh" role="status" data-live-status[^>]*><\/p>/)
  expect(html).toContain(' data-live="')
  const module = await place.browser().get(address)
  expect(Object.fromEntries(module.headers)).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'public, max-age=31536000, immutable',
  })
  expect(await module.text()).toBe(LIVE_MODULE)
})

it.each(OTHER_PAGES)('OIDC-A19: %s has no script and may run none', async (path) => {
  const response = await ada.get(`/dashboard${path}`)
  expect(policyOf(response)).not.toContain('script-src')
  expect(policyOf(response)).not.toContain('connect-src')
  expect(await response.text()).not.toContain('<script')
})

it('API-P2: asked again, the page is 304 until its figures change, for its own reader only', async () => {
  const path = `/dashboard/charging-sessions/${ID}`
  const first = await ada.get(path)
  const tag = first.headers.get('etag') ?? ''
  expect([tag, first.headers.get('cache-control')]).toEqual([expect.stringMatching(/^W\/"[\w-]{22}"$/), 'no-store'])
  const again = (): Promise<Response> => ada.get(path, { 'if-none-match': tag })
  const unchanged = await again()
  expect([unchanged.status, await unchanged.text(), unchanged.headers.get('etag')]).toEqual([304, '', tag])
  await store(2_345_000)
  const changed = await again()
  expect([changed.status, await changed.text()]).toEqual([200, expect.stringContaining('2.345 kWh')])
  const eve = await place.signedIn(place.eve)
  expect((await eve.get(path, { 'if-none-match': tag })).status).toBe(404)
  expect((await place.browser().get(path, { 'if-none-match': tag })).status).toBe(303)
})

it('OIDC-L1: a page that asks by itself does not keep an abandoned sign-in alive', async () => {
  const browser = await place.signedIn(place.bob)
  const lastSeen = async (): Promise<number> => (await place.reads.listLoginSessions('bob'))[0]?.lastSeenAt ?? 0
  const before = await lastSeen()
  place.advance(600_000)
  await browser.get('/dashboard/charging-sessions', { 'sec-fetch-dest': 'empty', 'sec-fetch-site': 'same-origin' })
  expect(await lastSeen()).toBe(before)
  await browser.get('/dashboard/charging-sessions', { 'sec-fetch-dest': 'document' })
  expect(await lastSeen()).toBeGreaterThan(before)
})
