import { randomBytes } from 'node:crypto'
import { afterAll, expect, it } from 'vitest'
import { openPage, signIn, startOf } from '../../../test/support/oidc/application.ts'
import { type Browser, csrfOf } from '../../../test/support/oidc/browser.ts'
import { openPlace, PASSWORD } from '../../../test/support/oidc/testing.ts'
import { newPasswordLink } from '../../domain/accounts/password-link.ts'
import { hashOf } from '../oidc-secrets.ts'

let hashes = 0
const place = await openPlace({}, async (password, stored) => {
  hashes++
  await new Promise((resolve) => setImmediate(resolve))
  return password === PASSWORD && stored !== undefined
})
afterAll(() => place.close())

async function dashboardSignIn(
  browser: Browser,
  email: string,
  password: string,
  headers: Record<string, string> = {},
  next = '/dashboard/applications',
): Promise<Response> {
  const html = await (await browser.get(`/dashboard/login?next=${encodeURIComponent(next)}`, headers)).text()
  return browser.post('/dashboard/login', { csrf: csrfOf(html, '/login'), email, password, next }, headers)
}
const from = (address: string) => ({ 'x-test-address': address })

it('OIDC-P10: a wrong password stays on the page with 401, known and unknown users alike', async () => {
  const browser = place.browser(from('10.0.0.1'))
  const { url } = startOf(place, place.web.id)
  const texts: string[] = []
  for (const email of ['ada@example.com', 'nobody@example.com']) {
    const response = await signIn(browser, url, email, 'wrong password')
    expect([response.status, response.headers.get('location')]).toEqual([401, null])
    texts.push((await response.text()).replaceAll(/value="[^"]*"|action="[^"]*"/g, ''))
  }
  expect(texts[0]).toBe(texts[1])
  expect(texts[0]).toContain('Email address or password is wrong.')
})
it('OIDC-L3, OIDC-A16: the second of two open sign-in pages works after the first', async () => {
  const browser = place.browser(from('10.0.0.20'))
  const pages = [
    await openPage(browser, startOf(place, place.web.id).url),
    await openPage(browser, startOf(place, place.spa.id).url),
  ]
  for (const { html, path } of pages) {
    const fields = { csrf: csrfOf(html, '/login'), email: 'ada@example.com', password: PASSWORD }
    const response = await browser.post(`${path}/login`, fields)
    expect([response.status, response.headers.get('location')]).toEqual([303, path])
    expect((await browser.post(`${path}/login`, { ...fields, csrf: 'x' })).status).toBe(403)
  }
})
it('OIDC-L3, OIDC-P6: a sign-in page for prompt=login works when the login session ended beneath it', async () => {
  const browser = await place.signedIn(place.ada)
  const { html, path } = await openPage(browser, startOf(place, place.web.id, { prompt: 'login' }).url)
  browser.cookies.delete('pilotwire_sid')
  const fields = { csrf: csrfOf(html, '/login'), email: 'ada@example.com', password: PASSWORD }
  expect((await browser.post(`${path}/login`, fields)).status).toBe(303)
})
it('OIDC-L4: unknown users cost a hash as well', async () => {
  const before = hashes
  await dashboardSignIn(place.browser(from('10.0.0.2')), 'nobody@example.com', 'x')
  expect(hashes - before).toBe(1)
})
it('OIDC-L1: the cookie is HttpOnly, SameSite=Lax, Path=/, 256 bits, and stored as a hash', async () => {
  const response = await dashboardSignIn(place.browser(from('10.0.0.3')), 'ada@example.com', PASSWORD)
  const cookie = response.headers.getSetCookie().find((line) => line.startsWith('pilotwire_sid=')) ?? ''
  expect(cookie).toMatch(/^pilotwire_sid=[\w-]{43}; Max-Age=7776000; Path=\/; HttpOnly; SameSite=Lax$/)
  const stored = JSON.stringify(await place.reads.listLoginSessions('ada'))
  expect(stored).not.toContain(cookie.slice(14, 57))
})
it('OIDC-L1: on https the name is __Host- and the cookie Secure', async () => {
  const secure = await openPlace({ dashboardUrl: 'https://c.example/dashboard' })
  const response = await secure.browser().get('/dashboard/login')
  const [cookie = ''] = response.headers.getSetCookie()
  expect(cookie).toMatch(/^__Host-pilotwire_browser=/)
  expect(cookie).toContain('Secure')
  expect(response.headers.get('strict-transport-security')).toMatch(/max-age/)
  await secure.close()
})
it('OIDC-L1: a new id at sign-in, the planted one is worth nothing', async () => {
  const browser = place.browser(from('10.0.0.4'))
  browser.cookies.set('pilotwire_sid', 'planted')
  await dashboardSignIn(browser, 'ada@example.com', PASSWORD)
  expect(browser.cookies.get('pilotwire_sid')).not.toBe('planted')
  const first = browser.cookies.get('pilotwire_sid') ?? ''
  browser.cookies.delete('pilotwire_sid')
  await dashboardSignIn(browser, 'ada@example.com', PASSWORD)
  expect(browser.cookies.get('pilotwire_sid')).not.toBe(first)
})
it('OIDC-L1: signing in again ends the login session that the browser had', async () => {
  const browser = await place.signedIn(place.ada)
  const before = browser.cookies.get('pilotwire_sid') ?? ''
  const { url } = startOf(place, place.web.id, { prompt: 'login' })
  expect((await signIn(browser, url, 'ada@example.com')).status).toBe(303)
  expect(browser.cookies.get('pilotwire_sid')).not.toBe(before)
  const thief = place.browser()
  thief.cookies.set('pilotwire_sid', before)
  expect((await thief.get('/dashboard/applications')).status).toBe(303)
})
it.each([
  ['idle for 14 days', 14 * 86_400_000, 1],
  ['used, but 90 days old', 13 * 86_400_000, 7],
])('OIDC-L1: a login session ends when %s', async (_name, stepMs, steps) => {
  const own = await openPlace()
  const browser = await own.signedIn(own.ada)
  const statuses: number[] = []
  for (let i = 0; i < steps; i++) {
    own.advance(stepMs)
    statuses.push((await browser.get('/dashboard/applications')).status)
  }
  expect(statuses.at(-1)).toBe(303)
  expect(statuses.slice(0, -1).every((status) => status === 200)).toBe(true)
  await own.close()
})
it('OIDC-L4: a name with a capital umlaut signs in as it is written: the database folds A to Z only', async () => {
  await place.writes.createUser({ ...place.ada, id: 'oe', email: 'Özil@Example.com' })
  const browser = place.browser(from('10.0.0.78'))
  expect((await dashboardSignIn(browser, ' Özil@EXAMPLE.com', PASSWORD)).status).toBe(303)
})
it('OIDC-L3: login CSRF: the form needs the token of this browser', async () => {
  const browser = place.browser(from('10.0.0.5'))
  const html = await (await place.browser().get('/dashboard/login')).text()
  await browser.get('/dashboard/login')
  const foreign = { csrf: csrfOf(html, '/login'), email: 'ada@example.com', password: PASSWORD }
  expect((await browser.post('/dashboard/login', foreign)).status).toBe(403)
  expect((await browser.post('/dashboard/login', { ...foreign, csrf: '' })).status).toBe(403)
  const { html: own, path } = await openPage(browser, startOf(place, place.web.id).url)
  const fields = { csrf: csrfOf(own, '/login'), email: 'ada@example.com', password: PASSWORD }
  expect((await browser.post(`${path}/login`, fields, { origin: 'null' })).status).toBe(403)
  expect((await browser.post(`${path}/login`, fields)).status).toBe(303)
})
it('OIDC-L4: after 10 failures a name is throttled from that address: 429 with Retry-After; others are not', async () => {
  const browser = place.browser(from('10.0.1.1'))
  for (let i = 0; i < 10; i++) expect((await dashboardSignIn(browser, 'bob@example.com', 'x')).status).toBe(401)
  const refused = await dashboardSignIn(browser, 'Bob@Example.com', PASSWORD)
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await dashboardSignIn(browser, 'ada@example.com', PASSWORD)).status).toBe(303)
  expect((await dashboardSignIn(place.browser(from('10.0.1.2')), 'bob@example.com', PASSWORD)).status).toBe(303)
})
it('OIDC-L4: names longer than any login are counted as one: each would have filled the memory with its length', async () => {
  const browser = place.browser(from('10.0.0.77'))
  const attempt = (index: number) =>
    dashboardSignIn(browser, `${'x'.repeat(5000)}${index}@example.com`, 'wrong password')
  for (let index = 0; index < 10; index++) expect((await attempt(index)).status).toBe(401)
  expect((await attempt(10)).status).toBe(429)
})
it('OIDC-L4: the correct password still works from a known device', async () => {
  const browser = place.browser(from('10.0.2.1'))
  await dashboardSignIn(browser, 'ada@example.com', PASSWORD)
  browser.cookies.delete('pilotwire_sid')
  const attacker = place.browser(from('10.0.2.1'))
  for (let i = 0; i < 11; i++) await dashboardSignIn(attacker, 'ada@example.com', 'x')
  expect((await dashboardSignIn(attacker, 'ada@example.com', PASSWORD)).status).toBe(429)
  expect((await dashboardSignIn(browser, 'ada@example.com', PASSWORD)).status).toBe(303)
})
it('OIDC-L4, OIDC-V11: of 50 parallel wrong sign-ins at most 10 are hashed', async () => {
  const browser = place.browser(from('10.0.3.1'))
  const html = await (await browser.get('/dashboard/login')).text()
  const fields = { csrf: csrfOf(html, '/login'), email: 'ada@example.com', password: 'x' }
  const before = hashes
  const responses = await Promise.all(Array.from({ length: 50 }, () => browser.post('/dashboard/login', fields)))
  expect(hashes - before).toBeLessThanOrEqual(10)
  expect(responses.filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(40)
})
it('OIDC-L4: 100 failures per address and hour, an IPv6 /64 counts as one', async () => {
  for (let i = 0; i < 100; i++) {
    const browser = place.browser(from(`2001:db8:1:1::${i.toString(16)}`))
    await dashboardSignIn(browser, `user${i}@example.com`, 'x')
  }
  const refused = await dashboardSignIn(place.browser(from('2001:db8:1:1:ffff::1')), 'new@example.com', 'x')
  expect(refused.status).toBe(429)
  expect((await dashboardSignIn(place.browser(from('2001:db8:1:2::1')), 'new@example.com', 'x')).status).toBe(401)
})
it('OIDC-L6: users list and end their sign-ins', async () => {
  const [first, second] = [await place.signedIn(place.eve), await place.signedIn(place.eve)]
  const html = await (await first.get('/dashboard/sign-ins')).text()
  expect(html).toContain('this browser')
  expect(await place.reads.listLoginSessions('eve')).toHaveLength(2)
  const other = await place.reads.findLoginSession(hashOf(second.cookies.get('pilotwire_sid') ?? ''))
  await first.post(`/dashboard/sign-ins/${other?.sid}/end`, { csrf: csrfOf(html, `/${other?.sid}/end`) })
  expect((await first.get('/dashboard/applications')).status).toBe(200)
  expect((await second.get('/dashboard/applications')).status).toBe(303)
})
it('OIDC-L6: nobody ends another user’s sign-in', async () => {
  const victim = await place.signedIn(place.ada)
  const attacker = await place.signedIn(place.bob)
  const html = await (await attacker.get('/dashboard/sign-ins')).text()
  for (const { sid } of await place.reads.listLoginSessions('ada')) {
    await attacker.post(`/dashboard/sign-ins/${sid}/end`, { csrf: csrfOf(html, '/end') })
  }
  expect((await victim.get('/dashboard/applications')).status).toBe(200)
})
it('OIDC-L6: the cookie and the unused link of a disabled user work no more when the user is enabled again', async () => {
  const own = await openPlace()
  const browser = await own.signedIn(own.bob)
  const { link } = newPasswordLink(randomBytes, 'bob', own.now())
  await own.writes.createPasswordLink(link)
  await own.writes.changeUser('A', 'bob', { disabledAt: own.now() })
  await own.writes.changeUser('A', 'bob', { disabledAt: null })
  expect((await browser.get('/dashboard/applications')).status).toBe(303)
  expect(await own.reads.listLoginSessions('bob')).toEqual([])
  expect(await own.writes.spendPasswordLink(link.hash, 'p', own.now())).toBe(false)
  await own.close()
})
it('OIDC-L6: another role ends what was signed in; the same one, or another name, does not', async () => {
  const own = await openPlace()
  const browser = await own.signedIn(own.bob)
  await own.writes.changeUser('A', 'bob', { role: 'viewer', name: 'Bob' })
  expect((await browser.get('/dashboard/applications')).status).toBe(200)
  await own.writes.changeUser('A', 'bob', { role: 'operator' })
  expect((await browser.get('/dashboard/applications')).status).toBe(303)
  expect((await (await own.signedIn(own.bob)).get('/dashboard/applications')).status).toBe(200)
  await own.close()
})
it('OIDC-L5, OIDC-L6: the real hash, and a disabled user with the right password', async () => {
  const own = await openPlace()
  expect((await dashboardSignIn(own.browser(), 'ada@example.com', PASSWORD)).status).toBe(303)
  expect((await dashboardSignIn(own.browser(), 'ada@example.com', `${PASSWORD} `)).status).toBe(401)
  await own.writes.updateUser('ada', { disabledAt: own.now() })
  expect((await dashboardSignIn(own.browser(), 'ada@example.com', PASSWORD)).status).toBe(401)
  await own.close()
})
it.each([
  '//evil.example',
  'https://evil.example',
  '/\\evil.example',
  '/dashboard/../../x',
  '/other',
  'javascript:alert(1)',
  '/dashboard//evil.example',
])('the way back after sign-in is a page of ours, not %s', async (next) => {
  const response = await dashboardSignIn(place.browser(from('10.0.9.1')), 'ada@example.com', PASSWORD, {}, next)
  expect(response.headers.get('location')).toBe('/dashboard/applications')
})
it.each(['', 'x'.repeat(25_000), '\u0000', "' OR 1=1 --"])('OIDC-V25: hostile input %# is 401', async (text) => {
  const browser = place.browser(from(`10.9.0.${text.length % 200}`))
  expect((await dashboardSignIn(browser, text, text)).status).toBe(401)
})
it('signing out needs the form, and ends the login session', async () => {
  const browser = await place.signedIn(place.ada)
  const html = await (await browser.get('/dashboard/applications')).text()
  expect((await browser.post('/dashboard/logout', { csrf: 'x' })).status).toBe(403)
  expect((await browser.post('/dashboard/logout', { csrf: csrfOf(html, '/logout') })).status).toBe(200)
  expect((await browser.get('/dashboard/applications')).status).toBe(303)
})
