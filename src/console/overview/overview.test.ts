import { expect, it } from 'vitest'
import { operatorsOfTest } from '../../../test/support/console/testing.ts'
import { type Browser, csrfOf } from '../../../test/support/oidc/browser.ts'
import { aChargePoint } from '../../../test/support/storage-contract/records.ts'
import { expectTexts, expectWithout } from '../../../test/support/texts.ts'
import { newMeter } from '../../domain/energy/meter.ts'
import type { NodeFacts } from '../../domain/ports/nodes.ts'
import type { Session, Transaction } from '../../domain/ports/sessions.ts'

const HOSTILE = `"><script>alert(1)</script>\u202e\u05d0${'x'.repeat(450)}`
let otto: Browser
const online = new Set<string>()
const installed: { nodes?: readonly NodeFacts[] | undefined; lastBackupAt?: number | undefined } = {}

const installation = {
  nodes: async () => installed.nodes,
  storageFigures: async () => ({ lastBackupAt: installed.lastBackupAt }),
}
const { place, ada, bob } = await operatorsOfTest({ onlineChargePoints: async () => [...online] }, { installation })
otto = await place.signedIn(place.otto)

const page = (browser = ada, path = '/dashboard'): Promise<string> => browser.page(path)

/** The links of the figures with the numbers in them. */
function figures(html: string): Readonly<Record<string, { readonly to: string; readonly text: string }>> {
  const found = [...html.matchAll(/<a href="([^"]*)"[^>]* data-figure="(\w+)">(.*?)<\/a>/gs)]
  return Object.fromEntries(
    found.map(([, to = '', name = '', text = '']) => {
      const [, figure = text] = /<strong>(.*?)<\/strong>/s.exec(text) ?? []
      return [name, { to: to.replaceAll('&amp;', '&'), text: figure.replaceAll(/<[^>]*>/g, '').trim() }]
    }),
  )
}

function session(id: string, change: Partial<Session>): Session {
  const createdAt = place.now() - 3_600_000
  const rest = { accountId: 'A', state: 'charging', transactionId: id, createdAt, version: 1, flags: [] } as const
  return { id, chargePointId: 'CP1', energyMilliWh: 0, startedAt: createdAt, ...rest, ...change }
}

function transaction({ id, chargePointId }: Session, powerMilliW: number): Transaction {
  const at = place.now()
  const times = { startedAt: { occurredAt: at, receivedAt: at }, lastSignOfLifeAt: at }
  const meter = { ...newMeter({}), newest: { power: [at, 0, powerMilliW, -1, -1, -1] } }
  const rest = { open: true, meter, authorised: true, flags: [] }
  return { chargePointId, transactionId: id, sessionId: id, ...times, ...rest }
}

it('counts what its links show', async () => {
  const { writes, core } = place
  await writes.createChargePoint(aChargePoint({ id: 'WAITS', registrationStatus: 'Pending', createdAt: place.now() }))
  const charging = session('s1', { energyMilliWh: 2_500_000 })
  const away = session('s2', { chargePointId: 'CP2', energyMilliWh: 1_000_000 })
  await core.commit([
    { chargePointId: 'CP1', sessions: [charging], transactions: [transaction(charging, 11_000_000)] },
    { chargePointId: 'CP1', sessions: [session('s3', { state: 'pending', transactionId: undefined })] },
    { chargePointId: 'CP2', sessions: [away], transactions: [transaction(away, 7_000_000)] },
    {
      chargePointId: 'CP1',
      connectors: [
        { connectorId: 1, status: 'Charging', updatedAt: 1 },
        {
          connectorId: 2,
          status: 'Faulted',
          errorCode: 'GroundFailure',
          vendorErrorCode: HOSTILE,
          info: HOSTILE,
          updatedAt: Date.UTC(2026, 7, 1, 12),
        },
      ],
    },
  ])
  online.add('CP1')
  const html = await page()
  const shown = figures(html)
  expect(Object.fromEntries(Object.entries(shown).map(([name, { text }]) => [name, text.split(' ')[0]]))).toEqual({
    online: '1',
    offline: '1',
    pending: '1',
    faulted: '1',
    charging: '1',
    power: '11.0',
    energy: expect.stringMatching(/^\d\.\d$/),
    running: '3',
    webhooks: 'Webhooks',
  })
  for (const name of ['online', 'offline', 'pending', 'faulted', 'charging']) {
    const list = await page(ada, shown[name]?.to)
    expect([name, [...list.matchAll(/<td class="name"/g)].length]).toEqual([name, 1])
  }
  // A start that waits is not over either.
  expect(await page(ada, shown.running?.to)).toContain('<dt>Sessions</dt><dd>3</dd>')
  expect(await page(ada, shown.power?.to)).toContain('<dt>Sessions</dt><dd>2</dd>')
  const today = await page(ada, shown.energy?.to)
  expect(today).toMatch(/name="from" value="\d{4}-\d\d-\d\dT00:00"/)
  expectTexts(html, 'GroundFailure', '1 Aug 2026, 12:00:00 UTC')
  expect(html).not.toContain('<script>alert')
  expectTexts(html, 'class="chart power"', 'WAITS', 'Approve…')
})

it('CONSOLE-A1, CONSOLE-A21: the overview: says at which site half of the stations are offline, and of all only that', async () => {
  const { writes, core } = place
  const site = `<b>Fair & ${HOSTILE.slice(0, 40)}`
  for (const at of [1, 2, 3, 4, 5, 6]) {
    await writes.createChargePoint(aChargePoint({ id: `FAIR${at}`, createdAt: place.now(), labels: { site } }))
    await core.commit([{ chargePointId: `FAIR${at}`, status: { lastSeenAt: place.now() - 60_000 * at } }])
  }
  const here = ['FAIR6', ...[1, 2, 3, 4, 5].map((at) => `HERE${at}`)]
  for (const id of here.slice(1)) {
    const account = { accountId: 'A', securityProfile: 1, registrationStatus: 'Accepted' } as const
    await writes.createChargePoint({ id, ...account, createdAt: 0 })
    await core.commit([{ chargePointId: id, status: { lastSeenAt: 1 } }])
  }
  for (const id of here) online.add(id)
  const html = await page()
  expectTexts(html, '83\u202f% of charge points at <bdi>&lt;b&gt;Fair &amp; ', '5 of 6.')
  expect(html).not.toContain('<b>Fair')
  const to = /<a class="button main" href="([^"]*)"/.exec(html)?.[1]?.replaceAll('&amp;', '&')
  expect([...(await page(ada, to)).matchAll(/<td class="name"/g)]).toHaveLength(5)
  const ask = async (browser: Browser) => {
    const token = csrfOf(await page(browser), '/dashboard/outages/care')
    return (await browser.post('/dashboard/outages/care', { csrf: token, site })).status
  }
  expect(await page(bob)).not.toContain('/outages/care')
  expect(await ask(otto)).toBe(303)
  const taken = await page()
  expect(taken).toMatch(/class="banner quiet"(?:(?!<\/section>).)*<bdi title="[^"]*">/)
  expect(taken).not.toContain('/outages/care')
  for (const id of here.slice(1)) online.delete(id)
  const all = await (await ada.get('/dashboard?ui_locales=de')).text()
  expect(all.match(/role="alert"/g)).toHaveLength(1)
  expect(all).toMatch(/\d\d\u202f% aller Ladestationen offline seit/)
  for (const id of here) {
    online.delete(id)
    await writes.deleteChargePoint('A', id)
  }
  for (const at of [1, 2, 3, 4, 5]) await writes.deleteChargePoint('A', `FAIR${at}`)
})

it('CONSOLE-A1, CONSOLE-A22: the overview: puts faults together by error, site and model, as the address says', async () => {
  const { writes } = place
  await writes.updateChargePoint('A', 'CP1', { labels: { site: HOSTILE.slice(0, 200) } })
  const rows = (html: string) => [...html.matchAll(/<a class="name-link" href="([^"]*)"/g)].map(([, to = '']) => to)
  const byError = await page(ada, '/dashboard?by=error')
  expect(rows(byError)).toEqual(['/dashboard/charge-points?online=true&amp;status=Faulted&amp;errorCode=GroundFailure'])
  expectTexts(byError, 'aria-current="page">By error</a>', 'Reset 1…')
  const order = /href="([^"]*new-bulk-order[^"]*)"/.exec(byError)?.[1]?.replaceAll('&amp;', '&') ?? ''
  const all = 'online=true&status=Faulted&errorCode=GroundFailure'
  expect(order).toBe(`/dashboard/new-bulk-order?${new URLSearchParams({ kind: 'reset', all })}`)
  const bySite = await page(bob, '/dashboard?by=site')
  expectWithout(bySite, '<script>alert', 'new-bulk-order')
  const [to = ''] = rows(bySite)
  expect([...(await page(ada, to.replaceAll('&amp;', '&'))).matchAll(/<td class="name"/g)]).toHaveLength(1)
  expect(await page(ada, '/dashboard?by=model')).toContain('model not known')
  // What is no grouping is none.
  expect(await page(ada, '/dashboard?by=%3Cb%3E')).toContain('aria-current="page">Most urgent</a>')
  expect(rows(await page(await place.signedIn(place.eve), '/dashboard?by=error'))).toEqual([])
  await writes.updateChargePoint('A', 'CP1', { labels: { site: null } })
})

it('CONSOLE-A1, CONSOLE-A23: the overview: somebody takes care of a charge point, until something begins there again', async () => {
  const { core, writes, reads } = place
  const otto = await place.signedIn(place.otto)
  const alert = { kind: 'faulted', ruleId: 'r', ruleName: 'r', about: 'CP1', facts: { stationId: 'CP1' } } as const
  const since = { since: 1, raisedAt: 1, state: 'raised' } as const
  const elsewhere = { ...alert, ...since, accountId: 'A', id: 'a2', about: 'CP2', facts: { stationId: 'CP2' } }
  await writes.putRecords('alerts', [{ ...alert, ...since, accountId: 'A', id: 'a1' }, elsewhere])
  const path = '/dashboard/charge-points/CP1/care'
  const html = await page(otto)
  const sent = { csrf: csrfOf(html, '/CP1/care') }
  expect(await page(bob)).not.toContain('/care"')
  expect((await bob.post(path, sent)).status).toBe(403)
  expect((await otto.post(path, {})).status).toBe(403)
  expect((await otto.post('/dashboard/charge-points/CPB/care', sent)).status).toBe(404)
  const taken = await otto.post(path, sent)
  expect([taken.status, taken.headers.get('location')]).toEqual([303, '/dashboard/'])
  const after = await page()
  expect(after).toContain('<bdi title="otto@example.com">otto</bdi>')
  expect(after.match(/<a class="chip bad held" [^>]*><bdi>GroundFailure/)?.length).toBe(1)
  expect(await reads.getRecord('alert_acknowledgements', { accountId: 'A', alertId: 'a1' })).toMatchObject({
    by: 'otto@example.com',
  })
  expect(await reads.getRecord('alert_acknowledgements', { accountId: 'A', alertId: 'a2' })).toBeUndefined()
  const again = { connectorId: 2, status: 'Faulted', errorCode: 'HighTemperature', updatedAt: place.now() + 1000 }
  await core.commit([{ chargePointId: 'CP1', connectors: [again] }])
  expect((await page()).match(/<a class="chip bad" [^>]*><bdi>HighTemperature/)?.length).toBe(1)
  expect((await otto.post(path, { ...sent, at: 'station' })).headers.get('location')).toBe(
    '/dashboard/charge-points/CP1',
  )
})

it('CONSOLE-A1, CONSOLE-A25: the overview: says how nodes, webhooks and backups are, to those who run the installation', async () => {
  const said = (html: string) => /<ul class="health">(.*?)<\/ul>/s.exec(html)?.[1]?.replaceAll(/<[^>]+>/g, ' ') ?? ''
  const now = place.now()
  const node = { version: '1', since: now, lastSeenAt: now, connections: 0 }
  installed.nodes = [
    { ...node, name: HOSTILE.slice(0, 60), state: 'silent' },
    { ...node, name: 'b', state: 'live' },
    { ...node, name: 'c', state: 'fenced' },
  ]
  installed.lastBackupAt = now - 3 * 86_400_000
  const shown = await page()
  expect(said(shown)).toMatch(/Nodes\s+silent: .*1 of 2/)
  expect(said(shown)).toMatch(/Backups\s+3 days ago\s+old/)
  expect(said(shown)).toContain('nothing waiting')
  expect(shown).not.toContain('<script>alert')
  installed.nodes = undefined
  installed.lastBackupAt = undefined
  expect(said(await page())).toMatch(/1 of 1 responding\s+healthy/)
  expect(said(await page())).toContain('no verified backup')
  expect(said(await page(bob))).not.toMatch(/Nodes|Backups|Webhooks/)
  expect(said(await page(bob))).toContain('2 failed writes')
})

it('CONSOLE-A1, CONSOLE-A3: the overview: energy of today is what was delivered since midnight', async () => {
  const energy = Number(figures(await page()).energy?.text.split(' ')[0])
  const sinceMidnight = place.now() % 86_400_000
  // Both sessions charged evenly through the last hour.
  expect(energy).toBeCloseTo(3.5 * Math.min(1, sinceMidnight / 3_600_000), 1)
})

it('CONSOLE-A1: the overview: shows no webhooks to who may not see them, and the same in German', async () => {
  expect(figures(await page(bob))).not.toHaveProperty('webhooks')
  const german = await (await ada.get('/dashboard?ui_locales=de')).text()
  expectTexts(german, 'warten auf Freigabe', '<html lang="de">')
})

it('CONSOLE-A14: the overview: on an empty account it says how to begin', async () => {
  const eve = await place.signedIn(place.eve)
  await place.writes.deleteChargePoint('B', 'CPB')
  const html = await page(eve)
  expectTexts(html, 'value="ws://localhost:8080/ocpp/"', 'class="qr"', 'npm run simulate', '/2/id-tokens')
  expect(Object.keys(figures(html))).toEqual([])
})

it.each(['/dashboard/nothing', '/dashboard/charge-points/NOPE', '/dashboard/a/b/c'])(
  'CONSOLE-A6: what is not there (%s) says so within the navigation, without advice about applications',
  async (path) => {
    const response = await ada.get(path)
    const html = await response.text()
    expect(response.status).toBe(404)
    expectTexts(html, '<nav ', 'Back to the overview')
    expect(html).not.toContain('tell its developer')
  },
)

it('CONSOLE-A6: who may not see a page keeps the navigation', async () => {
  const response = await bob.get('/dashboard/webhooks')
  const html = await response.text()
  expect([response.status, html.includes('<nav '), html.includes('tell its developer')]).toEqual([403, true, false])
})

it('CONSOLE-A6: the first address leads to the dashboard, and there is an icon', async () => {
  const root = await ada.get('/')
  expect([root.status, root.headers.get('location')]).toEqual([303, '/dashboard'])
  expect((await ada.get('/favicon.ico')).headers.get('content-type')).toBe('image/svg+xml')
})

it('CONSOLE-A6, CONSOLE-A7: sign-in leads back to the page that was asked for, with its query', async () => {
  const asked = '/dashboard/charge-points?status=Faulted&q=a%20b'
  const stranger = await place.browser().get(asked)
  const login = stranger.headers.get('location') ?? ''
  expect(login).toBe(`/dashboard/login?${new URLSearchParams({ next: asked })}`)
  expect((await ada.get(login)).headers.get('location')).toBe(asked)
})
