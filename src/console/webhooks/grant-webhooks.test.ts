/** Webhooks that connected applications own: what the account's administrators see of them, and what they may do. */

import { expect, it } from 'vitest'
import { operatorsOfTest } from '../../../test/support/console/testing.ts'
import { csrfOf } from '../../../test/support/oidc/browser.ts'
import { obtainTokens } from '../../../test/support/oidc/tokens.ts'
import { anEvent, aSubscription } from '../../../test/support/storage-contract/records.ts'
import { expectTexts, expectWithout } from '../../../test/support/texts.ts'
import { keepPreference } from '../../application/users/preferences.ts'
import type { Subscription } from '../../domain/ports/storage-webhooks.ts'
import { fieldTime } from '../local-time.ts'

const PATH = '/dashboard/webhooks/wh_app'
const XSS = '"><script>alert(1)</script>'

const { place, ada } = await operatorsOfTest()
const client = await place.addClient({ name: `Fleet ${XSS}` })
const { grant } = await obtainTokens(place, client, place.bob, { scope: 'sessions:read webhooks:manage' })
await subscribe('wh_app', { grantId: grant.id })
const event = anEvent({ id: '01900000-0000-7000-8000-000000000001', time: place.now(), causes: [] })
await place.core.commit([{ chargePointId: 'CP1', events: [event] }])
const deliveryId = (await place.reads.listDeliveries({ subscriptionId: 'wh_app', limit: 1 }))[0]?.id ?? ''
await place.writes.claimDeliveries({ now: place.now(), leaseUntil: place.now() + 60_000 })
const attempt = {
  number: 1,
  at: place.now(),
  durationMs: 12,
  url: 'https://example.com/wh_app',
  status: 302,
  error: 'redirect' as const,
  location: 'https://inside.example/',
  answer: 'the receiver’s words',
  requestHeaders: { 'webhook-delivery': deliveryId },
}
const finished = { deliveryId, subscriptionId: 'wh_app', attempt, state: 'failed' as const }
await place.writes.finishAttempts([finished], place.now())

async function subscribe(id: string, change: Partial<Subscription> = {}): Promise<void> {
  const url = `https://example.com/${id}`
  const subscription = aSubscription({ id, url, secrets: [{ sealed: 'x' }], createdAt: place.now(), ...change })
  expect(await place.writes.createSubscription(subscription, 100)).toBe('created')
}

const textOf = async (path: string): Promise<string> => (await ada.get(path)).text()

it('HOOK-S3: webhooks of applications: the administrator sees them beside the account’s own: whose they are, and whether they work', async () => {
  await subscribe('wh_own')
  const html = await textOf('/dashboard/webhooks')
  expect(html.indexOf('wh_own')).toBeLessThan(html.indexOf('Of connected applications'))
  expect(html.indexOf('wh_app')).toBeGreaterThan(html.indexOf('Of connected applications'))
  expectTexts(html, 'connected by bob@example.com', '0 of 1', '&lt;script&gt;')
  expect(html).not.toContain('<script>')
  expect(await textOf(PATH)).toContain(`${PATH}/deliveries/${deliveryId}`)
})

it('HOOK-X5: webhooks of applications: what its receiver answered is shown to the application only', async () => {
  const html = await textOf(`${PATH}/deliveries/${deliveryId}`)
  expectTexts(html, '302', 'Only the application sees the text of the answer.')
  expectWithout(html, 'receiver’s words', 'inside.example')
})

it('HOOK-S3: webhooks of applications: the administrator disables it and takes that back; its other orders are the application’s', async () => {
  const page = await textOf(PATH)
  const csrf = csrfOf(page, '/disable')
  expect(page).not.toMatch(/action="[^"]*\/(test|replay|enable)"/)
  for (const order of ['test', 'replay', `deliveries/${deliveryId}/redeliver`]) {
    expect([order, (await ada.post(`${PATH}/${order}`, { csrf, since: '2020-01-01T00:00' })).status]).toEqual([
      order,
      404,
    ])
  }
  expect((await ada.post(`${PATH}/disable`, { csrf: 'x' })).status).toBe(403)
  expect((await ada.post(`${PATH}/disable`, { csrf })).headers.get('location')).toBe(PATH)
  expect(await place.reads.findSubscription('wh_app')).toMatchObject({
    status: 'disabled',
    disabledReason: 'operator',
  })
  expect(await textOf(PATH)).toContain('by the operator')
  expect((await ada.post(`${PATH}/disable`, { csrf })).status).toBe(409)
  expect((await ada.post(`${PATH}/enable`, { csrf, resume: 'held' })).status).toBe(303)
  expect((await place.reads.findSubscription('wh_app'))?.status).toBe('active')
  await place.writes.disableSubscription('wh_app', 'gone', place.now())
  expect(await textOf(PATH)).not.toContain('/enable"')
  expect((await ada.post(`${PATH}/enable`, { csrf, resume: 'held' })).status).toBe(409)
  await place.writes.enableSubscription('wh_app', 'skip', place.now(), 16)
})

it('HOOK-R5: webhooks of applications: the account’s own is disabled by request', async () => {
  const path = '/dashboard/webhooks/wh_own'
  await ada.post(`${path}/disable`, { csrf: csrfOf(await textOf(path), '/disable') })
  expect(await place.reads.findSubscription('wh_own')).toMatchObject({ disabledReason: 'owner' })
})

it('HOOK-S3: webhooks of applications: another account’s administrator and the account’s members see nothing of it', async () => {
  const eve = await place.signedIn(place.eve)
  expect((await eve.get(PATH)).status).toBe(404)
  expect((await eve.get(`${PATH}/deliveries/${deliveryId}`)).status).toBe(404)
  expect(await (await eve.get('/dashboard/webhooks')).text()).not.toContain('wh_app')
  const bob = await place.signedIn(place.bob)
  expect((await bob.get(PATH)).status).toBe(403)
})

it('HOOK-S1: a time of the reader’s own clock, hours ahead of UTC, is not one that is still to come', async () => {
  await subscribe('wh_zone')
  await keepPreference(place.writes, place.ada.id, 'timeZone', 'Asia/Kathmandu')
  const path = '/dashboard/webhooks/wh_zone'
  const csrf = csrfOf(await (await ada.get(path)).text(), '/replay')
  const replay = (at: number) => ada.post(`${path}/replay`, { csrf, since: fieldTime(at, 'Asia/Kathmandu') })
  expect((await replay(place.now() - 3_600_000)).headers.get('location')).toContain(`${path}?replayed=`)
  expect((await replay(place.now() + 3_600_000)).status).toBe(400)
})
