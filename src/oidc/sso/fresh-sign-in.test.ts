import { afterAll, beforeEach, expect, it } from 'vitest'
import { locationOf, startOf } from '../../../test/support/oidc/application.ts'
import type { Browser } from '../../../test/support/oidc/browser.ts'
import { CLIENT_ID, CLIENT_SECRET, companyProvider } from '../../../test/support/oidc/sso/provider.ts'
import { idTokenOf, leave, returned } from '../../../test/support/oidc/sso/visits.ts'
import { openPlace } from '../../../test/support/oidc/testing.ts'

const company = await companyProvider()
const client = { ssoIssuer: company.issuer, ssoClientId: CLIENT_ID, ssoClientSecret: CLIENT_SECRET }
const place = await openPlace({ ...client, ssoRoles: [{ name: 'desk', role: 'operator' }] })
afterAll(async () => {
  await place.close()
  await company.stop()
})
let people = 0
beforeEach(() => {
  const sub = `p${++people}`
  company.person = { sub, email: `${sub}@example.com`, email_verified: true, roles: ['desk'] }
  company.lies = {}
})

const back = (browser: Browser, gone: Response) => returned(company, browser, gone)

// ADMIN-K8: an application that asks for a new sign-in
const DAY = 86_400
const seconds = (): number => Math.floor(Date.now() / 1000)
const request = async (browser: Browser, asked: Record<string, string>) => {
  const start = startOf(place, place.spa.id, asked)
  const page = (await browser.get(start.url)).headers.get('location') ?? ''
  return { start, page, gone: await leave(browser, page) }
}

it.each<readonly [string, Record<string, string>, () => object, number]>([
  [
    'prompt=login got an ID token whose auth_time was a day old',
    { prompt: 'login' },
    () => ({ auth_time: seconds() - DAY }),
    403,
  ],
  ['max_age=0 did', { max_age: '0' }, () => ({ auth_time: seconds() - DAY }), 403],
  ['prompt=login got one without auth_time', { prompt: 'login' }, () => ({ auth_time: undefined }), 403],
  ['max_age got one without auth_time', { max_age: '3600' }, () => ({ auth_time: undefined }), 403],
  ['max_age got an older sign-in', { max_age: '3600' }, () => ({ auth_time: seconds() - 3700 }), 403],
  ['max_age gets one that is new enough', { max_age: '3600' }, () => ({ auth_time: seconds() - 3500 }), 303],
  ['a time that is none is not believed', { prompt: 'login' }, () => ({ auth_time: 'now' }), 502],
  [
    'the provider’s clock is two years ahead of ours, and it is a new sign-in',
    { prompt: 'login' },
    () => ({ iat: seconds() + 730 * DAY, exp: seconds() + 731 * DAY, auth_time: seconds() + 730 * DAY }),
    303,
  ],
])('%s', async (_, asked, lie, status) => {
  const browser = place.browser()
  company.lies.idToken = { ...lie() }
  const { page, gone } = await request(browser, asked)
  expect(locationOf(gone).searchParams.get('max_age')).toBe(asked.max_age ?? '0')
  const arrived = await back(browser, gone)
  expect(arrived.status).toBe(status)
  expect((await (await browser.get(page)).text()).includes('/consent')).toBe(status === 303)
  if (status === 403) expect(await arrived.text()).toContain('does not confirm one')
})

it('nine minutes spent at the provider do not make a sign-in too old', async () => {
  const browser = place.browser()
  company.lies.idToken = { auth_time: seconds() - 530 }
  const { gone } = await request(browser, { prompt: 'login' })
  const early = await back(browser, gone)
  expect(early.status).toBe(403)
  const again = await request(browser, { prompt: 'login' })
  place.advance(540_000)
  expect((await back(browser, again.gone)).status).toBe(303)
})

it('our auth_time is the time of the sign-in there, not that of the way back', async () => {
  const browser = place.browser()
  company.lies.idToken = { auth_time: seconds() - DAY }
  await back(browser, await leave(browser))
  const start = startOf(place, place.spa.id)
  const page = (await browser.get(start.url)).headers.get('location') ?? ''
  const { auth_time: at } = await idTokenOf(place, browser, page, start)
  expect(place.now() / 1000 - Number(at)).toBeGreaterThan(DAY - 60)
  const tooOld = await request(browser, { max_age: '3600' })
  expect(locationOf(tooOld.gone).searchParams.get('prompt')).toBe('login')
})

it('OIDC-P5: a sign-in of unknown time has no auth_time, and is too old for every max_age', async () => {
  const browser = place.browser()
  await back(browser, await leave(browser))
  const start = startOf(place, place.spa.id)
  const page = (await browser.get(start.url)).headers.get('location') ?? ''
  expect(await idTokenOf(place, browser, page, start)).not.toHaveProperty('auth_time')
  const silent = startOf(place, place.spa.id, { prompt: 'none', max_age: '99999999999' })
  expect(locationOf(await browser.get(silent.url)).searchParams.get('error')).toBe('login_required')
})
