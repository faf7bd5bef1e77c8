import { expect, it } from 'vitest'
import { consent, locationOf, signIn, startOf } from '../../../test/support/oidc/application.ts'
import { type Browser, csrfOf } from '../../../test/support/oidc/browser.ts'
import { placeOfTest } from '../../../test/support/oidc/testing.ts'
import { exchangeFields, obtainTokens, postToken, refresh, type Tokens } from '../../../test/support/oidc/tokens.ts'

const BYE = 'https://app.example.com/bye'
const place = await placeOfTest()
const logout = (browser: Browser, params: Record<string, string>): Promise<Response> =>
  browser.get(`/dashboard/oauth/logout?${new URLSearchParams(params)}`)
const isSignedIn = async (browser: Browser): Promise<boolean> =>
  (await browser.get('/dashboard/applications')).status === 200

it('OIDC-R3: with a hint of this login session and a registered address: at once, with state; refresh goes on', async () => {
  const { browser, tokens } = await obtainTokens(place, place.web)
  const response = await logout(browser, {
    id_token_hint: tokens.id_token ?? '',
    post_logout_redirect_uri: BYE,
    state: 's 1',
  })
  expect([response.status, response.headers.get('location')]).toEqual([303, `${BYE}?state=s%201`])
  expect(await isSignedIn(browser)).toBe(false)
  expect((await refresh(place, place.web, tokens.refresh_token)).status).toBe(200)
})
it('OIDC-R3: a hint of another login session asks first', async () => {
  const { tokens } = await obtainTokens(place, place.web)
  const browser = await place.signedIn(place.ada)
  const page = await logout(browser, {
    id_token_hint: tokens.id_token ?? '',
    post_logout_redirect_uri: BYE,
    state: 's',
  })
  const html = await page.text()
  expect(page.headers.get('content-security-policy')).toContain("form-action 'self' https://app.example.com")
  expect(await isSignedIn(browser)).toBe(true)
  const fields = {
    csrf: csrfOf(html, '/oauth/logout'),
    confirm: 'yes',
    id_token_hint: tokens.id_token ?? '',
    post_logout_redirect_uri: BYE,
    state: 's',
  }
  expect((await browser.post('/dashboard/oauth/logout', { ...fields, csrf: 'x' })).status).toBe(403)
  const done = await browser.post('/dashboard/oauth/logout', fields)
  expect(done.headers.get('location')).toBe(`${BYE}?state=s`)
  expect(await isSignedIn(browser)).toBe(false)
})
it('OIDC-R3: a client_id that is not the hint’s makes the hint worth nothing: a page asks (RP-Initiated Logout 2)', async () => {
  const { browser, tokens } = await obtainTokens(place, place.web)
  const hint = { id_token_hint: tokens.id_token ?? '' }
  expect(await (await logout(browser, { ...hint, client_id: place.spa.id })).text()).toContain('name="confirm"')
  expect(await isSignedIn(browser)).toBe(true)
  expect((await logout(browser, { ...hint, client_id: place.web.id })).status).toBe(200)
  expect(await isSignedIn(browser)).toBe(false)
})
it('OIDC-R3: without parameters a page asks', async () => {
  const browser = await place.signedIn(place.ada)
  const html = await (await logout(browser, {})).text()
  expect(await isSignedIn(browser)).toBe(true)
  const done = await browser.post('/dashboard/oauth/logout', { csrf: csrfOf(html, '/oauth/logout'), confirm: 'yes' })
  expect([done.status, done.headers.get('location')]).toEqual([200, null])
  expect(await isSignedIn(browser)).toBe(false)
})
it.each(['https://evil.example/', `${BYE}/`, `${BYE}?x=1`, 'HTTPS://app.example.com/bye', 'javascript:alert(1)'])(
  'OIDC-R3: %s is a page, no redirect, nobody is signed out',
  async (uri) => {
    const { browser, tokens } = await obtainTokens(place, place.web)
    const response = await logout(browser, { id_token_hint: tokens.id_token ?? '', post_logout_redirect_uri: uri })
    expect([response.status, response.headers.get('location')]).toEqual([400, null])
    expect(await isSignedIn(browser)).toBe(true)
  },
)
it('OIDC-R3: no redirect without a hint, with a forged one, or one of another client', async () => {
  const { browser, tokens } = await obtainTokens(place, place.spa)
  const refused: readonly Readonly<Record<string, string>>[] = [
    {},
    { id_token_hint: 'x.y.z' },
    { id_token_hint: tokens.id_token ?? '' },
    { client_id: place.web.id },
  ]
  for (const params of refused) {
    const response = await logout(browser, { ...params, post_logout_redirect_uri: BYE })
    expect([response.status, response.headers.get('location')]).toEqual([400, null])
  }
})
it('OIDC-R3: the application’s form post is repeated as a GET with our cookies', async () => {
  const response = await place
    .browser()
    .post(
      '/dashboard/oauth/logout',
      { state: 's', other: 'x' },
      { origin: 'https://app.example.com', 'sec-fetch-site': 'cross-site' },
    )
  expect([response.status, response.headers.get('location')]).toEqual([303, '/dashboard/oauth/logout?state=s'])
})
it('OIDC-R3, OIDC-V15: after a real sign-in and sign-out the refreshed ID token names no session', async () => {
  const browser = place.browser()
  const start = startOf(place, place.web.id, { prompt: 'login consent' })
  const to = (await signIn(browser, start.url, 'bob@example.com')).headers.get('location') ?? ''
  expect(to).toContain('/interaction/')
  const again = startOf(place, place.web.id)
  const code = locationOf(await consent(browser, again.url)).searchParams.get('code') ?? ''
  const tokens = (await (await postToken(place, exchangeFields(place.web, code, again))).json()) as Tokens
  await logout(browser, { id_token_hint: tokens.id_token ?? '' })
  const next = (await (await refresh(place, place.web, tokens.refresh_token)).json()) as Tokens
  expect(Buffer.from(next.id_token?.split('.')[1] ?? '', 'base64url').toString()).not.toContain('"sid"')
})
