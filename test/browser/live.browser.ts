/** Operator pages that keep themselves up to date, as a browser shows them. */

import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { logIdAt } from '../../src/domain/message-log/log-id.ts'
import type { Session } from '../../src/domain/ports/sessions.ts'
import { STYLE_PATH } from '../../src/web/fixed-document.ts'
import { openOperatorPlace } from '../support/console/testing.ts'
import { aboutSession } from '../support/domain/events/testing.ts'
import type { Place } from '../support/oidc/testing.ts'
import { launch } from './chromium.ts'

const ID = '01900000-0000-7000-8000-000000000001'
/** An update and a late one beside it, on a busy machine. */
const SOON_MS = 100_000

let place: Place
let browser: Browser
let online = true

beforeAll(async () => {
  place = await openOperatorPlace({
    connectivity: async (ids) => ids.map((chargePointId) => ({ chargePointId, online })),
  })
  browser = await launch()
})
afterEach(async () => {
  for (const context of browser.contexts()) await context.close()
})
afterAll(async () => {
  await browser.close()
  await place.close()
})

interface Tab {
  readonly page: Page
  /** What the console complained about, violations of the policy among it. */
  readonly complaints: string[]
  /** Addresses of scripts that were loaded. */
  readonly scripts: string[]
}

/** A tab in which ada is signed in. */
async function openTab(path: string, options: BrowserContextOptions = {}): Promise<Tab> {
  const context = await browser.newContext(options)
  const signedIn = await place.signedIn(place.ada)
  await context.addCookies([...signedIn.cookies].map(([name, value]) => ({ name, value, url: place.baseUrl })))
  const page = await context.newPage()
  const complaints: string[] = []
  const scripts: string[] = []
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('request', (request) => request.resourceType() === 'script' && scripts.push(request.url()))
  await page.goto(`${place.config.dashboardUrl}${path}`)
  return { page, complaints, scripts }
}

async function charge(energyMilliWh: number): Promise<void> {
  const at = place.now()
  const session: Session = {
    id: ID,
    accountId: 'A',
    chargePointId: 'CP1',
    state: 'charging',
    transactionId: '7',
    energyMilliWh,
    startedAt: at - 60_000,
    createdAt: at - 60_000,
    version: 1,
    flags: [],
  }
  await place.core.commit([{ chargePointId: 'CP1', sessions: [session] }])
}

let messages = 0
async function meter(wattHours: number, minutesAgo: number): Promise<void> {
  const timestamp = new Date(place.now() - minutesAgo * 60_000).toISOString()
  const request = {
    connectorId: 1,
    transactionId: 7,
    meterValue: [{ timestamp, sampledValue: [{ value: String(wattHours) }] }],
  }
  const id = logIdAt(place.now()) + messages++
  await place.core.commit([
    {
      chargePointId: 'CP1',
      command: {
        id,
        chargePointId: 'CP1',
        method: 'MeterValues',
        transactionId: '7',
        direction: 'in',
        status: 'success',
        protocol: 'ocpp1.6',
        messageId: `m${id}`,
        request: JSON.stringify(request),
        response: '{}',
      },
    },
  ])
}

const shows = (page: Page, text: string): Promise<unknown> =>
  page.getByText(text).filter({ visible: true }).first().waitFor({ timeout: SOON_MS })
/** Code for the page is text: this folder is type-checked without the browser's globals. */
const isFocused = (page: Page, selector: string): Promise<unknown> =>
  page.evaluate(`document.activeElement === document.querySelector(${JSON.stringify(selector)})`)

describe('a page that is left open', () => {
  it('API-P2: a session’s energy and curve change without a reload, folds and focus stay', async () => {
    await charge(1_000_000)
    await meter(100, 30)
    await meter(400, 20)
    const { page, complaints, scripts } = await openTab(`/charging-sessions/${ID}`)
    await page.click('summary')
    await page.evaluate('window.stays = true')
    await charge(2_345_000)
    await meter(700, 10)
    await shows(page, '2.345 kWh')
    await page.locator('details tbody tr').nth(2).waitFor({ timeout: SOON_MS })
    expect(await page.getAttribute('details', 'open')).not.toBeNull()
    expect(await isFocused(page, 'summary')).toBe(true)
    expect(await page.evaluate('window.stays')).toBe(true)
    expect(await page.textContent('[role=status]')).toMatch(/^Live · .*\d\d:\d\d$/)
    expect([complaints, scripts.length]).toEqual([[], 1])
  })

  it('API-P2: nothing moves under a keyboard focus, and it catches up afterwards', async () => {
    await charge(1_000_000)
    const { page } = await openTab('/charging-sessions')
    await page.focus('[data-live] a')
    await charge(3_000_000)
    await page.waitForResponse((response) => response.url().endsWith('/charging-sessions') && response.status() === 200)
    expect(await page.textContent('[data-live]')).toContain('1.000 kWh')
    expect(await isFocused(page, '[data-live] a')).toBe(true)
    await page.focus('.side a')
    await shows(page, '3.000 kWh')
    expect(await isFocused(page, '.side a')).toBe(true)
  })

  it('a message log grows at its top; the message that is unfolded stays itself, and unfolded', async () => {
    await meter(100, 30)
    const { page, complaints } = await openTab('/charge-points/CP1')
    const first = await page.getAttribute('details.message', 'id')
    const count = await page.locator('details.message').count()
    await page.click('details.message summary')
    await page.evaluate(`document.getElementById('${first}').stays = true`)
    await meter(200, 29)
    await meter(300, 28)
    await page
      .locator('details.message')
      .nth(count + 1)
      .waitFor({ state: 'attached', timeout: SOON_MS })
    expect(await page.locator('details.message').nth(2).getAttribute('id')).toBe(first)
    expect(await page.evaluate(`document.getElementById('${first}').stays`)).toBe(true)
    expect(await page.locator('details.message[open]').count()).toBe(1)
    expect(await isFocused(page, `[id="${first}"] summary`)).toBe(true)
    expect(complaints).toEqual([])
  })

  it('API-P2: a charge point goes offline, a delivery gets through, half-filled forms stay', async () => {
    const { page } = await openTab('/charge-points')
    await shows(page, 'online')
    online = false
    await page.waitForSelector('.chip.good', { state: 'detached', timeout: SOON_MS })

    await place.writes.createSubscription(
      {
        id: 'wh_1',
        accountId: 'A',
        url: 'https://example.com/hook',
        events: ['session.updated'],
        updates: 'all',
        status: 'active',
        secrets: [{ sealed: 'x' }],
        consecutiveFailures: 0,
        attemptsSinceSuccess: 0,
        createdAt: place.now(),
      },
      16,
    )
    await page.goto(`${place.config.dashboardUrl}/webhooks/wh_1`)
    await shows(page, 'No deliveries found.')
    await page.fill('input[name=since]', '2026-08-01T12:00')
    await page.focus('.side a')
    const data = JSON.stringify({ id: 'e1' })
    const event = { id: ID, accountId: 'A', ...aboutSession('s1'), chargePointId: 'CP1', kind: 'transition' as const }
    await place.core.commit([{ chargePointId: 'CP1', events: [{ ...event, time: place.now(), causes: [], data }] }])
    await page.waitForSelector('[data-live=deliveries] td >> text=pending', { timeout: SOON_MS })
    const [delivery] = await place.reads.listDeliveries({ subscriptionId: 'wh_1', limit: 1 })
    const deliveryId = delivery?.id ?? ''
    const now = place.now()
    await place.writes.claimDeliveries({ now, leaseUntil: now + 60_000 })
    const attempt = { number: 1, at: now, durationMs: 5, url: 'https://example.com/hook', status: 200 }
    await place.writes.finishAttempts(
      [{ deliveryId, subscriptionId: 'wh_1', attempt: { ...attempt, requestHeaders: {} }, state: 'succeeded' }],
      now,
    )
    await shows(page, '1 of 1')
    expect(await page.inputValue('input[name=since]')).toBe('2026-08-01T12:00')
  })

  it('API-P2: it asks for nothing while nobody looks, and at once when somebody does', async () => {
    await charge(1_000_000)
    const { page } = await openTab('/charging-sessions')
    await page.waitForResponse((response) => response.url().endsWith('/charging-sessions'))
    const look = (hidden: boolean): Promise<unknown> =>
      page.evaluate(`Object.defineProperty(document, 'hidden', { configurable: true, value: ${hidden} });
        document.dispatchEvent(new Event('visibilitychange'))`)
    await look(true)
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await charge(4_000_000)
    await page.waitForTimeout(4500)
    expect(asked).toEqual([])
    await look(false)
    await shows(page, '4.000 kWh')
  })

  it('API-P2: a server that is away is waited for, and said so; a sign-in that ended is said, too', async () => {
    await charge(1_000_000)
    const { page } = await openTab('/charging-sessions')
    await page.route('**/charging-sessions', (route) => route.abort())
    await shows(page, 'The server cannot be reached. Trying again.')
    await charge(5_000_000)
    await page.unroute('**/charging-sessions')
    await shows(page, '5.000 kWh')
    await shows(page, 'Live ·')
    await page.context().clearCookies()
    await charge(6_000_000)
    await shows(page, 'This page is no longer updated. Reload it.')
    expect(await page.textContent('[data-live]')).toContain('5.000 kWh')
  })
})

describe('without JavaScript', () => {
  it('API-P2: the page shows the right figures after a reload', async () => {
    await charge(1_000_000)
    const { page, scripts } = await openTab(`/charging-sessions/${ID}`, { javaScriptEnabled: false })
    expect(await page.textContent('[data-live=figures]')).toContain('1.000 kWh')
    await charge(7_000_000)
    await page.reload()
    expect(await page.textContent('[data-live=figures]')).toContain('7.000 kWh')
    expect([scripts, await page.textContent('[role=status]')]).toEqual([[], ''])
  })
})

describe('pages that stand still', () => {
  it('OIDC-A19: the sign-in loads no script, and its policy runs none', async () => {
    const page = await (await browser.newContext()).newPage()
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.resourceType()))
    const response = await page.goto(`${place.config.dashboardUrl}/login`)
    expect(response?.headers()['content-security-policy']).not.toContain('script-src')
    const ran = await page
      .addScriptTag({ url: `${place.config.dashboardUrl}${STYLE_PATH}` })
      .then(() => true)
      .catch(() => false)
    expect([ran, asked.includes('script')]).toEqual([false, false])
  })
})
