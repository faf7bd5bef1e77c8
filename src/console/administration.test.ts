import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { operatorsOfTest } from '../../test/support/console/testing.ts'
import { type Browser, csrfOf, fieldsOf } from '../../test/support/oidc/browser.ts'
import { createCredential } from '../domain/accounts/credentials.ts'

const { place, ada, otto, bob, mia } = await operatorsOfTest()

const textOf = (browser: Browser, path: string): Promise<string> => browser.page(`/dashboard${path}`)
const statusOf = async (browser: Browser, path: string) => (await browser.get(`/dashboard${path}`)).status
const newest = async () => (await place.reads.searchAudit({ accountId: 'A', limit: 1 }))[0]

it('ADMIN-A1: each role has its pages, and members have no console', async () => {
  const open = async (browser: Browser) => {
    const paths = ['/charging-sessions', '/id-tokens', '/tariffs', '/webhooks', '/users', '/audit', '/applications']
    const statuses = await Promise.all(paths.map((path) => statusOf(browser, path)))
    return paths.filter((_, at) => statuses[at] === 200)
  }
  const seen = ['/charging-sessions', '/id-tokens', '/tariffs', '/applications']
  expect(await open(ada)).toHaveLength(7)
  expect(await open(otto)).toEqual(seen)
  expect(await open(bob)).toEqual(seen)
  expect(await open(mia)).toEqual(['/applications'])
  const home = await mia.get('/dashboard')
  expect([home.status, home.headers.get('location')]).toEqual([303, '/dashboard/applications'])
  expect(await textOf(mia, '/applications')).not.toContain('/charge-points')
})

it('ADMIN-A2: a viewer who posts by hand is refused, and that is recorded', async () => {
  expect(await textOf(bob, '/id-tokens')).not.toContain('name="csrf" value="" />')
  const answer = await bob.post('/dashboard/id-tokens', { id: 'MINE', csrf: 'x' })
  expect(answer.status).toBe(403)
  expect(await newest()).toMatchObject({
    actor: 'bob@example.com',
    role: 'viewer',
    kind: 'id-tokens',
    outcome: 'forbidden',
  })
  expect((await otto.post('/dashboard/users', { email: 'x@example.com', csrf: 'x' })).status).toBe(403)
  expect(await newest()).toMatchObject({ actor: 'otto@example.com', kind: 'users', outcome: 'forbidden' })
  expect(await place.reads.findIdToken('A', 'MINE')).toBeUndefined()
})

const LIST = '/dashboard/id-tokens'

it('ADMIN-C1, ADMIN-D2, ADMIN-G1: cards: made once however often the form is sent, blocked, changed and deleted', async () => {
  const html = await textOf(otto, '/id-tokens')
  const fields = { csrf: csrfOf(html, '/import/id-tokens'), once: fieldsOf(html, 'once')[0] ?? '', id: 'CARD 1/2' }
  const twice = await Promise.all([otto.post(LIST, fields), otto.post(LIST, fields)])
  expect(twice.map(({ status }) => status)).toEqual([303, 303])
  expect(await newest()).toMatchObject({ actor: 'otto@example.com', role: 'operator', subject: 'CARD 1/2' })
  const path = `${LIST}/${encodeURIComponent('CARD 1/2')}`
  expect((await otto.post(LIST, { ...fields, once: 'other' })).status).toBe(409)
  expect((await otto.post(`${path}/block`, fields)).status).toBe(303)
  expect((await place.reads.findIdToken('A', 'CARD 1/2'))?.status).toBe('Blocked')
  expect(await newest()).toMatchObject({ kind: 'id-tokens/block', subject: 'CARD 1/2', outcome: 'done' })
  const change = {
    csrf: fields.csrf,
    type: 'eMAID',
    status: 'Accepted',
    expiresAt: '2027-01-01T00:00:00Z',
    groupId: 'g',
  }
  expect((await otto.post(path, change)).status).toBe(303)
  expect(await place.reads.findIdToken('A', 'CARD 1/2')).toMatchObject({ type: 'eMAID', groupId: 'g' })
  expect(await textOf(bob, '/id-tokens?q=card')).toContain('CARD 1/2')
  expect(await textOf(bob, '/id-tokens?q=%25')).not.toContain('CARD 1/2')
  const deletion = { csrf: fields.csrf }
  expect((await otto.post(`${path}/delete`, deletion)).status).toBe(303)
  expect((await otto.post(`${path}/delete`, deletion)).status).toBe(404)
})

it('ADMIN-H1: tariffs: made and changed by administrators, previewed by whoever sees them', async () => {
  const csrf = csrfOf(await textOf(ada, '/tariffs'), '/tariffs')
  const wrong = await ada.post('/dashboard/tariffs', { csrf, currency: 'XX', perKwh: '-1', chargePoint: 'CPB' })
  expect([wrong.status, (await wrong.text()).includes('value="-1"')]).toEqual([400, true])
  const made = await ada.post('/dashboard/tariffs', { csrf, currency: 'EUR', perKwh: '0.5', perMinute: '0.02' })
  const path = (made.headers.get('location') ?? '').replace('/dashboard', '')
  expect(await textOf(bob, path)).toContain('11.20 EUR')
  expect(await textOf(bob, `${path}?energy=40&minutes=60&idle=0`)).toContain('21.20 EUR')
  const typed = { csrf, currency: 'EUR', perKwh: '0,4', energy: '10', minutes: '0', idle: '0' }
  for (const trial of ['/tariffs/try', `${path}/try`]) {
    const tried = await ada.post(`/dashboard${trial}`, typed)
    expect([tried.status, (await tried.text()).includes('4.00 EUR')]).toEqual([200, true])
    expect((await ada.post(`/dashboard${trial}`, { ...typed, perKwh: 'x' })).status).toBe(400)
  }
  expect((await place.reads.listTariffs('A'))[0]).toMatchObject({ version: 1, perKwhMicros: 500_000 })
  expect(await textOf(bob, `${path}?energy=x&minutes=9999999&idle=1`)).toContain('value="9999999"')
  expect((await ada.post(`/dashboard${path}`, { csrf, currency: 'EUR', perKwh: '0.6' })).status).toBe(303)
  expect((await place.reads.listTariffs('A'))[0]).toMatchObject({ version: 2, perKwhMicros: 600_000 })
  expect((await otto.post(`/dashboard${path}/delete`, { csrf })).status).toBe(403)
  expect((await ada.post(`/dashboard${path}/delete`, { csrf })).status).toBe(303)
})

it('TARIFF-A3: a tariff with elements is made by form, and shown in words and as a week', async () => {
  const csrf = csrfOf(await textOf(ada, '/tariffs'), '/tariffs')
  const elements = JSON.stringify([
    { priceComponents: [{ type: 'ENERGY', price: 0.31 }], restrictions: { startTime: '22:00', endTime: '06:00' } },
    { priceComponents: [{ type: 'ENERGY', price: 0.52 }] },
  ])
  const form = { csrf, currency: 'EUR', name: 'Night', elements, taxIncluded: 'no', perKwh: '' }
  for (const wrong of [
    { elements: '[' },
    { elements: '[]' },
    { taxIncluded: 'maybe' },
    { perKwh: '0.1' },
    { elements: '' },
  ])
    expect((await ada.post('/dashboard/tariffs', { ...form, ...wrong })).status).toBe(400)
  const made = await ada.post('/dashboard/tariffs', form)
  const path = (made.headers.get('location') ?? '').replace('/dashboard', '')
  const page = await textOf(bob, path)
  expect(page).toContain('0.31 EUR per kWh from 22:00 to 06:00, without VAT.')
  expect(page.match(/class="price"/g)).toHaveLength(21)
  expect(page).not.toContain('<dt>Per kWh</dt>')
  expect(page).toContain('<h1><bdi>Night</bdi></h1>')
  const priced = await textOf(bob, `${path}?energy=10&minutes=1440&idle=0`)
  expect(priced).toContain('4.50 EUR')
  const tried = await ada.post(`/dashboard${path}/try`, {
    ...form,
    maxPrice: '{"exclVat":2}',
    energy: '10',
    minutes: '60',
    idle: '0',
  })
  expect(await tried.text()).toContain('2.00 EUR')
  expect((await ada.post(`/dashboard${path}`, { csrf, currency: 'EUR', perKwh: '0.6' })).status).toBe(303)
  const [kept] = await place.reads.listTariffs('A')
  expect([kept?.perKwhMicros, kept?.elements, kept?.name]).toEqual([600_000, undefined, ''])
  expect((await ada.post(`/dashboard${path}/delete`, { csrf })).status).toBe(303)
})

it('ADMIN-A4, ADMIN-E1, ADMIN-D2: users: invited with a link, changed, disabled; the last administrator stays', async () => {
  const html = await textOf(ada, '/users')
  const csrf = csrfOf(html, '/users')
  const form = {
    csrf,
    once: fieldsOf(html, 'once')[0] ?? '',
    email: 'zoe@example.com',
    name: 'Zoe',
    role: 'operator',
  }
  const pages = await Promise.all([1, 2].map(async () => (await ada.post('/dashboard/users', form)).text()))
  expect(pages[0]).toMatch(/\/dashboard\/password\/pwl_/)
  expect(pages[1]).toBe(pages[0])
  const zoe = await place.reads.findUserByEmail('zoe@example.com')
  const path = `/dashboard/users/${zoe?.id}`
  const wrong = await ada.post('/dashboard/users', { csrf, email: 'nobody', name: 'Some one', role: 'operator' })
  expect([wrong.status, (await wrong.text()).includes('value="Some one"')]).toEqual([400, true])
  expect((await ada.post('/dashboard/users', { csrf, email: 'k@example.com', role: 'king' })).status).toBe(400)
  expect((await ada.post(path, { csrf, name: 'Zoé', role: 'viewer' })).status).toBe(303)
  expect(await newest()).toMatchObject({ kind: 'users', subject: zoe?.id, outcome: 'done' })
  // ADMIN-C3: an id tells nobody who it was.
  expect(await (await ada.get('/dashboard/audit')).text()).toContain('<bdi>zoe@example.com</bdi>')
  expect((await ada.post(`${path}/link`, { csrf })).status).toBe(201)
  expect((await ada.post(`${path}/disable`, { csrf })).status).toBe(303)
  expect(await place.reads.findUser(zoe?.id ?? '')).toMatchObject({
    name: 'Zoé',
    role: 'viewer',
    disabledAt: place.now(),
  })
  const own = await ada.post('/dashboard/users/ada', { csrf, name: 'Ada', role: 'viewer' })
  expect([own.status, (await own.text()).includes('at least one enabled administrator')]).toEqual([409, true])
  expect((await ada.post('/dashboard/users/eve/disable', { csrf })).status).toBe(404)
  const session = (await place.reads.listLoginSessions('otto')).length
  expect((await ada.post('/dashboard/users/otto/end-sign-ins', { csrf })).status).toBe(303)
  expect([session, (await place.reads.listLoginSessions('otto')).length]).toEqual([1, 0])
})

it('ADMIN-C3: users: the audit log has filters in its address', async () => {
  expect(await textOf(ada, '/audit')).toContain('otto@example.com')
  expect(await textOf(ada, '/audit?actor=bob@example.com')).not.toContain('otto@example.com')
  expect(await textOf(ada, '/audit?from=2999-01-01T00:00')).toContain('No entries found')
  const wrong = await ada.get('/dashboard/audit?from=soon')
  expect([wrong.status, (await wrong.text()).includes('From = soon')]).toEqual([400, true])
})

it('ADMIN-B1, ADMIN-D1: API credentials: with an end and scopes, shown once; what was typed stays', async () => {
  const path = '/dashboard/developer/credentials'
  const html = await (await ada.get(path)).text()
  const csrf = csrfOf(html, '/credentials')
  const wrong = await ada.post(path, new URLSearchParams({ csrf, name: 'Report', days: '0', scope: 'sessions:read' }))
  const again = await wrong.text()
  expect(wrong.status).toBe(400)
  expect(again).toContain('value="Report"')
  expect(again).toMatch(/value="sessions:read" checked/)
  const made = await ada.post(path, { csrf, name: 'Report', days: '30', scope: 'sessions:read' })
  expect(await made.text()).toMatch(/pwk_[0-9a-z]{16}_/)
  const [credential] = await place.reads.listCredentials('A')
  expect(credential).toMatchObject({ scopes: ['sessions:read'], expiresAt: place.now() + 30 * 86_400_000 })
  expect(await newest()).toMatchObject({ kind: 'credential_created', subject: 'Report' })
})

it('ADMIN-D1: API credentials: the form of an application keeps what was typed, and does not tick control again', async () => {
  const path = '/dashboard/developer/clients'
  const html = await (await ada.get(path)).text()
  expect(html).not.toMatch(/value="chargers:control" checked/)
  const typed = { csrf: csrfOf(html, '/clients'), name: 'Fleet', kind: 'public', type: 'native', scope: 'openid' }
  const again = await (await ada.post(path, { ...typed, redirectUris: 'no address' })).text()
  expect(again).toContain('value="Fleet"')
  expect(again).toContain('no address')
  expect(again).toMatch(/<option value="public" selected/)
  expect(again).not.toMatch(/value="chargers:control" checked/)
  expect(again).not.toMatch(/value="email" checked/)
})

it('ADMIN-I1: webhooks: made, changed, given another secret and deleted; one that fails is marked', async () => {
  const html = await textOf(ada, '/webhooks/new')
  const csrf = csrfOf(html, '/webhooks/new')
  const wrong = await ada.post('/dashboard/webhooks/new', { csrf, url: 'http://192.0.2.1/', description: 'Fleet' })
  expect([wrong.status, (await wrong.text()).includes('value="Fleet"')]).toEqual([400, true])
  const fields = {
    csrf,
    once: fieldsOf(html, 'once')[0] ?? '',
    url: 'https://203.0.114.1/hook',
    events: 'session.updated',
  }
  const made = await ada.post('/dashboard/webhooks/new', fields)
  const secret = /whsec_[\w-]+/.exec(await made.text())?.[0]
  expect([made.status, secret !== undefined]).toEqual([201, true])
  expect(await (await ada.post('/dashboard/webhooks/new', fields)).text()).toContain(secret)
  const [webhook] = await place.reads.listSubscriptions({ accountId: 'A' })
  const path = `/dashboard/webhooks/${webhook?.id}`
  const own = csrfOf(await (await ada.get(`${path}/edit`)).text(), '/edit')
  const change = { csrf: own, url: 'https://203.0.114.1/other', updates: 'transitions', chargePoints: 'CP1' }
  expect((await ada.post(`${path}/edit`, { ...change, chargePoints: 'CPB' })).status).toBe(400)
  expect((await ada.post(`${path}/edit`, change)).status).toBe(303)
  expect(await place.reads.findSubscription(webhook?.id ?? '')).toMatchObject({
    url: 'https://203.0.114.1/other',
    updates: 'transitions',
    chargePointIds: ['CP1'],
  })
  const rotated = await (await ada.post(`${path}/rotate`, { csrf: own })).text()
  expect(rotated).toMatch(/whsec_/)
  expect(rotated).not.toContain(secret)
  expect((await bob.get(`${path}/edit`)).status).toBe(403)
  expect((await ada.post(`${path}/delete`, { csrf: own })).status).toBe(303)
  expect(await statusOf(ada, `/webhooks/${webhook?.id}`)).toBe(404)
})

it('CONSOLE-A19: what cannot be taken back: asks first, and says what follows', async () => {
  const { writes } = place
  await writes.createIdToken({ accountId: 'A', id: 'ASKED', type: 'ISO14443', status: 'Accepted', createdAt: 0 })
  const csrf = csrfOf(await textOf(ada, '/tariffs'), '/tariffs')
  const made = await ada.post('/dashboard/tariffs', { csrf, currency: 'SEK', perKwh: '0.5', chargePoint: 'CP2' })
  const tariff = (made.headers.get('location') ?? '').replace('/dashboard', '')
  const secret = createCredential(randomBytes, { accountId: 'A', name: 'asked', createdAt: 0 }).credential
  await writes.createCredential(secret)
  for (const [page, to] of [
    ['/id-tokens/ASKED', 'delete'],
    [tariff, 'delete'],
    ['/users/bob', 'disable'],
    [`/developer/clients/${place.web.id}`, 'delete'],
    ['/developer/credentials', `${secret.id}/revoke`],
  ] as const) {
    const html = await textOf(ada, page)
    const question = html.split('<details class="ask">').filter((part) => part.includes(`/${to}"`))
    expect([page, question.length]).toEqual([page, 1])
    expect(question[0]).toMatch(/^<summary class="danger">[^<]+<\/summary><p>[^<]{20,}<\/p><form method="post"/)
  }
  expect(await textOf(ada, '/users/bob')).toMatch(/<bdi>Disable [^<]+<\/bdi>/)
})
