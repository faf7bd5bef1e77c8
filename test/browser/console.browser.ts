/** The operator's console as a browser shows it, on a whole server with a simulated charge point. */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type ChargePoint, createChargePoint } from '../../simulator/charge-point.ts'
import { freePort } from '../free-port.ts'
import { type House, openHouse, until } from '../house.ts'
import { booted16 } from '../station.ts'
import { launch, overflow, PHONE, signIn, violations, WIDE } from './chromium.ts'

const ADMIN = { email: 'ada@example.com', password: 'correct horse battery' }
/** What a station may say: markup, another direction of writing, and much of it. */
const HOSTILE = `"><script>window.broken = 1</script>\u202e\u05d0${'x'.repeat(430)}`

let house: House
let browser: Browser
let dashboard: string
let station: ChargePoint

beforeAll(async () => {
  const port = await freePort()
  const baseUrl = `http://localhost:${port}`
  dashboard = `${baseUrl}/dashboard`
  house = await openHouse({
    PILOTWIRE_PORT: String(port),
    PILOTWIRE_BASE_URL: baseUrl,
    PILOTWIRE_ADMIN_EMAIL: ADMIN.email,
    PILOTWIRE_ADMIN_PASSWORD: ADMIN.password,
  })
  browser = await launch()
  station = createChargePoint({ protocol: 'ocpp1.6', url: house.ocppUrl, id: 'SIM-1', timeScale: 1000 })
  await station.connect()
  await station.boot()
  await station.plug(1)
  const { ask } = await booted16(house.ocppUrl, 'HOSTILE')
  await ask('StatusNotification', {
    connectorId: 1,
    errorCode: 'GroundFailure',
    status: 'Faulted',
    vendorErrorCode: 'E7',
    info: HOSTILE,
    vendorId: HOSTILE,
  })
  await house.request('PATCH', '/2/evse-controllers/HOSTILE', {
    name: `<b>${'n'.repeat(190)}`,
    labels: { site: HOSTILE.slice(0, 200) },
  })
})
afterEach(async () => {
  for (const context of browser.contexts()) await context.close()
})
afterAll(async () => {
  await station.powerOff()
  await browser.close()
  await house.close()
})

/** A tab in which the administrator signed in on the way to a page. */
async function openTab(path: string, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({ viewport: WIDE, ...options })
  const page = await context.newPage()
  await signIn(page, dashboard + path, ADMIN.email, ADMIN.password)
  return page
}

const PAGES = ['', '/charge-points', '/charge-points?status=Faulted', '/charge-points/SIM-1', '/charge-points/HOSTILE']
const FORMS = [
  '/new-charge-point',
  '/charge-points/SIM-1/edit',
  '/charge-points/SIM-1/command?method=SetChargingProfile',
]

describe('pages of the console', () => {
  it.each([
    ['wide and light', { viewport: WIDE, colorScheme: 'light' }],
    ['on a phone and dark', { viewport: PHONE, colorScheme: 'dark' }],
  ] as const)(
    'CONSOLE-A6: axe finds nothing, and nothing is wider than the window: %s',
    async (_, options) => {
      const page = await openTab('', options)
      for (const path of [...PAGES, ...FORMS]) {
        await page.goto(dashboard + path)
        expect([path, await violations(page)]).toEqual([path, []])
        expect([path, await overflow(page)]).toEqual([path, 0])
        expect([path, await page.evaluate('window.broken')]).toEqual([path, undefined])
      }
    },
    120_000,
  )

  it('CONSOLE-F4: no German word of the side bar is cut off', async () => {
    const page = await openTab('', { locale: 'de-DE' })
    const cut = await page.evaluate(
      `[...document.querySelectorAll('.side a')].filter((link) => link.scrollWidth > link.clientWidth).length`,
    )
    expect(cut).toBe(0)
  })

  it('CONSOLE-F4, CONSOLE-J1: a phone opens the side bar as a drawer, and a key leads to the field that leads anywhere', async () => {
    const phone = await openTab('', { viewport: { width: 390, height: 844 }, javaScriptEnabled: false })
    expect(await phone.isVisible('.side')).toBe(false)
    await phone.click('.head button[popovertarget=pages]')
    await phone.click('.side a[href$="/charge-points"]')
    await phone.waitForURL(/charge-points$/)
    const page = await openTab('')
    await page.keyboard.press('/')
    await page.keyboard.type('SIM-1')
    await page.keyboard.press('Enter')
    await page.waitForURL(/charge-points\/SIM-1$/)
  })
})

describe.each([true, false])('a charge, with JavaScript: %s', (javaScriptEnabled) => {
  it('CONSOLE-A9, CONSOLE-A12: is started and stopped from the page', async () => {
    const page = await openTab('/charge-points/SIM-1', { javaScriptEnabled })
    const outlet = page.locator('[data-connector="1"]')
    await outlet.locator('summary').click()
    await outlet.locator('input[name=externalReference]').fill('by hand')
    await outlet.locator('form[action$="/start"] button').click()
    await page.waitForURL(/session=/)
    expect(await page.textContent('#answer')).toContain('Start requested')
    await until(async () => (await house.sessions('SIM-1'))[0]?.state === 'charging')
    // With the module the button comes by itself.
    if (!javaScriptEnabled) await page.reload()
    await outlet.locator('form[action$="/stop"] button').click()
    await page.click('button[name=confirmed]')
    await page.waitForURL(/session=/)
    await until(async () => (await house.sessions('SIM-1'))[0]?.state === 'completed')
    expect((await house.sessions('SIM-1'))[0]).toMatchObject({ externalReference: 'by hand', state: 'completed' })
    await station.unplug(1).catch(() => undefined)
    await station.plug(1)
  })
})

describe('from the overview', () => {
  it.each([true, false])('CONSOLE-A1: the message of a fault is three clicks away: %s', async (javaScriptEnabled) => {
    const page = await openTab('', { javaScriptEnabled })
    expect(await page.textContent('a[data-figure=faulted] strong')).toBe('1')
    await page.click('table.one-line tbody a.chip')
    await page.click('details.message summary')
    expect(await page.textContent('details.message')).toContain('GroundFailure')
  })

  it('CONSOLE-A1: figures change without a reload', async () => {
    const page = await openTab('')
    const { ask } = await booted16(house.ocppUrl, 'LATER')
    await ask('StatusNotification', { connectorId: 1, errorCode: 'HighTemperature', status: 'Faulted' })
    await page.locator('a[data-figure=faulted] strong', { hasText: '2' }).waitFor()
    expect(await page.textContent('main')).toContain('HighTemperature')
  })
})
