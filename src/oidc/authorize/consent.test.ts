import { expect, it } from 'vitest'
import { consent, locationOf, openPage, startOf } from '../../../test/support/oidc/application.ts'
import { type Browser, csrfOf, fieldsOf } from '../../../test/support/oidc/browser.ts'
import { placeOfTest } from '../../../test/support/oidc/testing.ts'
import { exchangeFields, obtainTokens, postToken, type Tokens } from '../../../test/support/oidc/tokens.ts'
import { expectTexts, expectWithout } from '../../../test/support/texts.ts'

/** Another template language's placeholder. */
const DOLLAR = '$' + '{7*7}'

const place = await placeOfTest()

async function page(user = place.ada, change: Record<string, string | undefined> = {}, client?: { id: string }) {
  const { id } = client ?? (await place.addClient({}))
  const browser = await place.signedIn(user)
  const start = startOf(place, id, change)
  return { browser, start, id, ...(await openPage(browser, start.url)) }
}
function submit(
  browser: Browser,
  path: string,
  html: string,
  fields: readonly [string, string][],
  headers = {},
): Promise<Response> {
  return browser.post(`${path}/consent`, new URLSearchParams([['csrf', csrfOf(html, '/consent')], ...fields]), headers)
}
const ALL: readonly [string, string][] = [
  ['decision', 'approve'],
  ['share', 'all'],
  ['scope', 'openid'],
  ['scope', 'offline_access'],
  ['scope', 'sessions:read'],
]

it('OIDC-C1: the page names the application, where it leads, the user with a way out, and the scopes in words', async () => {
  const { html } = await page()
  for (const text of [
    'Fleet App asks for access',
    'app.example.com',
    'The ada (ada@example.com)',
    'Not you?',
    'read charging sessions',
    'until you disconnect',
    'set up by an administrator',
  ])
    expect(html).toContain(text)
})
it('OIDC-C1, OIDC-V14, OIDC-V23: a dynamic client is called unverified, and its strings are inert', async () => {
  const registered = await fetch(`${place.issuer}/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      redirect_uris: ['https://phish.example/cb'],
      client_name: `"><script>alert(1)</script>{{7*7}}${DOLLAR}`,
      logo_uri: 'https://phish.example/logo.png',
    }),
  })
  const { client_id } = (await registered.json()) as { client_id: string }
  const { html } = await page(place.ada, { redirect_uri: 'https://phish.example/cb' }, { id: client_id })
  expectTexts(html, 'unverified', 'phish.example')
  expectWithout(html, '<script', 'logo.png')
  expect(html).toContain(`{{7*7}}${DOLLAR}`)
})
it('OIDC-C3, OIDC-N1: the chooser shows the account’s charge points with live state, nobody else’s', async () => {
  const { html } = await page()
  expect(html).toContain('Depot North')
  expect(html).toMatch(/CP1 · online/)
  expect(html).toMatch(/CP2[\s\S]*offline/)
  expect(html).not.toContain('CPB')
})
it('OIDC-C3: nothing is shared in advance, and no number stands there that a tick would make wrong', async () => {
  const { html } = await page()
  expect(html).toMatch(/name="share" value="chosen" checked/)
  expect(html).not.toMatch(/name="share" value="all" checked/)
  expect(html).not.toMatch(/type="checkbox" name="chargePoint" value="CP1" checked/)
  expect(html).not.toContain('ticked outside')
})
it('OIDC-C3: the list can be searched without losing what is ticked', async () => {
  const { browser, html, path } = await page()
  const found = await (
    await submit(browser, path, html, [
      ['decision', 'search'],
      ['share', 'chosen'],
      ['chargePoint', 'CP2'],
      ['query', 'north'],
      ['scope', 'openid'],
    ])
  ).text()
  expectTexts(found, '<input type="hidden" name="chargePoint" value="CP2"/>', 'Depot North', '1 selected')
})
it('OIDC-C2: what is unticked is not granted; openid stays', async () => {
  const { browser, html, path, start, id } = await page()
  const answer = await submit(browser, path, html, [
    ['decision', 'approve'],
    ['share', 'all'],
    ['scope', 'sessions:read'],
  ])
  const fields = exchangeFields(
    (await place.reads.findClient(id)) ?? { id },
    locationOf(answer).searchParams.get('code') ?? '',
    start,
  )
  expect((await place.reads.findActiveGrant('ada', id))?.scopes).toEqual(['openid', 'sessions:read'])
  expect((await postToken(place, fields)).status).toBe(401)
})
it('OIDC-C2: the token’s scope is approved and requested', async () => {
  const { tokens } = await obtainTokens(place, place.spa, place.ada, {}, { scopes: ['openid', 'sessions:read'] })
  expect(tokens.scope).toBe('openid sessions:read')
  expect(tokens).not.toHaveProperty('refresh_token')
})
it('OIDC-C3: a list of charge points is stored with the grant', async () => {
  const client = await place.addClient({})
  const { grant } = await obtainTokens(place, client, place.ada, {}, { share: 'chosen', chargePoints: ['CP2'] })
  expect(grant.chargePoints).toEqual(['CP2'])
})
it('OIDC-C3: an empty selection does not grant the data scopes', async () => {
  const client = await place.addClient({})
  const { grant, tokens } = await obtainTokens(place, client, place.ada, {}, { share: 'chosen', chargePoints: [] })
  expect(grant.scopes).toEqual(['openid', 'offline_access'])
  expect(tokens.scope).toBe('openid offline_access')
})
it.each(['CPB', 'unknown', '', 'CP1%', "' OR 1=1"])('OIDC-C3: %j is not theirs to share -> 400', async (id) => {
  const shown = await page()
  const answer = await submit(shown.browser, shown.path, shown.html, [
    ...ALL.filter(([name]) => name !== 'share'),
    ['share', 'chosen'],
    ['chargePoint', 'CP1'],
    ['chargePoint', id],
  ])
  expect([answer.status, answer.headers.get('location')]).toEqual([400, null])
  expect(await place.reads.findActiveGrant('ada', shown.id)).toBeUndefined()
})
it('OIDC-A16, OIDC-V2: protocol parameters in the form are ignored or refused, the stored request counts', async () => {
  const { browser, html, path, start, id } = await page()
  const evil: readonly [string, string][] = [
    ['redirect_uri', 'https://evil.example'],
    ['client_id', 'evil'],
    ['state', 'evil'],
    ['code_challenge', 'evil'],
  ]
  const refused = await submit(browser, path, html, [...ALL, ...evil, ['scope', 'chargers:control']])
  expect(refused.status).toBe(400)
  const answer = await submit(browser, path, html, [...ALL, ...evil])
  const to = locationOf(answer)
  expect(to.host).toBe('app.example.com')
  expect(to.searchParams.get('state')).toBe(start.state)
  expect((await place.reads.findActiveGrant('ada', id))?.scopes).toEqual(['openid', 'offline_access', 'sessions:read'])
})
it('OIDC-P9: deny goes back as access_denied, an existing grant stays', async () => {
  const client = await place.addClient({})
  const { grant } = await obtainTokens(place, client, place.ada, { scope: 'openid' })
  const { browser, html, path } = await page(place.ada, {}, client)
  const answer = await submit(browser, path, html, [['decision', 'deny']])
  expect(locationOf(answer).searchParams.get('error')).toBe('access_denied')
  expect((await place.reads.findGrant(grant.id))?.revokedAt).toBeUndefined()
  expect((await submit(browser, path, html, ALL)).status).toBe(400)
})
it('OIDC-P5: a page that waited longer than max_age allows asks for the sign-in first', async () => {
  const { browser, path, html, id } = await page(place.ada, { max_age: '60' })
  place.advance(61_000)
  const answer = await submit(browser, path, html, ALL)
  expect([answer.status, answer.headers.get('location')]).toEqual([303, path])
  expect(await (await browser.get(path)).text()).toContain('type="password"')
  expect(await place.reads.findActiveGrant('ada', id)).toBeUndefined()
})
it('OIDC-A17: after a no the page is not shown again', async () => {
  const { browser, path, html } = await page()
  expect((await submit(browser, path, html, [['decision', 'deny']])).status).toBe(303)
  expect((await browser.get(path)).status).toBe(400)
})
it('OIDC-C4: later consents unite the scopes; the selection is the submitted one', async () => {
  const client = await place.addClient({})
  const first = await obtainTokens(place, client, place.ada, {}, { share: 'chosen', chargePoints: ['CP1'] })
  const profile = await obtainTokens(place, client, place.ada, { scope: 'openid profile' })
  expect(profile.grant).toMatchObject({
    id: first.grant.id,
    scopes: ['openid', 'offline_access', 'profile', 'sessions:read'],
    chargePoints: ['CP1'],
  })
  const { html } = await page(place.ada, { scope: 'chargers:read' }, client)
  expect(html).toMatch(/value="CP1" checked/)
  const wider = await obtainTokens(place, client, place.ada, { scope: 'chargers:read' }, { share: 'all' })
  expect(wider.grant.chargePoints).toBe('all')
  expect(wider.tokens.scope).toBe('chargers:read')
})
it('OIDC-C3, OIDC-C4: what was shared and is gone is not proposed again: approving would be refused', async () => {
  const gone = { id: 'GONE', accountId: 'A', securityProfile: 0, registrationStatus: 'Accepted' } as const
  await place.writes.createChargePoint({ ...gone, createdAt: place.now() })
  const client = await place.addClient({})
  await obtainTokens(place, client, place.ada, {}, { share: 'chosen', chargePoints: ['CP1', 'GONE'] })
  await place.writes.deleteChargePoint('A', 'GONE')
  const { html } = await page(place.ada, { scope: 'chargers:read' }, client)
  expect(html).toMatch(/value="CP1" checked/)
  expect(html).not.toContain('GONE')
})
it('OIDC-C5: two users have two grants, one user has one', async () => {
  const client = await place.addClient({})
  const [ada, bob, again] = [
    await obtainTokens(place, client, place.ada),
    await obtainTokens(place, client, place.bob),
    await obtainTokens(place, client, place.ada, { prompt: 'consent' }),
  ]
  expect(bob.grant.id).not.toBe(ada.grant.id)
  expect(again.grant.id).toBe(ada.grant.id)
})
it('OIDC-K4: the user’s second browser sees no consent page', async () => {
  const client = await place.addClient({})
  await obtainTokens(place, client, place.ada)
  const other = await place.signedIn(place.ada)
  expect(locationOf(await other.get(startOf(place, client.id).url)).searchParams.has('code')).toBe(true)
})
it.each([
  ['a missing token', '', {}],
  ['a wrong token', 'f'.repeat(64), {}],
  ['Origin: null', undefined, { origin: 'null' }],
  ['a foreign origin', undefined, { origin: 'https://evil.example' }],
  ['a cross-site form', undefined, { 'sec-fetch-site': 'cross-site' }],
  ['a same-site form', undefined, { 'sec-fetch-site': 'same-site' }],
])('OIDC-L2: %s -> 403, nothing changed', async (_name, csrf, headers) => {
  const { browser, html, path, id } = await page()
  const fields = new URLSearchParams([['csrf', csrf ?? csrfOf(html, '/consent')], ...ALL])
  expect((await browser.post(`${path}/consent`, fields, headers)).status).toBe(403)
  expect(await place.reads.findActiveGrant('ada', id)).toBeUndefined()
  expect((await submit(browser, path, html, ALL)).status).toBe(303)
})
it('OIDC-L2: the token of one form does not open another', async () => {
  const first = await page()
  const second = await openPage(first.browser, startOf(place, first.id).url)
  const fields = new URLSearchParams([['csrf', csrfOf(first.html, '/consent')], ...ALL])
  expect((await first.browser.post(`${second.path}/consent`, fields)).status).toBe(403)
  const swapped = new URLSearchParams([['csrf', fieldsOf(first.html, 'csrf')[0] ?? ''], ...ALL])
  expect((await first.browser.post(`${first.path}/consent`, swapped)).status).toBe(403)
})
it.each(['consent', 'switch'])('OIDC-A17: signed out, %s asks who it is, for the same request', async (form) => {
  const { browser, path, html, id } = await page()
  browser.cookies.delete('pilotwire_sid')
  const fields = { csrf: csrfOf(html, `/${form}`), decision: 'approve', share: 'all' }
  const response = await browser.post(`${path}/${form}`, fields)
  expect([response.status, response.headers.get('location')]).toEqual([303, path])
  expect(await (await browser.get(path)).text()).toContain('type="password"')
  expect(await place.reads.findActiveGrant('ada', id)).toBeUndefined()
})
it('OIDC-C1: "not you?" signs out and asks again, for the same request', async () => {
  const { browser, html, path } = await page()
  const switched = await browser.post(`${path}/switch`, { csrf: csrfOf(html, '/switch') })
  expect(switched.headers.get('location')).toBe(path)
  expect(await (await browser.get(path)).text()).toContain('type="password"')
  expect((await browser.get('/dashboard/applications')).status).toBe(303)
})
it('OIDC-A17: a client disabled while the page waits gets no code', async () => {
  const { browser, html, path, id } = await page()
  await place.writes.updateClient(id, { disabledAt: place.now() })
  expect((await submit(browser, path, html, ALL)).status).toBe(400)
})
it('OIDC-V25: hostile fields are 4xx', async () => {
  const { browser, html, path } = await page()
  for (const fields of [
    [['decision', 'nonsense']],
    [['decision', '\u0000']],
    [['scope', 'x'.repeat(60_000)]],
    [
      ['decision', 'approve'],
      ['scope[]', 'a'],
      ['scope', '__proto__'],
    ],
  ] as [string, string][][]) {
    const { status } = await submit(browser, path, html, fields)
    expect(status).toBeGreaterThanOrEqual(400)
    expect(status).toBeLessThan(500)
  }
  expect((await browser.post(`${path}/consent`, { a: 'x'.repeat(1_000_000) })).status).toBe(413)
  const json = await browser.send(`${path}/consent`, {
    method: 'POST',
    body: '{}',
    headers: { 'content-type': 'application/json' },
  })
  expect(json.status).toBe(400)
})
it('OIDC-C6: a token acts for its own user and account', async () => {
  const { tokens } = await obtainTokens(place, place.spa, place.eve, {}, { share: 'chosen', chargePoints: ['CPB'] })
  expect(await place.oidc.verifyAccessToken((tokens as Tokens).access_token)).toMatchObject({
    accountId: 'B',
    userId: 'eve',
    chargePoints: ['CPB'],
    clientId: place.spa.id,
  })
})
it('OIDC-C3: data scopes whose charge points are gone ask again; prompt=none: interaction_required', async () => {
  const client = await place.addClient({})
  const { grant, browser } = await obtainTokens(
    place,
    client,
    place.ada,
    {},
    { share: 'chosen', chargePoints: ['CP1'] },
  )
  await place.writes.selectChargePoints(grant.id, [], place.now())
  expect(
    locationOf(await browser.get(startOf(place, client.id, { prompt: 'none' }).url)).searchParams.get('error'),
  ).toBe('interaction_required')
  expect(await consent(browser, startOf(place, client.id).url)).toMatchObject({ status: 303 })
})
