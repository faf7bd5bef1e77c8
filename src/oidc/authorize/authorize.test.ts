import { expect, it } from 'vitest'
import { consent, locationOf, openPage, signIn, startOf } from '../../../test/support/oidc/application.ts'
import { csrfOf, fieldsOf } from '../../../test/support/oidc/browser.ts'
import { openPlace, PASSWORD, type Place, placeOfTest, REDIRECT_URI } from '../../../test/support/oidc/testing.ts'
import { exchangeFields, obtainTokens, postToken, type Tokens } from '../../../test/support/oidc/tokens.ts'
import { expectTexts, expectWithout } from '../../../test/support/texts.ts'
import { hashOf } from '../oidc-secrets.ts'

const place = await placeOfTest()
const errorOf = (response: Response): string | null => locationOf(response).searchParams.get('error')

it.each([
  ['OIDC-A1', { client_id: undefined }],
  ['OIDC-A1', { client_id: 'nobody' }],
  ['OIDC-A2', { redirect_uri: undefined }],
  ['OIDC-A2', { redirect_uri: 'https://evil.example/cb' }],
  ['OIDC-A3', { redirect_uri: `${REDIRECT_URI}/` }],
  ['OIDC-A3', { redirect_uri: 'https://app.example.com/%63b' }],
  ['OIDC-V14', { redirect_uri: '"><script>alert(1)</script>' }],
  ['OIDC-V14', { client_id: '"><script>alert(1)</script>' }],
  ['OIDC-V14', { client_id: '{{7*7}}' }],
  ['OIDC-V25', { client_id: 'a\u0000b' }],
  ['OIDC-V25', { redirect_uri: '\u0000' }],
])('%s: %j is a page with status 400, no Location, nothing reflected', async (_id, change) => {
  const response = await place.browser().get(startOf(place, place.web.id, change).url)
  const html = await response.text()
  expect([response.status, response.headers.get('location')]).toEqual([400, null])
  expect(response.headers.get('content-type')).toContain('text/html')
  expectWithout(html, '<script', '{{7*7}}', 'evil')
})

it('OIDC-A1: a disabled client is a page', async () => {
  const client = await place.addClient({})
  await place.writes.updateClient(client.id, { disabledAt: 1 })
  expect((await place.browser().get(startOf(place, client.id).url)).status).toBe(400)
})

it.each([
  ['OIDC-A6', { response_type: 'token' }, 'unsupported_response_type'],
  ['OIDC-A7', { code_challenge: undefined }, 'invalid_request'],
  ['OIDC-A8', { scope: 'nothing' }, 'invalid_scope'],
  ['OIDC-A13, OIDC-V13', { request_uri: 'http://127.0.0.1:9/x' }, 'request_uri_not_supported'],
  ['OIDC-P1', { prompt: 'none consent' }, 'invalid_request'],
  ['OIDC-P8', { id_token_hint: 'x.y.z' }, 'invalid_request'],
  ['OIDC-P4, OIDC-P11', { prompt: 'none' }, 'login_required'],
])('%s, OIDC-A11, OIDC-A12, OIDC-A15: %j goes back as %s with state and iss, by 303', async (_id, change, error) => {
  const start = startOf(place, place.web.id, change)
  const response = await place.browser().get(start.url)
  expect(response.status).toBe(303)
  const to = locationOf(response)
  expect(to.origin + to.pathname).toBe(REDIRECT_URI)
  expect(Object.fromEntries(to.searchParams)).toEqual({
    error,
    error_description: expect.any(String),
    state: start.state,
    iss: place.issuer,
  })
})

it.each(['ü €😀', 'a+b&c=d%20', '"><script>', 'x'.repeat(2048)])('OIDC-A11: state %j comes back', async (state) => {
  const response = await place.browser().get(startOf(place, place.web.id, { prompt: 'none', state }).url)
  expect(locationOf(response).searchParams.get('state')).toBe(state)
})
it('OIDC-A11: no state, no state key', async () => {
  const response = await place.browser().get(startOf(place, place.web.id, { prompt: 'none', state: undefined }).url)
  expect(locationOf(response).searchParams.has('state')).toBe(false)
})

it('OIDC-A14: a cross-site POST without cookies is picked up by a GET of ours that has them', async () => {
  const browser = await place.signedIn(place.ada)
  await obtainTokens(place, place.spa)
  const start = startOf(place, place.spa.id)
  const posted = await fetch(`${place.config.dashboardUrl}/oauth/authorize`, {
    method: 'POST',
    body: start.params,
    redirect: 'manual',
    headers: { origin: 'https://app.example.com', 'sec-fetch-site': 'cross-site' },
  })
  expect(posted.status).toBe(303)
  const own = posted.headers.get('location') ?? ''
  expect(own).toMatch(/^\/dashboard\/oauth\/authorize\?resume=/)
  const answer = await browser.get(own)
  expect(locationOf(answer).searchParams.get('state')).toBe(start.state)
  expect(locationOf(answer).searchParams.has('code')).toBe(true)
  expect((await browser.get(own)).status).toBe(400)
})
it('OIDC-A10: a parameter of the application that is called like ours is ignored', async () => {
  const browser = await place.signedIn(place.ada)
  await obtainTokens(place, place.spa)
  const answer = await browser.get(startOf(place, place.spa.id, { resume: 'later' }).url)
  expect(locationOf(answer).searchParams.has('code')).toBe(true)
})
it('OIDC-A14: a bad POST is a page at once; JSON is refused', async () => {
  const send = (init: RequestInit) =>
    fetch(`${place.config.dashboardUrl}/oauth/authorize`, { method: 'POST', redirect: 'manual', ...init })
  expect((await send({ body: new URLSearchParams({ client_id: 'x' }) })).status).toBe(400)
  expect((await send({ body: '{}', headers: { 'content-type': 'application/json' } })).status).toBe(400)
  expect((await send({ body: new URLSearchParams({ a: 'x'.repeat(70_000) }) })).status).toBe(413)
})

it('OIDC-A17: what nobody finished is forgotten, also where no token is ever issued', async () => {
  const own = await openPlace()
  const { path } = await openPage(own.browser(), startOf(own, own.web.id).url)
  const handle = hashOf(path.split('/').at(-1) ?? '')
  expect(await own.reads.findInteraction(handle)).toBeDefined()
  own.advance(3 * 86_400_000)
  await own.browser().get(startOf(own, own.web.id).url)
  await expect.poll(() => own.reads.findInteraction(handle)).toBeUndefined()
  await own.close()
})
it('OIDC-A17: a stranger could have any number of requests kept; now 600 in ten minutes and address', async () => {
  const own = await openPlace()
  const { url } = startOf(own, own.web.id)
  const begin = async (): Promise<number> => (await own.browser().get(url)).status
  const answers = await Promise.all(Array.from({ length: 620 }, begin))
  expect([303, 429].map((status) => answers.filter((answer) => answer === status).length)).toEqual([600, 20])
  const refused = await own.browser().get(url)
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await refused.text()).toContain('Too many applications')
  own.advance(60_000)
  expect(await begin()).toBe(303)
  await own.close()
})

it('OIDC-A3, OIDC-V2: an address that the client gave up meanwhile gets no answer any more', async () => {
  const client = await place.addClient({})
  const browser = await place.signedIn(place.ada)
  const { path } = await openPage(browser, startOf(place, client.id).url)
  await place.writes.updateClient(client.id, { redirectUris: ['https://other.example/cb'] })
  const response = await browser.get(path)
  expect([response.status, response.headers.get('location')]).toEqual([400, null])
})
it('OIDC-A16, OIDC-V6: the page of one browser is refused in another', async () => {
  const { path } = await openPage(await place.signedIn(place.ada), startOf(place, place.web.id).url)
  for (const other of [place.browser(), await place.signedIn(place.ada), await place.signedIn(place.bob)]) {
    const response = await other.get(path)
    expect([response.status, response.headers.get('location')]).toEqual([400, null])
    expect((await other.post(`${path}/consent`, { decision: 'approve' })).status).toBe(400)
  }
})
it('OIDC-V16: the page belongs to the user it was first shown to', async () => {
  const browser = await place.signedIn(place.ada)
  const { path } = await openPage(browser, startOf(place, place.web.id, { prompt: 'consent' }).url)
  browser.cookies.set('pilotwire_sid', (await place.signedIn(place.bob)).cookies.get('pilotwire_sid') ?? '')
  expect((await browser.get(path)).status).toBe(400)
  expect((await browser.post(`${path}/consent`, { decision: 'approve', csrf: 'x' })).status).toBe(400)
})
it('OIDC-A17: after its time the page says to start again', async () => {
  const other = await openPlace({ interactionTtlSeconds: 1 })
  const browser = other.browser()
  const { path } = await openPage(browser, startOf(other, other.web.id).url)
  other.advance(1001)
  const response = await browser.get(path)
  expect(response.status).toBe(400)
  expect(await response.text()).toContain('start again')
  await other.close()
})
it('OIDC-A17, OIDC-V2: two submits at once give one code; the back button gives none', async () => {
  const browser = await place.signedIn(place.bob)
  const { html, path } = await openPage(browser, startOf(place, place.web.id).url)
  const fields = new URLSearchParams([
    ['csrf', csrfOf(html, '/consent')],
    ['decision', 'approve'],
    ['share', 'all'],
    ...fieldsOf(html, 'scope').map((s): [string, string] => ['scope', s]),
  ])
  const both = await Promise.all([browser.post(`${path}/consent`, fields), browser.post(`${path}/consent`, fields)])
  expect(both.map(({ status }) => status).sort()).toEqual([303, 400])
  expect((await browser.get(path)).status).toBe(400)
})

it('OIDC-A19, OIDC-X2: the headers of the pages', async () => {
  const signedIn = await place.signedIn(place.ada)
  const pages = [
    (await openPage(place.browser(), startOf(place, place.web.id).url)).response,
    (await openPage(signedIn, startOf(place, place.web.id, { prompt: 'consent' }).url)).response,
    await signedIn.get('/dashboard/applications'),
    await place.browser().get('/dashboard/login'),
    await place.browser().get('/dashboard/oauth/authorize'),
  ]
  for (const { headers } of pages) {
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('referrer-policy')).toBe('same-origin')
    expect(headers.get('x-frame-options')).toBe('DENY')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'self'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'self'/,
    )
  }
  for (const { headers } of pages.slice(0, 2))
    expect(headers.get('content-security-policy')).toContain("form-action 'self' https://app.example.com")
})

it.each([
  ['http://127.0.0.1/cb', 'http://127.0.0.1:4711/cb', 'http://127.0.0.1:4711'],
  ['http://[::1]/cb', 'http://[::1]:4711/cb', 'http:'],
  ['com.example.app:/cb', 'com.example.app:/cb', 'com.example.app:'],
])('OIDC-K5, OIDC-A4, OIDC-A5: %s, asked for as %s: form-action is %s', async (registered, asked, source) => {
  const client = await place.addClient({ kind: 'public', applicationType: 'native', redirectUris: [registered] })
  const browser = await place.signedIn(place.ada)
  const start = startOf(place, client.id, { redirect_uri: asked })
  const { response } = await openPage(browser, start.url)
  expect(response.headers.get('content-security-policy')).toMatch(
    new RegExp(`form-action 'self' ${source.replaceAll(/[[\].]/g, '\\$&')}$`),
  )
  const answer = await consent(browser, start.url)
  expect(answer.headers.get('location')).toMatch(new RegExp(`^${asked.replaceAll(/[[\].]/g, '\\$&')}\\?code=`))
})

it('OIDC-R9: an address that stands in the database from before opens no directive of the policy', async () => {
  const redirectUri = 'https://a;sandbox;x/cb'
  const client = await place.addClient({})
  await place.writes.createClient({ ...client, id: 'from-before', secrets: [], redirectUris: [redirectUri] })
  const { url } = startOf(place, 'from-before', { redirect_uri: redirectUri, prompt: 'consent' })
  const { response } = await openPage(await place.signedIn(place.ada), url)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-security-policy')).toMatch(/; form-action 'self' https:$/)
})

it('OIDC-P4, OIDC-P11: prompt=none answers with a code where the grant covers, and consent_required where it does not', async () => {
  const { browser } = await obtainTokens(place, place.web, place.ada, { scope: 'openid' })
  const covered = await browser.get(startOf(place, place.web.id, { scope: 'openid', prompt: 'none' }).url)
  expect(locationOf(covered).searchParams.has('code')).toBe(true)
  const client = await place.addClient({})
  expect(errorOf(await browser.get(startOf(place, client.id, { prompt: 'none' }).url))).toBe('consent_required')
  expect(await place.reads.findActiveGrant('ada', client.id)).toBeUndefined()
})
it('OIDC-P4: prompt=none never widens a grant', async () => {
  const client = await place.addClient({})
  const { browser, grant } = await obtainTokens(place, client, place.ada, { scope: 'openid' })
  expect(errorOf(await browser.get(startOf(place, client.id, { scope: 'openid email', prompt: 'none' }).url))).toBe(
    'consent_required',
  )
  expect((await place.reads.findGrant(grant.id))?.scopes).toEqual(['openid'])
})

it('OIDC-P5, OIDC-P6: prompt=login asks for the password once, and auth_time is later', async () => {
  const { browser } = await obtainTokens(place, place.web, place.ada, { scope: 'openid' })
  place.advance(5000)
  const start = startOf(place, place.web.id, { scope: 'openid', prompt: 'login' })
  const response = await signIn(browser, start.url, 'ada@example.com')
  const answer = await browser.get(response.headers.get('location') ?? '')
  expect(locationOf(answer).searchParams.has('code')).toBe(true)
})
it('OIDC-P8: signing in as the hinted user gives that user’s code', async () => {
  const { tokens } = await obtainTokens(place, place.spa, place.bob, { scope: 'openid' })
  const browser = await place.signedIn(place.ada)
  const start = startOf(place, place.spa.id, { scope: 'openid', id_token_hint: tokens.id_token })
  const first = await browser.get(start.url)
  const path = first.headers.get('location') ?? ''
  const html = await (await browser.get(path)).text()
  const fields = { csrf: csrfOf(html, '/login'), email: 'bob@example.com', password: PASSWORD }
  expect((await browser.post(`${path}/login`, fields)).status).toBe(303)
  const code = locationOf(await browser.get(path)).searchParams.get('code') ?? ''
  const exchanged = (await (await postToken(place, exchangeFields(place.spa, code, start))).json()) as Tokens
  expect(await place.oidc.verifyAccessToken(exchanged.access_token)).toMatchObject({ userId: 'bob' })
})
it('OIDC-P8, Core 3.1.2.1: whoever signs in as somebody else is sent back with login_required, not asked for ever', async () => {
  const { tokens } = await obtainTokens(place, place.spa, place.bob, { scope: 'openid' })
  const browser = await place.signedIn(place.ada)
  const start = startOf(place, place.spa.id, { scope: 'openid', id_token_hint: tokens.id_token })
  const { html, path } = await openPage(browser, start.url)
  expect(html).not.toContain('ada@example.com')
  await browser.post(`${path}/login`, { csrf: csrfOf(html, '/login'), email: 'ada@example.com', password: PASSWORD })
  expect(errorOf(await browser.get(path))).toBe('login_required')
})
it('OIDC-P8, OIDC-I4: an expired hint is accepted, an access token is none', async () => {
  const { tokens, browser } = await obtainTokens(place, place.web, place.ada, { scope: 'openid' })
  place.advance(4_000_000)
  const open = (hint: string) =>
    browser.get(startOf(place, place.web.id, { id_token_hint: hint, scope: 'openid', prompt: 'none' }).url)
  expect(locationOf(await open(tokens.id_token ?? '')).searchParams.has('code')).toBe(true)
  expect(errorOf(await open(tokens.access_token))).toBe('invalid_request')
})
it('OIDC-P7: login_hint prefills, escaped; ui_locales gives German', async () => {
  const { html } = await openPage(
    place.browser(),
    startOf(place, place.web.id, { login_hint: '"><b>x', ui_locales: 'fr de' }).url,
  )
  expectTexts(html, 'value="&quot;&gt;&lt;b&gt;x"', '<html lang="de">', 'Anmelden')
})
it('OIDC-K7, OIDC-V7: the setting asks each time for native addresses, https is exempt', async () => {
  const careful = await openPlace({ oauthConfirmNative: true })
  const loopback = { redirect_uri: 'http://127.0.0.1:4711/cb', scope: 'openid' }
  const { browser } = await obtainTokens(careful, careful.native, careful.ada, loopback)
  expect((await openPage(browser, startOf(careful, careful.native.id, loopback).url)).response.status).toBe(200)
  expect(errorOf(await browser.get(startOf(careful, careful.native.id, { ...loopback, prompt: 'none' }).url))).toBe(
    'interaction_required',
  )
  await obtainTokens(careful, careful.spa, careful.ada)
  expect(locationOf(await browser.get(startOf(careful, careful.spa.id).url)).searchParams.has('code')).toBe(true)
  await careful.close()
})
it('OIDC-N3: the client’s signed-in developer sees where the address differs; others do not', async () => {
  const { url } = startOf(place, place.web.id, { redirect_uri: 'https://app.example.com/cB' })
  const shown = async (user: Place['ada']) => (await (await place.signedIn(user)).get(url)).text()
  expect(await shown(place.ada)).toContain('At character 26')
  for (const user of [place.bob, place.eve]) expect(await shown(user)).not.toContain('app.example.com')
})
