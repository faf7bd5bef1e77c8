/** The pages about sessions: filters, totals, CSV, and what is ordered from them. */

import { afterAll, expect, it } from 'vitest'
import { openOperatorPlace } from '../../../test/support/console/testing.ts'
import { csrfOf } from '../../../test/support/oidc/browser.ts'
import type { Place } from '../../../test/support/oidc/testing.ts'
import { aTariff } from '../../../test/support/records.ts'
import { aSession, aTransaction } from '../../../test/support/storage-contract/records.ts'
import { expectTexts } from '../../../test/support/texts.ts'
import { newMeter } from '../../domain/energy/meter.ts'
import { logIdAt } from '../../domain/message-log/log-id.ts'
import type { SettleOrder } from '../../domain/ports/core.ts'
import type { Session } from '../../domain/ports/sessions.ts'
import { refuse } from '../../domain/refuse.ts'

const XSS = '"><script>alert(1)</script>'
const T0 = Date.UTC(2026, 7, 1, 12)
const TARIFF = aTariff({ perKwhMicros: 400_000, perMinuteMicros: 10_000, perSessionMicros: 350_000 })

const stopped: string[] = []
const settled: SettleOrder[] = []

const uuid = (n: number): string => `01900000-0000-7000-8000-${String(n).padStart(12, '0')}`

function session(n: number, change: Partial<Session> = {}): Session {
  return aSession({
    id: uuid(n),
    state: 'completed',
    energyMilliWh: 10_000_000,
    startedAt: T0 + n * 60_000,
    stoppedAt: T0 + n * 60_000 + 90_000,
    createdAt: T0 + n * 60_000,
    ...change,
  })
}

async function put(...sessions: readonly Session[]): Promise<void> {
  for (const one of sessions) {
    const [result] = await place.core.commit([{ chargePointId: one.chargePointId, sessions: [one] }])
    if (result && !result.ok) throw result.error
  }
}

const place: Place = await openOperatorPlace({
  stopSession: async (_, id) => {
    stopped.push(id)
    return session(1, { id, state: 'finishing' })
  },
  settle: async (order) => {
    settled.push(order)
    if (order.costMicros === 666_000_000) return refuse(409, 'currency_mismatch', XSS)
    const { costMicros = 0 } = order
    const before = (await place.reads.findSession(order.sessionId)) ?? session(1)
    const cost = { micros: costMicros, currency: 'EUR' }
    const after = { ...before, cost, settlementCount: (before.settlementCount ?? 0) + 1, version: before.version + 1 }
    await put(after)
    return { session: after, counted: true }
  },
})
const ada = await place.signedIn(place.ada)
const bob = await place.signedIn(place.bob)
const eve = await place.signedIn(place.eve)
const mia = await place.signedIn(place.mia)
const failed = { state: 'failed', endReason: 'rejected', startedAt: undefined, stoppedAt: undefined } as const
const running = { state: 'charging', stoppedAt: undefined } as const
await place.writes.updateChargePoint('A', 'CP1', { labels: { site: 'North' } })
await place.writes.updateChargePoint('A', 'CP2', { labels: { site: 'a:b', floor: '1' } })
await place.writes.updateChargePoint('B', 'CPB', { labels: { site: 'North' } })
await put(
  session(1, { idToken: 'Card-1', externalReference: 'order 7', cost: { micros: 4_365_000, currency: 'EUR' } }),
  session(2, { ...failed, connectorId: 2, idToken: XSS }),
  session(3, { ...running, chargePointId: 'CP2', energyMilliWh: 5_000_000, startedAt: T0 }),
  session(4, running),
  session(5, { accountId: 'B', chargePointId: 'CPB', idToken: 'Card-1' }),
  session(6, { chargePointId: 'GONE', externalReference: '=1+1,"x"' }),
)
afterAll(() => place.close())

const newestRecord = async () => (await place.reads.searchAudit({ accountId: 'A', limit: 1 }))[0]

const shown = (path: string, status = 200, browser = bob): Promise<string> => browser.page(`/dashboard${path}`, status)

const found = (html: string): readonly number[] =>
  [...html.matchAll(/charging-sessions\/01900000-0000-7000-8000-(\d+)"/g)].map(([, n]) => Number(n))

it.each([
  // CONSOLE-C14: number 3 began before all of them.
  ['', [6, 4, 2, 1, 3]],
  ['?state=running', [4, 3]],
  ['?state=failed', [2]],
  ['?evseControllerId=CP1', [4, 2, 1]],
  ['?chargePoint=CP1', [4, 2, 1]],
  ['?evseControllerId=GONE', [6]],
  ['?label=site:North', [4, 2, 1]],
  ['?label=site:North&label=floor:1', []],
  ['?label=floor:1&label=site:a:b&state=running', [3]],
  ['?label=site:North&evseControllerId=CP2', []],
  ['?label=none:x', []],
  ['?idToken=cARD-1', [1]],
  ['?externalReference=order+7', [1]],
  ['?from=2026-08-01T12%3A02&to=2026-08-01T12%3A04', [2, 3]],
  ['?from=2026-08-01T12:02:00Z&to=2026-08-01T14:04:00%2B02:00', [2, 3]],
  ['?startedFrom=2026-08-01T12:00&startedTo=2026-08-01T12:02', [1, 3]],
  ['?startedFrom=2026-08-01T14:04:00%2B02:00', [6, 4]],
  ['?period=today', []],
  ['?from=2026-08-02', []],
])('CONSOLE-C6: the page of sessions: %s', async (query, expected) => {
  expect(found(await shown(`/charging-sessions${query}`))).toEqual(expected)
})

it.each([
  ['?state=open', 'State = open'],
  ['?from=yesterday', 'Created from = yesterday'],
  ['?startedFrom=soon', 'Started from = soon'],
  ['?startedFrom=2026-08-02&startedTo=2026-08-01', '“Started before” must be later than “Started from”'],
  ['?period=ever', 'period = ever'],
  ['?label=site:North&label=North', 'Label (key:value) = site:North, North'],
  ['?label=Site:North', 'Label (key:value) = Site:North'],
  ['?from=2026-08-01T12:00&to=2026-08-01T11:00', '“Created before” must be later than “Created from”'],
  [`?idToken=${'x'.repeat(300)}`, `Card = ${'x'.repeat(300)}`],
])('CONSOLE-C6, CONSOLE-L1: the page of sessions: %s is 400, named, and keeps what was asked', async (query, fault) => {
  const html = await shown(`/charging-sessions${query}`, 400)
  expectTexts(html, `role="alert">This cannot be searched for: ${fault}</p>`, 'name="state"')
  const file = await bob.get(`/dashboard/charging-sessions.csv${query}`)
  expect([file.status, await file.text()]).toEqual([400, `This cannot be searched for: ${fault}`])
})

it('CONSOLE-C6: the page of sessions: a charge point that nobody knows is 404 and named; what is foreign is unknown', async () => {
  expect(await shown('/charging-sessions?chargePoint=NOPE', 404)).toContain('There is no charge point NOPE')
  expect(await shown('/charging-sessions?evseControllerId=CPB', 404)).not.toContain(uuid(5))
  const hostile = await shown(`/charging-sessions?evseControllerId=${encodeURIComponent(XSS)}`, 404)
  expect(hostile).not.toContain('<script>alert')
})

it('CONSOLE-C6: the page of sessions: a charge whose station is offline is amber and says so', async () => {
  const html = await shown('/charging-sessions?state=running')
  const rows = html.split('<tr>').filter((row) => row.includes('charging-sessions/'))
  expect(rows.map((row) => /chip (\w+)/.exec(row)?.[1])).toEqual(['charging', 'amber'])
  expect(rows.map((row) => row.includes('charge point offline'))).toEqual([false, true])
})

it('CONSOLE-C4: the page of sessions: totals of what is found, and why one failed', async () => {
  const html = await shown('/charging-sessions?evseControllerId=CP1&to=2026-08-01T12:04')
  expect(html).toMatch(/<dt>Sessions<\/dt><dd>2<\/dd>/)
  expectTexts(html, '<dd>20.000 kWh</dd>', '<dd>4.36 EUR</dd>', '<dd>1 min</dd>', 'the charge point refused the start')
  expect(html).not.toContain('<script>alert')
})

it('CONSOLE-C7: the page of sessions: the same as CSV, safe to open', async () => {
  const response = await bob.get('/dashboard/charging-sessions.csv')
  expect(response.headers.get('content-type')).toContain('text/csv')
  expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="sessions-[\w.-]+\.csv"$/)
  const [header = '', ...lines] = (await response.text()).trim().split('\r\n')
  expect(header.split(',').slice(0, 6)).toEqual([
    'id',
    'createdAt',
    'evseControllerId',
    'evseId',
    'connectorId',
    'state',
  ])
  expect(lines.map((line) => Number(line.slice(24, 36)))).toEqual([6, 4, 2, 1, 3])
  expect(lines[0]).toContain(`"'=1+1,""x"""`)
  expect(lines[3]).toContain(',completed,,Card-1,order 7,,2026-08-01T12:01:00.000Z,2026-08-01T12:02:30.000Z,90,10,')
  const one = await (await bob.get('/dashboard/charging-sessions.csv?state=failed')).text()
  expect(one.trim().split('\r\n')).toHaveLength(2)
  const labelled = await (await bob.get('/dashboard/charging-sessions.csv?label=site:North&state=failed')).text()
  expect(labelled.trim().split('\r\n')).toHaveLength(2)
  const html = await shown('/charging-sessions?label=site:a%3Ab&label=floor:1')
  expect(html).toContain('/dashboard/charging-sessions.csv?label=site%3Aa%3Ab&amp;label=floor%3A1"')
  expect(html.match(/name="label"/g)).toHaveLength(2)
})

it('CONSOLE-C8: the page of one session: its timeline has a tab of its own, and its messages are those of the log', async () => {
  const one = session(40, { transactionId: 'T&40' })
  await place.core.commit([{ chargePointId: 'CP1', sessions: [one] }])
  const path = `/dashboard/charging-sessions/${one.id}`
  const html = await (await ada.get(path)).text()
  expect(html).toMatch(/aria-current="page">Overview</)
  expect(html).toContain('href="/dashboard/charge-points/CP1?transactionId=T%2640#messages"')
  const timeline = await (await ada.get(`${path}?tab=timeline`)).text()
  expect(timeline).toMatch(/aria-current="page">Timeline</)
  expect(timeline).toContain('Nothing has happened yet.')
  expect(timeline).not.toContain('data-live="course"')
})

it('CONSOLE-C8: the page of one session: its details, its electric readings and its cost by tariff', async () => {
  const at = (minutes: number) => ({ occurredAt: T0 + minutes * 60_000, receivedAt: T0 })
  const charged = session(20, {
    transactionId: '20',
    tariff: TARIFF,
    cost: { micros: 4_365_000, currency: 'EUR' },
    endReason: 'interrupted',
    lastEventAt: T0 + 60 * 60_000,
  })
  const transaction = aTransaction({
    transactionId: '20',
    sessionId: charged.id,
    open: false,
    startedAt: at(20),
    meter: newMeter({ registerMilliWh: 5_000_000 }),
    stopReason: 'EmergencyStop',
    stopRegisterMilliWh: 15_000_000,
  })
  const sampled = (value: string, measurand: string, phase?: string, unit?: string) => ({
    value,
    measurand,
    phase,
    unit,
  })
  const sampledValue = [
    sampled('16.1', 'Current.Import', 'L1', 'A'),
    sampled('15.9', 'Current.Import', 'L2', 'A'),
    sampled('230', 'Voltage', 'L1-N', 'V'),
    sampled(XSS, 'Voltage', 'L2-N', 'V'),
    sampled('1', 'Current.Import', XSS, 'A'),
  ]
  const meterValue = [{ timestamp: new Date(T0 + 21 * 60_000).toISOString(), sampledValue }]
  const command = {
    id: logIdAt(T0 + 21 * 60_000),
    chargePointId: 'CP1',
    direction: 'in',
    method: 'MeterValues',
    messageId: 'm',
    protocol: 'ocpp1.6',
    transactionId: '20',
    status: 'success',
    request: JSON.stringify({ connectorId: 1, transactionId: 20, meterValue }),
    response: '{}',
  } as const
  await place.core.commit([{ chargePointId: 'CP1', command, transactions: [transaction] }])
  await put(charged)
  const html = await shown(`/charging-sessions/${charged.id}`)
  expect(html).toContain('<dt>Reason given by the charge point</dt><dd>emergency stop was pressed (EmergencyStop)</dd>')
  expectTexts(html, 'L1 16.1 A · L2 15.9 A', 'L1-N 230 V', 'no end was reported')
  expect(html).toContain('<dt>Meter at start</dt><dd>5.000 kWh</dd><dt>Meter at stop</dt><dd>15.000 kWh</dd>')
  const cost = html.slice(html.indexOf('Cost by tariff'))
  expectTexts(cost, '<td class="number">4.00 EUR</td>', '<td class="number">0.015 EUR</td>')
  expect(cost).toContain('<strong>4.36 EUR</strong>')
  expect(html).not.toContain('<script>alert')
})

it('CONSOLE-C9: the page of one session: is stopped after one question; twice is once more the same page', async () => {
  const path = `/dashboard/charging-sessions/${uuid(4)}`
  expect(await (await ada.get(path)).text()).toContain(`href="${path}?ask=stop">Stop charging`)
  const html = await (await ada.get(`${path}?ask=stop`)).text()
  expect(html).toContain('The charge point is asked to end this session')
  const csrf = csrfOf(html, `${path}/stop`)
  for (const _ of [1, 2]) {
    const answer = await ada.post(`${path}/stop`, { csrf })
    expect([answer.status, answer.headers.get('location')]).toEqual([303, path])
  }
  expect(stopped).toEqual([uuid(4), uuid(4)])
  const over = `/dashboard/charging-sessions/${uuid(1)}`
  const wrong = await ada.post(`${over}/stop`, { csrf })
  expect(wrong.status).toBe(403)
})

it('CONSOLE-C9: the page of one session: others have no such forms, and are refused', async () => {
  const path = `/dashboard/charging-sessions/${uuid(4)}`
  expect(await (await bob.get(path)).text()).not.toContain('/stop"')
  const csrf = csrfOf(await (await ada.get(`${path}?ask=stop`)).text(), `${path}/stop`)
  expect(await (await bob.get(`${path}?ask=stop`)).text()).not.toContain('/stop"')
  const before = stopped.length
  expect((await bob.post(`${path}/stop`, { csrf })).status).toBe(403)
  expect((await bob.post(`${path}/settlements`, { csrf, energyKwh: '1' })).status).toBe(403)
  expect(await newestRecord()).toMatchObject({
    actor: 'bob@example.com',
    kind: 'charging-sessions/settlements',
    subject: uuid(4),
    outcome: 'forbidden',
  })
  expect((await mia.get(path)).status).toBe(403)
  expect((await eve.get(path)).status).toBe(404)
  expect(stopped.length).toBe(before)
})

it('CONSOLE-C9, ADMIN-D1: the page of one session: is settled and corrected; the same form sent twice counts once, and an old one is refused', async () => {
  const path = `/dashboard/charging-sessions/${uuid(1)}`
  expect(await (await ada.get(path)).text()).toContain('?ask=settle">Settle')
  const html = await (await ada.get(`${path}?ask=settle`)).text()
  const form = {
    csrf: csrfOf(html, `${path}/settlements`),
    version: '1',
    energyKwh: '10',
    cost: '5.50',
    reason: 'so',
  }
  for (const _ of [1, 2]) expect((await ada.post(`${path}/settlements`, form)).status).toBe(303)
  expect(settled).toEqual([
    { accountId: 'A', sessionId: uuid(1), costMicros: 5_500_000, by: 'user ada@example.com', reason: 'so' },
  ])
  const old = await ada.post(`${path}/settlements`, { ...form, cost: '7' })
  expect([old.status, await old.text()]).toEqual([409, expect.stringContaining('has changed in the meantime')])
  for (const wrong of ['-1', '1e3', 'NaN', '1,5,5', '9999999999']) {
    const refused = await ada.post(`${path}/settlements`, { ...form, version: '2', cost: wrong })
    expect([wrong, refused.status]).toEqual([wrong, 400])
  }
  const allWrong = { energyKwh: '<kWh>', cost: '-1', currency: 'EURO', reason: 'r'.repeat(256) }
  const again = await (await ada.post(`${path}/settlements`, { ...form, version: '2', ...allWrong })).text()
  for (const kept of ['value="&lt;kWh&gt;"', 'value="-1"', `value="${allWrong.reason}"`]) expect(again).toContain(kept)
  expect(again.match(/class="warn" role="alert"/g)?.length).toBeGreaterThanOrEqual(3)
  const core = await ada.post(`${path}/settlements`, { ...form, version: '2', cost: '666' })
  expect([core.status, (await core.text()).includes('<script>alert')]).toEqual([409, false])
  expect(await (await ada.get(path)).text()).toContain('?ask=settle">Correct')
})
