import { afterAll, expect, it } from 'vitest'
import { openOperatorPlace } from '../../test/support/console/testing.ts'
import { aboutSession } from '../../test/support/domain/events/testing.ts'
import { type Browser, csrfOf } from '../../test/support/oidc/browser.ts'
import type { Place } from '../../test/support/oidc/testing.ts'
import { aChargePoint, aSession, aSubscription } from '../../test/support/storage-contract/records.ts'
import { expectTexts, expectWithout } from '../../test/support/texts.ts'
import { sessionUpdated } from '../domain/events/session-events.ts'
import { logIdAt } from '../domain/message-log/log-id.ts'
import type { Session } from '../domain/ports/sessions.ts'
import type { Command } from '../domain/ports/storage-records.ts'
import type { NewEvent, Subscription } from '../domain/ports/storage-webhooks.ts'
import { shownTime } from '../web/times.tsx'

const XSS = '"><script>alert(1)</script>'
const T0 = Date.now() - 3_600_000

let place: Place
const disconnected: string[] = []

const uuid = (n: number): string => `019${String(n).padStart(5, '0')}-0000-7000-8000-000000000000`

function session(n: number, change: Partial<Session> = {}): Session {
  return aSession({
    id: uuid(n),
    state: 'completed',
    energyMilliWh: 1_000_000,
    cost: { micros: 4_560_000, currency: 'EUR' },
    startedAt: T0,
    stoppedAt: T0 + 1_800_000,
    createdAt: T0,
    ...change,
  })
}

let counter = 0
function command(method: string, request: object, minutes: number, transactionId = '7'): Command {
  const id = logIdAt(T0 + minutes * 60_000) + counter++
  const rest = { direction: 'in', status: 'success', protocol: 'ocpp1.6', messageId: `m${id}` } as const
  return { id, chargePointId: 'CP1', method, transactionId, request: JSON.stringify(request), response: '{}', ...rest }
}

async function commit(change: Parameters<Place['core']['commit']>[0][number]): Promise<void> {
  const [result] = await place.core.commit([change])
  if (result && !result.ok) throw result.error
}

function subscription(id: string, change: Partial<Subscription> = {}): Subscription {
  return aSubscription({ id, url: `https://example.com/${id}`, secrets: [{ sealed: 'x' }], createdAt: T0, ...change })
}

function event(of: Session, n: number, causes: readonly number[] = []): NewEvent {
  const { accountId, id: sessionId, chargePointId } = of
  const id = uuid(50_000 + n)
  const time = T0 + n
  const data = JSON.stringify(sessionUpdated.of(of).data)
  return { id, accountId, ...aboutSession(sessionId), chargePointId, kind: 'transition', time, causes, data }
}

place = await openOperatorPlace({ disconnect: async (id) => void disconnected.push(id) })
const ada = await place.signedIn(place.ada)
const bob = await place.signedIn(place.bob)
const eve = await place.signedIn(place.eve)
afterAll(() => place.close())

const textOf = (browser: Browser, path: string): Promise<string> => browser.page(`/dashboard${path}`)

it('API-P1: sessions: newest first, page by page, the account’s own only', async () => {
  for (let n = 1; n <= 53; n++) await commit({ chargePointId: 'CP1', sessions: [session(n)] })
  await commit({ chargePointId: 'CPB', sessions: [session(60, { accountId: 'B', chargePointId: 'CPB' })] })
  const first = await textOf(bob, '/charging-sessions')
  expect(first).toContain(uuid(53))
  expectWithout(first, uuid(3), uuid(60))
  expect(first).toContain('4.56 EUR')
  const next = /href="\/dashboard(\/charging-sessions\?before=[^"]+)"/.exec(first)?.[1] ?? ''
  const second = await textOf(bob, next)
  expect([1, 2, 3].every((n) => second.includes(uuid(n)))).toBe(true)
  expectWithout(second, uuid(4), 'before=')
  expect(await textOf(eve, '/charging-sessions')).toContain(uuid(60))
})

it('API-P1: sessions: one session with its figures, settlements, timeline and curve', async () => {
  const charged = session(100, { transactionId: '7', connectorId: 1, lastEventAt: T0 + 1_900_000 })
  const start = { connectorId: 1, idTag: 'A', meterStart: 0, timestamp: new Date(T0).toISOString() }
  const values = (minutes: number, wattHours: number, watts: string) => ({
    connectorId: 1,
    transactionId: 7,
    meterValue: [
      {
        timestamp: new Date(T0 + minutes * 60_000).toISOString(),
        sampledValue: [
          { value: String(wattHours) },
          { value: watts, measurand: 'Power.Active.Import', unit: 'W' },
          { value: XSS, unit: XSS },
        ],
      },
    ],
  })
  const stop = { transactionId: 7, meterStop: 1000, timestamp: new Date(T0 + 1_800_000).toISOString() }
  const commands = [
    command('StartTransaction', start, 0),
    command('MeterValues', values(10, 300, '2000'), 10),
    command('MeterValues', values(20, 700, '2200'), 20),
    command('StopTransaction', stop, 30),
    command('MeterValues', values(25, 9999, '9999'), 25, 'another'),
  ]
  for (const row of commands) await commit({ chargePointId: 'CP1', command: row })
  await commit({
    chargePointId: 'CP1',
    sessions: [charged],
    events: [event(charged, 1, [commands[0]?.id ?? 0])],
    settlements: [{ sessionId: charged.id, number: 1, energyMilliWh: 1_000_000, at: T0, by: XSS, reason: XSS }],
  })
  const response = await bob.get(`/dashboard/charging-sessions/${charged.id}`)
  const html = await response.text()
  expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
  expectTexts(html, 'class="chart power"', 'class="chart energy"')
  expect(html.match(/<td class="number">[\d.]+<\/td>/g)).toEqual(
    ['0.000', '2.000', '0.300', '2.200', '0.700', '1.000'].map((text) => `<td class="number">${text}</td>`),
  )
  expect(html).toMatch(/role="img" aria-label="Power \(?.*at most 2\.200 kW/)
  const timeline = await bob.get(`/dashboard/charging-sessions/${charged.id}?tab=timeline`)
  expect(await timeline.text()).toContain('StartTransaction')
  expect(html).toContain('1.000 kWh')
  expectWithout(html, '<script>', ' style=')
  expect(html).toContain('&lt;script&gt;')
})

it('sessions: a session without meter values says so', async () => {
  expect(await textOf(bob, `/charging-sessions/${uuid(1)}`)).toContain('no meter values')
})

const pageOf = (id: string): string => `/charge-points/${encodeURIComponent(id)}`
const registrationOf = (id: string): string => `/dashboard/charge-points/${encodeURIComponent(id)}/registration`
const waiting = (id: string, securityProfile: 0 | 1 = 0) =>
  place.writes.createChargePoint(
    aChargePoint({ id, securityProfile, registrationStatus: 'Pending', createdAt: T0, name: XSS }),
  )

it('CONSOLE-A9: a 2.0.1 station that charges is not only occupied in the list', async () => {
  const place = { evseId: 1, connectorId: 1 }
  const open = session(77, { ...place, state: 'charging', stoppedAt: undefined })
  const connectors = [{ ...place, status: 'Occupied', updatedAt: T0 }]
  await commit({ chargePointId: 'CP1', connectors, sessions: [open] })
  expect(await textOf(bob, '/charge-points?q=CP1')).toContain('<span class="chip charging">charging</span>')
  await commit({ chargePointId: 'CP1', sessions: [session(77, { version: 2 })] })
  expect(await textOf(bob, '/charge-points?q=CP1')).toContain('<span class="chip">occupied</span>')
})

it('API-A5: one that waits is approved with its certificate, without a password', async () => {
  const chargePoint = 'NEW/certificate'
  await waiting(chargePoint)
  const csrf = csrfOf(await textOf(ada, pageOf(chargePoint)), '/registration')
  const decided = await ada.post(registrationOf(chargePoint), { csrf, registrationStatus: 'AcceptedWithCertificate' })
  expect(decided.status).toBe(303)
  expect(await place.reads.findChargePoint(chargePoint)).toMatchObject({
    registrationStatus: 'Accepted',
    securityProfile: 3,
  })
})

it('OCPP-AU5: one that introduced itself is approved with a password, which the page asks for, and rejected without', async () => {
  await waiting('NEW4', 1)
  const html = await textOf(ada, pageOf('NEW4'))
  expectTexts(html, 'name="password"', 'AuthorizationKey')
  const csrf = csrfOf(html, '/registration')
  const decided = async (more: Readonly<Record<string, string>>): Promise<string | undefined> => {
    await ada.post(registrationOf('NEW4'), { csrf, ...more })
    return (await place.reads.findChargePoint('NEW4'))?.registrationStatus
  }
  expect(await decided({ registrationStatus: 'Accepted', password: '' })).toBe('Pending')
  expect(await decided({ registrationStatus: 'Accepted', password: 'short' })).toBe('Pending')
  expect(await decided({ registrationStatus: 'Rejected', password: '' })).toBe('Rejected')
  expect(await decided({ registrationStatus: 'Accepted', password: 'a password of its own' })).toBe('Accepted')
  expect((await place.reads.findChargePoint('NEW4'))?.passwordHash).toMatch(/^v1\$/)
})

it('CONSOLE-A20: the page of one that waits offers the decision and no restart; the decision leads back to it', async () => {
  await waiting('NEW5')
  await commit({ chargePointId: 'NEW5', status: { protocol: 'ocpp1.6', lastSeenAt: T0 } })
  const page = '/charge-points/NEW5'
  const html = await textOf(ada, page)
  expect(html).toContain('value="AcceptedWithCertificate"')
  expect([html.includes('value="reset"'), html.includes('value="trigger"')]).toEqual([false, true])
  expect(await textOf(bob, page)).not.toContain('/registration')
  const order = { csrf: csrfOf(html, '/registration'), at: 'its page', registrationStatus: 'Accepted' }
  const answer = await ada.post(registrationOf('NEW5'), order)
  expect(answer.headers.get('location')).toBe(`/dashboard${page}`)
  const accepted = await textOf(ada, page)
  expect([accepted.includes('value="reset"'), accepted.includes('/registration')]).toEqual([true, false])
})

it('OIDC-L2: not without the form’s token, not by members, not for another account', async () => {
  await waiting('NEW3')
  const csrf = csrfOf(await textOf(ada, pageOf('NEW3')), '/registration')
  const path = registrationOf('NEW3')
  const order = { registrationStatus: 'Accepted' }
  expect(await textOf(bob, pageOf('NEW3'))).not.toContain('/registration')
  expect((await bob.post(path, { ...order, csrf })).status).toBe(403)
  expect((await ada.post(path, { ...order, csrf: 'x' })).status).toBe(403)
  expect((await ada.post(path, { ...order, csrf }, { origin: 'https://evil.example' })).status).toBe(403)
  expect((await ada.post(registrationOf('CPB'), { ...order, csrf })).status).toBe(404)
  expect((await ada.post(path, { ...order, csrf, registrationStatus: 'Pending' })).status).toBe(400)
  expect((await place.reads.findChargePoint('NEW3'))?.registrationStatus).toBe('Pending')
  expect((await place.reads.findChargePoint('CPB'))?.registrationStatus).toBe('Accepted')
})

const charged = session(200)
const finish = async (subscriptionId: string, state: 'succeeded' | 'failed'): Promise<string> => {
  const [delivery] = await place.reads.listDeliveries({ subscriptionId, limit: 1 })
  const deliveryId = delivery?.id ?? ''
  const { now } = place
  await place.writes.claimDeliveries({ now: now(), leaseUntil: now() + 60_000 })
  const attempt = {
    number: 1,
    at: now(),
    durationMs: 12,
    url: `https://example.com/${subscriptionId}`,
    status: state === 'succeeded' ? 200 : 500,
    answer: XSS,
    requestHeaders: { 'webhook-id': deliveryId, 'webhook-signature': 'v1,redacted' },
  }
  await place.writes.finishAttempts([{ deliveryId, subscriptionId, attempt, state }], now())
  return deliveryId
}

it('API-P1, HOOK-S1 HOOK-S4: webhooks: endpoints, deliveries, attempts, and every order', async () => {
  const options = { signatureScheme: 'standard-webhooks', verify: 'cloudevents', ratePerMinute: 120 } as const
  await place.writes.createSubscription(subscription('wh_1', { description: XSS, ...options }), 16)
  await commit({ chargePointId: 'CP1', sessions: [charged], events: [event(charged, 10)] })
  const id = await finish('wh_1', 'failed')
  const list = await textOf(ada, '/webhooks')
  expectTexts(list, 'https://example.com/wh_1', '0 of 1')
  expect(list).not.toContain('<script>')

  const path = '/dashboard/webhooks/wh_1'
  const page = await textOf(ada, '/webhooks/wh_1')
  expectTexts(page, 'Standard Webhooks', 'given, for 120 a minute', `${path}/deliveries/${id}`)
  expect(await textOf(ada, '/webhooks/wh_1?state=failed')).toContain(id)
  expect(await textOf(ada, '/webhooks/wh_1?state=held')).not.toContain(id)
  expect(await textOf(ada, '/webhooks/wh_1?state=%3Cb%3E&below=x&replayed=y')).toContain(id)

  const detail = await textOf(ada, `/webhooks/wh_1/deliveries/${id}`)
  expectTexts(detail, 'webhook-signature: v1,redacted', '500')
  expect(detail).not.toContain('<script>')

  const csrf = csrfOf(page, '/test')
  const again = await ada.post(`${path}/deliveries/${id}/redeliver`, { csrf })
  expect([again.status, again.headers.get('location')]).toEqual([303, `${path}/deliveries/${id}`])
  expect((await place.reads.findDelivery('wh_1', id))?.delivery.state).toBe('pending')
  await finish('wh_1', 'succeeded')

  const replayed = await ada.post(`${path}/replay`, { csrf, since: '2020-01-01T00:00' })
  expect(replayed.headers.get('location')).toBe(`${path}?replayed=1`)
  expect(await textOf(ada, '/webhooks/wh_1?replayed=1')).toContain('due now: 1')
  expect((await ada.post(`${path}/replay`, { csrf, since: 'yesterday' })).status).toBe(400)

  const test = await ada.post(`${path}/test`, { csrf })
  expect(test.headers.get('location')).toMatch(/\/deliveries\//)
  for (let n = 0; n < 9; n++) await ada.post(`${path}/test`, { csrf })
  const tooMany = await ada.post(`${path}/test`, { csrf })
  expect([tooMany.status, tooMany.headers.has('retry-after')]).toEqual([429, true])
  expect(await tooMany.text()).toContain('10 tests a minute')
})

it('HOOK-R5: webhooks: a disabled one is enabled again, with or without what was held', async () => {
  await place.writes.createSubscription(subscription('wh_2'), 16)
  await place.writes.disableSubscription('wh_2', 'gone', T0)
  const page = await textOf(ada, '/webhooks/wh_2')
  expect(page).toContain('answered 410')
  const csrf = csrfOf(page, '/enable')
  const path = '/dashboard/webhooks/wh_2'
  expect((await ada.post(`${path}/test`, { csrf })).status).toBe(409)
  expect((await ada.post(`${path}/enable`, { csrf, resume: 'x' })).status).toBe(400)
  expect((await ada.post(`${path}/enable`, { csrf, resume: 'held' })).status).toBe(303)
  expect((await place.reads.findSubscription('wh_2'))?.status).toBe('active')
})

it('HOOK-R8: webhooks: a pause that the receiver asked for is said on the page, and what goes through it', async () => {
  await place.writes.createSubscription(subscription('wh_paused'), 16)
  const at = place.now()
  const attempt = { number: 1, at, durationMs: 1, url: 'https://example.com/', status: 429, requestHeaders: {} }
  const pausedUntil = at + 3_600_000
  await place.writes.finishAttempts(
    [{ deliveryId: 'any', subscriptionId: 'wh_paused', attempt, state: 'failed', pausedUntil }],
    at,
  )
  const reader = { language: 'en', now: at, timeZone: 'UTC' } as const
  const shown = `Paused until</dt><dd class="warn">${shownTime(reader, pausedUntil)}`
  expect(await textOf(ada, '/webhooks/wh_paused')).toContain(shown)
  expect(await textOf(ada, '/webhooks/wh_paused')).toContain('Retry-After')
  expect(await textOf(ada, '/webhooks')).toContain(`Paused until ${shownTime(reader, pausedUntil)}`)
  expect(await textOf(ada, '/webhooks/wh_1')).not.toContain('Paused until')
})

it('OIDC-L2: webhooks: a token is good for one webhook; members and strangers get nothing', async () => {
  const csrf = csrfOf(await textOf(ada, '/webhooks/wh_2'), '/test')
  expect((await ada.post('/dashboard/webhooks/wh_1/replay', { csrf, since: '2020-01-01T00:00' })).status).toBe(403)
  expect((await bob.get('/dashboard/webhooks')).status).toBe(403)
  expect((await place.browser().get('/dashboard/webhooks')).headers.get('location')).toMatch(/\/login\?next=/)
})

it('what is another account’s is not there: 404 for every foreign id, as for unknown ones', async () => {
  const paths = ['wh_1', 'wh_1/deliveries/x', 'unknown'].map((rest) => `/dashboard/webhooks/${rest}`)
  for (const path of [`/dashboard/charging-sessions/${uuid(1)}`, '/dashboard/charging-sessions/none', ...paths]) {
    expect([path, (await eve.get(path)).status]).toEqual([path, 404])
  }
})
