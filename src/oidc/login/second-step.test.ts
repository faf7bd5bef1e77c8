import { randomBytes } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openPage, startOf } from '../../../test/support/oidc/application.ts'
import { type Browser, csrfOf, fieldsOf } from '../../../test/support/oidc/browser.ts'
import { openPlace, PASSWORD, type Place } from '../../../test/support/oidc/testing.ts'
import { NO_PASSWORD, newPasswordLink, passwordLinkAddress } from '../../domain/accounts/password-link.ts'

const OWN = '/dashboard/account'
const LOGIN = '/dashboard/login'

let place: Place
let ada: Browser
beforeEach(async () => {
  // Only what stands for the password is right, without the price of a hash.
  place = await openPlace({}, async (password) => password === PASSWORD)
  ada = await place.signedIn(place.ada)
})
afterEach(() => place.close())

const secretOf = (html: string): string => /secret=([A-Z2-7]+)/.exec(html)?.[1] ?? ''
const codeNow = (secret: string, off = 0): string =>
  new TOTP({ secret }).generate({ timestamp: place.now() + off * 30_000 })

/** @returns the shared secret and the recovery codes */
async function enrolled(): Promise<{ readonly secret: string; readonly codes: readonly string[] }> {
  const csrf = csrfOf(await (await ada.get(OWN)).text(), '/account')
  expect((await ada.post(`${OWN}/enrol`, { csrf, password: 'wrong' })).status).toBe(401)
  const html = await (await ada.post(`${OWN}/enrol`, { csrf, password: PASSWORD })).text()
  const secret = secretOf(html)
  expect((await ada.post(`${OWN}/confirm`, { csrf, code: '000000x' })).status).toBe(400)
  const done = await (await ada.post(`${OWN}/confirm`, { csrf, code: codeNow(secret) })).text()
  return { secret, codes: done.match(/[a-z2-7]{4}(-[a-z2-7]{4}){3}/g) ?? [] }
}

async function firstStep(browser: Browser): Promise<{ readonly csrf: string; readonly ticket: string }> {
  const csrf = csrfOf(await (await browser.get(LOGIN)).text(), '/login')
  const answer = await browser.post(LOGIN, { csrf, email: 'ada@example.com', password: PASSWORD })
  expect(answer.status).toBe(200)
  const html = await answer.text()
  expect(html).not.toContain('name="password"')
  return { csrf, ticket: fieldsOf(html, 'ticket')[0] ?? '' }
}

it('ADMIN-F1: the password alone signs nobody in; a code does, once; so does a recovery code, once', async () => {
  const { secret, codes } = await enrolled()
  expect(codes).toHaveLength(10)
  const browser = place.browser()
  const { csrf, ticket } = await firstStep(browser)
  expect(browser.cookies.has('pilotwire_sid')).toBe(false)
  const code = async (text: string) => (await browser.post(LOGIN, { csrf, ticket, code: text })).status
  expect(await code('000000')).toBe(401)
  expect(await code('٠٥٠٤٧١')).toBe(401)
  // The code that confirmed the factor is spent.
  expect(await code(codeNow(secret))).toBe(401)
  expect(await code(codeNow(secret, 1))).toBe(303)
  expect(await code(codeNow(secret, 1))).toBe(401)
  expect(await code(codes[0] ?? '')).toBe(303)
  expect(await code(codes[0] ?? '')).toBe(401)
  expect(await code((codes[1] ?? '').toUpperCase().replaceAll('-', ''))).toBe(303)
})

it('ADMIN-F1: tickets end, are nobody’s to make up, and codes are counted', async () => {
  const { codes } = await enrolled()
  const browser = place.browser()
  const { csrf, ticket } = await firstStep(browser)
  const post = (fields: Record<string, string>) => browser.post(LOGIN, { csrf, ...fields })
  expect((await post({ ticket: 'made up', code: codes[0] ?? '' })).status).toBe(401)
  for (let n = 0; n < 10; n++) expect((await post({ ticket, code: '123456' })).status).toBeGreaterThanOrEqual(401)
  expect((await post({ ticket, code: codes[0] ?? '' })).status).toBe(429)
  place.advance(301_000)
  expect(await (await post({ ticket, code: codes[0] ?? '' })).text()).toContain('took too long')
})

it('ADMIN-F1: without the secret key that it was sealed under no code is right, a recovery code is', async () => {
  const { codes } = await enrolled()
  const factor = await place.reads.findSecondFactor('ada')
  if (!factor) throw new Error('no factor')
  await place.writes.putSecondFactor({ ...factor, sealedSecret: `${factor.sealedSecret.slice(0, -4)}AAAA` })
  const browser = place.browser()
  const { csrf, ticket } = await firstStep(browser)
  const empty = new TOTP({ secret: new Secret({ buffer: new ArrayBuffer(0) }) })
  const code = empty.generate({ timestamp: place.now() })
  expect((await browser.post(LOGIN, { csrf, ticket, code })).status).toBe(401)
  expect((await browser.post(LOGIN, { csrf, ticket, code: codes[0] ?? '' })).status).toBe(303)
})

it('OIDC-L6: a second step that was begun before the user was disabled, or got another role, is over', async () => {
  const { codes } = await enrolled()
  const browser = place.browser()
  const changes = [{ disabledAt: place.now() }, { disabledAt: null }, { role: 'operator' }] as const
  await place.writes.createUser({ ...place.ada, id: 'second', email: 'second@example.com' })
  const { csrf, ticket } = await firstStep(browser)
  for (const change of changes.slice(0, 2)) await place.writes.changeUser('A', 'ada', change)
  const answer = await browser.post(LOGIN, { csrf, ticket, code: codes[0] ?? '' })
  expect([answer.status, browser.cookies.has('pilotwire_sid')]).toEqual([401, false])
  const again = await firstStep(browser)
  await place.writes.changeUser('A', 'ada', changes[2])
  expect((await browser.post(LOGIN, { ...again, code: codes[0] ?? '' })).status).toBe(401)
})

it('ADMIN-F1: signing in to an application asks for it as well; it is switched off with the password and a code', async () => {
  const { secret, codes } = await enrolled()
  place.advance(60_000)
  const browser = place.browser()
  const { html, path } = await openPage(browser, startOf(place, place.web.id).url)
  const csrf = csrfOf(html, '/login')
  const asked = await browser.post(`${path}/login`, { csrf, email: 'ada@example.com', password: PASSWORD })
  const ticket = fieldsOf(await asked.text(), 'ticket')[0] ?? ''
  expect((await browser.post(`${path}/login`, { csrf, ticket, code: codeNow(secret) })).status).toBe(303)
  const own = csrfOf(await (await ada.get(OWN)).text(), '/account')
  expect((await ada.post(`${OWN}/remove`, { csrf: own, password: 'wrong' })).status).toBe(401)
  const remove = async (code: string) =>
    (await ada.post(`${OWN}/remove`, { csrf: own, password: PASSWORD, code })).status
  expect([await remove(''), await remove('000000'), await remove(codeNow(secret))]).toEqual([401, 401, 401])
  expect(await place.reads.findSecondFactor('ada')).toBeDefined()
  expect(await remove(codes[0] ?? '')).toBe(200)
  expect(await place.reads.findSecondFactor('ada')).toBeUndefined()
  const kinds = (await place.reads.searchAudit({ accountId: 'A', userId: 'ada', limit: 9 })).map(({ kind }) => kind)
  expect(kinds).toContain('second_factor_set')
  expect(kinds[0]).toBe('second_factor_removed')
})

it('ADMIN-E2: passwords of one’s own: with the present one; every other sign-in ends, this one goes on', async () => {
  const other = await place.signedIn(place.ada)
  const csrf = csrfOf(await (await ada.get(OWN)).text(), '/account')
  const change = (password: string, newPassword: string) => ada.post(OWN, { csrf, password, newPassword })
  expect((await change('wrong', 'a new password')).status).toBe(401)
  expect((await change(PASSWORD, 'short')).status).toBe(400)
  const done = await change(PASSWORD, 'a new password')
  expect([done.status, (await done.text()).includes('is changed')]).toEqual([200, true])
  expect((await ada.get(OWN)).status).toBe(200)
  expect((await other.get(OWN)).status).toBe(303)
})

it('ADMIN-E1: passwords of one’s own: a link sets the first one, once; without it nobody signs in', async () => {
  const user = { ...place.bob, id: 'new', email: 'new@example.com', passwordHash: NO_PASSWORD }
  await place.writes.createUser(user)
  const { text, link } = newPasswordLink(randomBytes, 'new', place.now())
  await place.writes.createPasswordLink(link)
  const path = new URL(passwordLinkAddress(place.config.dashboardUrl, text)).pathname
  const browser = place.browser()
  const html = await (await browser.get(path)).text()
  expect(html).toContain('new@example.com')
  const csrf = csrfOf(html, text)
  expect((await browser.post(path, { csrf, newPassword: 'short' })).status).toBe(400)
  expect((await browser.post(path, { csrf, newPassword: 'long enough' })).status).toBe(200)
  expect((await place.reads.findUser('new'))?.passwordHash).toMatch(/^\$scrypt/)
  expect((await browser.post(path, { csrf, newPassword: 'another one' })).status).toBe(404)
  expect((await browser.get(path)).status).toBe(404)
  expect((await browser.get('/dashboard/password/pwl_x')).status).toBe(404)
})
