import fc from 'fast-check'
import { afterAll, beforeEach, expect, it } from 'vitest'
import { damaged } from '../../../test/support/ocpp/damaged.ts'
import { locationOf, startOf } from '../../../test/support/oidc/application.ts'
import type { Browser } from '../../../test/support/oidc/browser.ts'
import {
  CLIENT_ID,
  CLIENT_SECRET,
  type CompanyProvider,
  companyProvider,
} from '../../../test/support/oidc/sso/provider.ts'
import { hrefOf, idTokenOf, leave, returned } from '../../../test/support/oidc/sso/visits.ts'
import { openPlace, PASSWORD, type Place } from '../../../test/support/oidc/testing.ts'

let place: Place
const company = await companyProvider()
place = await openPlace({
  ssoIssuer: company.issuer,
  ssoClientId: CLIENT_ID,
  ssoClientSecret: CLIENT_SECRET,
  ssoRoles: [
    { name: 'desk', role: 'operator' },
    { name: 'admins', role: 'administrator' },
  ],
})
afterAll(async () => {
  await place.close()
  await company.stop()
})
let people = 0
beforeEach(() => {
  const sub = `p${++people}`
  company.person = { sub, email: `${sub}@example.com`, email_verified: true, name: 'Pat', roles: ['desk'] }
  company.lies = {}
})

const back = (browser: Browser, gone: Response) => returned(company, browser, gone)

async function signIn(browser = place.browser(), page?: string): Promise<Response> {
  return back(browser, await leave(browser, page))
}

const emailOf = (email: unknown) => place.reads.findUserByEmail(String(email))

it('ADMIN-K1, ADMIN-K2: signing in: makes a person a user with the role of the claim, who is signed in at the page that was wanted', async () => {
  const browser = place.browser()
  const gone = await leave(browser, '/dashboard/login?next=/dashboard/sign-ins')
  const address = new URL(gone.headers.get('location') ?? '')
  expect(gone.status).toBe(303)
  expect(Object.fromEntries(address.searchParams)).toMatchObject({
    client_id: CLIENT_ID,
    response_type: 'code',
    redirect_uri: `${place.baseUrl}/dashboard/login/sso/callback`,
    scope: 'openid profile email',
    code_challenge_method: 'S256',
  })
  const arrived = await back(browser, gone)
  expect([arrived.status, arrived.headers.get('location')]).toEqual([303, '/dashboard/sign-ins'])
  expect((await browser.get('/dashboard/sign-ins')).status).toBe(200)
  const user = await emailOf(company.person.email)
  expect(user).toMatchObject({ accountId: 'A', role: 'operator', name: 'Pat' })
  const events = await place.reads.searchAudit({ accountId: 'A', userId: user?.id ?? '', limit: 9 })
  expect(events.map(({ kind }) => kind)).toEqual(['sign_in', 'user_created'])
  expect(place.logged.join()).not.toContain(CLIENT_SECRET)
})

it('ADMIN-K1, ADMIN-K2: signing in: goes nowhere else afterwards, whatever the address asked for', async () => {
  for (const next of ['https://evil.example', '//evil.example', '/other', '/dashboard/../other']) {
    const arrived = await signIn(place.browser(), `/dashboard/login?${new URLSearchParams({ next })}`)
    expect(arrived.headers.get('location')).toBe('/dashboard/applications')
  }
})

it('ADMIN-K1, ADMIN-K2, ADMIN-K8: signing in: an application’s request goes on, prompt=login has the provider ask again, and no way is claimed', async () => {
  const browser = place.browser()
  const start = startOf(place, place.spa.id, { prompt: 'login' })
  const page = (await browser.get(start.url)).headers.get('location') ?? ''
  const gone = await leave(browser, page)
  expect(Object.fromEntries(locationOf(gone).searchParams)).toMatchObject({ prompt: 'login', max_age: '0' })
  expect((await back(browser, gone)).headers.get('location')).toBe(page)
  const claims = await idTokenOf(place, browser, page, start)
  expect(Object.keys(claims)).toEqual(expect.arrayContaining(['auth_time', 'sid']))
  expect([claims.acr, claims.amr]).toEqual([undefined, undefined])
})

it('ADMIN-K5: whatever the provider says of a person: a subject too long for a key of the database ended in a 500: it is none', async () => {
  company.person.sub = 'x'.repeat(256)
  expect((await signIn()).status).toBe(502)
})

it('ADMIN-K5: whatever the provider says of a person: signs somebody in, or is refused', async () => {
  const { sub, ...said } = company.person
  for (const claims of fc.sample(damaged(said), { numRuns: 20, seed: 1 })) {
    company.person = { ...claims, sub }
    expect([303, 403, 502]).toContain((await signIn()).status)
  }
})

it('ADMIN-K3: the role: is read at each sign-in, and another one ends what was signed in with the old one', async () => {
  const browser = place.browser()
  await signIn(browser)
  company.person.roles = ['admins', 'desk']
  await signIn()
  const user = await emailOf(company.person.email)
  expect(user?.role).toBe('administrator')
  expect((await browser.get('/dashboard/sign-ins')).status).toBe(303)
  const events = await place.reads.searchAudit({ accountId: 'A', userId: user?.id ?? '', limit: 9 })
  expect(events.find(({ kind }) => kind === 'role_changed')?.subject).toMatch(/: operator → administrator$/)
})

it.each([[{}], [{ roles: [] }], [{ roles: 'Desk' }], [{ roles: { desk: true } }]])(
  'ADMIN-K3: the role: with %j nobody is let in, and nobody is made',
  async (claims) => {
    company.person = { sub: company.person.sub, email: company.person.email, email_verified: true, ...claims }
    const refused = await signIn()
    expect(refused.status).toBe(403)
    expect(await refused.text()).toContain('gives you no role here')
    expect(await emailOf(company.person.email)).toBeUndefined()
  },
)

it('ADMIN-K3: the role: comes from userinfo where the ID token has none, if it is of the same person', async () => {
  const { sub, email, name } = company.person
  company.person = { sub, name }
  company.lies.userInfo = { email, roles: ['desk'] }
  expect((await signIn()).status).toBe(303)
  expect((await emailOf(email))?.role).toBe('operator')
  company.lies.userInfo = { email, roles: ['admins'], sub: 'somebody else' }
  expect((await signIn()).status).toBe(502)
})

it('ADMIN-K3: the role: a huge list of roles is read, and a longer answer than anybody needs is not', async () => {
  company.person.roles = [...Array.from({ length: 5000 }, (_, at) => `group ${at}`), 'desk']
  expect((await signIn()).status).toBe(303)
  company.lies.tokenBody = JSON.stringify({ x: 'x'.repeat(1_000_000) })
  expect((await signIn()).status).toBe(503)
})

it('ADMIN-K4: whose address it is: a verified one joins the user who has it; an unverified one takes over nobody', async () => {
  company.person.email = place.bob.email
  company.person.email_verified = false
  const refused = await signIn()
  expect([refused.status, await refused.text()]).toEqual([403, expect.stringContaining('does not prove')])
  company.person.email_verified = true
  expect((await signIn()).status).toBe(303)
  expect(await emailOf(place.bob.email)).toMatchObject({ id: place.bob.id, role: 'operator' })
  company.person.sub = 'another person'
  expect((await signIn()).status).toBe(403)
})

it('ADMIN-K4: whose address it is: a user of another account is nobody here', async () => {
  company.person.email = place.eve.email
  expect((await signIn()).status).toBe(403)
  expect((await emailOf(place.eve.email))?.role).toBe('administrator')
})

it('ADMIN-K4: whose address it is: nobody is let in who is disabled or has no address', async () => {
  await signIn()
  const user = await emailOf(company.person.email)
  await place.writes.changeUser('A', user?.id ?? '', { disabledAt: place.now() })
  expect((await signIn()).status).toBe(403)
  company.person = { sub: 'x', roles: ['desk'] }
  expect(await (await signIn()).text()).toContain('did not provide your email address')
})

it.each<readonly [string, CompanyProvider['lies'], number]>([
  ['another issuer', { idToken: { iss: 'https://evil.example' } }, 502],
  ['another audience', { idToken: { aud: 'another client' } }, 502],
  ['another nonce', { idToken: { nonce: 'stale' } }, 502],
  ['no nonce', { idToken: { nonce: undefined } }, 502],
  ['no subject', { idToken: { sub: undefined } }, 502],
  ['an expired token', { idToken: { exp: 1_000_000, iat: 999_000 } }, 502],
  ['no expiry', { idToken: { exp: undefined } }, 502],
  ['no signature', { algNone: true }, 502],
  ['a key that is not the provider’s', { otherKey: true }, 502],
  ['no ID token', { tokenBody: '{"access_token":"a","token_type":"Bearer"}' }, 502],
  ['no JSON', { tokenBody: '<html>' }, 502],
  ['a redirect', { status: 302 }, 502],
  ['a failure', { status: 500 }, 503],
])('ADMIN-K5: answers that are not believed: %s', async (_, lies, status) => {
  company.lies = lies
  const browser = place.browser()
  const refused = await signIn(browser)
  expect(refused.status).toBe(status)
  expect(await emailOf(company.person.email)).toBeUndefined()
  expect((await browser.get('/dashboard/sign-ins')).status).toBe(303)
  expect(place.logged.join()).not.toContain(CLIENT_SECRET)
})

it('ADMIN-K5: answers that are not believed: an answer counts once, in the browser that began, for ten minutes, with its own state and issuer', async () => {
  const browser = place.browser()
  const gone = await leave(browser)
  const answer = company.answer(gone.headers.get('location') ?? '')
  // Login CSRF: somebody else's answer, sent to a browser that waits for another one or for none.
  expect((await place.browser().get(answer)).status).toBe(400)
  const victim = place.browser()
  await leave(victim)
  expect((await victim.get(answer)).status).toBe(400)
  const copy = new Map(browser.cookies)
  expect((await browser.get(answer)).status).toBe(303)
  for (const [name, value] of copy) browser.cookies.set(name, value)
  expect((await browser.get(company.answer(gone.headers.get('location') ?? ''))).status).toBe(400)

  const mixedUp = place.browser()
  const address = new URL(company.answer((await leave(mixedUp)).headers.get('location') ?? ''))
  address.searchParams.set('iss', 'https://evil.example')
  expect((await mixedUp.get(address.href)).status).toBe(502)
  const withoutIssuer = place.browser()
  const silent = new URL(company.answer((await leave(withoutIssuer)).headers.get('location') ?? ''))
  silent.searchParams.delete('iss')
  expect((await withoutIssuer.get(silent.href)).status).toBe(502)

  const late = place.browser()
  const left = await leave(late)
  place.advance(600_000)
  expect((await back(late, left)).status).toBe(400)
})

it.each(['', '?state=', '?state=x&code=y', `?state=${'x'.repeat(4000)}`, '?error=access_denied'])(
  'ADMIN-K5: answers that are not believed: an answer %j to nothing is a page with a way to begin',
  async (query) => {
    const page = await place.browser().get(`/dashboard/login/sso/callback${query}`)
    expect([page.status, hrefOf(await page.text())]).toEqual([400, expect.stringContaining('/login/sso?begin=')])
  },
)

it('ADMIN-K5: answers that are not believed: a no of the provider is told as one', async () => {
  const browser = place.browser()
  const state = new URL((await leave(browser)).headers.get('location') ?? '').searchParams.get('state') ?? ''
  const query = new URLSearchParams({ error: 'access_denied', state, iss: company.issuer })
  const page = await browser.get(`/dashboard/login/sso/callback?${query}`)
  expect([page.status, await page.text()]).toEqual([403, expect.stringContaining('did not sign you in')])
})

it('ADMIN-K5: answers that are not believed: another site begins no sign-in here', async () => {
  const browser = place.browser()
  for (const address of ['/dashboard/login/sso', '/dashboard/login/sso?begin=00']) {
    expect((await browser.get(address)).headers.get('location')).toMatch(/^\/dashboard\/login\?/)
  }
  const href = hrefOf(await (await browser.get('/dashboard/login')).text())
  const foreign = await browser.get(href, { 'sec-fetch-site': 'cross-site' })
  expect(foreign.headers.get('location')).toMatch(/^\/dashboard\/login\?/)
})

it('ADMIN-K3: who is the last administrator stays one, and is not let in as less', async () => {
  const alone = await openPlace({
    ssoIssuer: company.issuer,
    ssoClientId: CLIENT_ID,
    ssoClientSecret: CLIENT_SECRET,
    ssoRoles: [{ name: 'desk', role: 'operator' }],
  })
  try {
    company.person.email = alone.ada.email
    const browser = alone.browser()
    const refused = await back(browser, await leave(browser))
    expect([refused.status, await refused.text()]).toEqual([403, expect.stringContaining('the last one here')])
    expect((await alone.reads.findUser(alone.ada.id))?.role).toBe('administrator')
  } finally {
    await alone.close()
  }
})

it('ADMIN-K7: a provider that is gone: is told on the page, asked again in a moment, and stops nothing', async () => {
  const gone = await companyProvider()
  await gone.stop()
  const settings = { ssoIssuer: gone.issuer, ssoClientId: CLIENT_ID, ssoClientSecret: CLIENT_SECRET }
  const lonely = await openPlace({ ...settings, ssoRoles: [{ name: 'desk', role: 'operator' }] })
  try {
    const browser = lonely.browser()
    const page = await leave(browser)
    expect([page.status, await page.text()]).toEqual([503, expect.stringContaining('cannot be reached right now')])
    expect((await lonely.signedIn(lonely.ada)).cookies.size).toBe(1)
    await gone.start()
    expect((await leave(browser)).status).toBe(503)
    expect(gone.asked).toEqual([])
    lonely.advance(5000)
    expect((await leave(browser)).status).toBe(303)
    gone.lies.discovery = { issuer: 'https://evil.example' }
    lonely.advance(86_400_000)
    expect((await leave(browser)).status).toBe(303)
  } finally {
    await lonely.close()
    await gone.stop()
  }
})

it('the clock was ahead at the failure and is put right: 503 until the old time came again', async () => {
  const gone = await companyProvider()
  await gone.stop()
  const settings = { ssoIssuer: gone.issuer, ssoClientId: CLIENT_ID, ssoClientSecret: CLIENT_SECRET }
  const lonely = await openPlace({ ...settings, ssoRoles: [{ name: 'desk', role: 'operator' }] })
  try {
    lonely.advance(3 * 365 * 86_400_000)
    const browser = lonely.browser()
    expect((await leave(browser)).status).toBe(503)
    await gone.start()
    lonely.advance(-3 * 365 * 86_400_000)
    expect((await leave(browser)).status).toBe(303)
    lonely.advance(-86_400_000)
    gone.asked.length = 0
    expect((await leave(browser)).status).toBe(303)
    expect(gone.asked).toEqual(['/.well-known/openid-configuration'])
  } finally {
    await lonely.close()
    await gone.stop()
  }
})

it('ADMIN-K7: a provider that is gone: a configuration of another issuer is not used', async () => {
  const other = await companyProvider()
  other.lies.discovery = { issuer: 'https://evil.example' }
  const place = await openPlace({ ssoIssuer: other.issuer, ssoClientId: CLIENT_ID, ssoRoles: [] })
  try {
    expect((await leave(place.browser())).status).toBe(502)
  } finally {
    await place.close()
    await other.stop()
  }
})

it('ADMIN-K6: with break-glass a password is for the first administrator, then for those who are marked; others are sent to the provider', async () => {
  const strict = await openPlace(
    { ssoIssuer: company.issuer, ssoClientId: CLIENT_ID, ssoRoles: [], passwordSignIn: 'break-glass' },
    async (password) => password === PASSWORD,
  )
  try {
    const tryAs = async (email: string, password = PASSWORD): Promise<Response> => {
      const browser = strict.browser()
      const html = await (await browser.get('/dashboard/login')).text()
      expect(html).toContain('<details')
      const csrf = /name="csrf" value="([^"]*)"/.exec(html)?.[1] ?? ''
      return browser.post('/dashboard/login', { csrf, email, password })
    }
    expect((await tryAs(strict.ada.email)).status).toBe(303)
    const refused = await tryAs(strict.otto.email)
    expect([refused.status, await refused.text()]).toEqual([403, expect.stringContaining('other button')])
    expect((await tryAs(strict.otto.email, 'wrong password')).status).toBe(401)
    await strict.writes.changeUser('A', strict.otto.id, { breakGlass: true })
    expect((await tryAs(strict.otto.email)).status).toBe(303)
    expect((await tryAs(strict.ada.email)).status).toBe(403)
    await strict.writes.changeUser('A', strict.otto.id, { breakGlass: null })
    expect((await tryAs(strict.ada.email)).status).toBe(303)
  } finally {
    await strict.close()
  }
})
