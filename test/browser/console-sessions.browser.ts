/** The pages about sessions, the message log and `/docs` as a browser shows them: usable, accessible, inert. */

import type { Browser, BrowserContextOptions } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createCredential } from '../../src/domain/accounts/credentials.ts'
import { logIdAt, logIdToUuid } from '../../src/domain/message-log/log-id.ts'
import type { Session } from '../../src/domain/ports/sessions.ts'
import type { User } from '../../src/domain/ports/storage-records.ts'
import { openOperatorPlace, SALT } from '../support/console/testing.ts'
import type { Place } from '../support/oidc/testing.ts'
import { launch, violations } from './chromium.ts'

const XSS = '"><script>document.title="owned"</script><b dir=rtl>\u202e'
const T0 = Date.UTC(2026, 7, 1, 12)
const id = (n: number): string => `01900000-0000-7000-8000-${String(n).padStart(12, '0')}`
const LONG = 'x'.repeat(500)

let place: Place
let browser: Browser
const stopped: string[] = []

function session(n: number, change: Partial<Session>): Session {
  return {
    id: id(n),
    accountId: 'A',
    chargePointId: 'CP2',
    state: 'charging',
    energyMilliWh: 7_000_000,
    startedAt: T0,
    createdAt: T0 + n,
    version: 1,
    flags: [],
    ...change,
  }
}

const COMPLETED = session(2, {
  chargePointId: 'CP1',
  state: 'completed',
  stoppedAt: T0 + 3_600_000,
  externalReference: XSS,
  idToken: LONG,
  cost: { micros: 2_350_000, currency: 'EUR' },
  tariff: {
    tariffId: 't',
    version: 1,
    currency: 'EUR',
    perKwhMicros: 300_000,
    perMinuteMicros: 0,
    perSessionMicros: 250_000,
    idlePerMinuteMicros: 0,
  },
})
const MESSAGE = logIdAt(T0)

beforeAll(async () => {
  place = await openOperatorPlace({
    stopSession: async (_, sessionId) => {
      stopped.push(sessionId)
      const after = session(1, { state: 'failed', endReason: 'cancelled', version: 2 })
      await put(after)
      return after
    },
  })
  await put(session(1, { idToken: XSS }))
  await put(COMPLETED)
  const request = JSON.stringify({ connectorId: 4, errorCode: 'GroundFailure', status: 'Faulted', info: XSS })
  const rest = { direction: 'in', protocol: 'ocpp1.6', messageId: 'm', status: 'success', response: '{}' } as const
  const command = {
    id: MESSAGE,
    chargePointId: 'CP1',
    method: 'StatusNotification',
    request,
    schemaErrors: XSS,
    ...rest,
  }
  await place.core.commit([{ chargePointId: 'CP1', command }])
  browser = await launch()
})
afterEach(async () => {
  for (const context of browser.contexts()) await context.close()
})
afterAll(async () => {
  await browser.close()
  await place.close()
})

async function put(one: Session): Promise<void> {
  await place.core.commit([{ chargePointId: one.chargePointId, sessions: [one] }])
}

async function open(address: string, options: BrowserContextOptions, user: User = place.ada) {
  const context = await browser.newContext(options)
  const { cookies } = await place.signedIn(user)
  await context.addCookies([...cookies].map(([name, value]) => ({ name, value, url: place.baseUrl })))
  const page = await context.newPage()
  const complaints: string[] = []
  const foreign: string[] = []
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('request', (request) => !request.url().startsWith(place.baseUrl) && foreign.push(request.url()))
  await page.goto(`${place.baseUrl}${address}`)
  return { page, complaints, foreign }
}

const ALL: readonly string[] = [
  '/dashboard/charging-sessions',
  '/dashboard/charging-sessions?state=completed&idToken=none',
  '/dashboard/charging-sessions?state=wrong',
  `/dashboard/charging-sessions/${id(1)}`,
  `/dashboard/charging-sessions/${id(1)}?ask=stop`,
  `/dashboard/charging-sessions/${id(2)}?ask=settle`,
  '/dashboard/charge-points/CP1',
  `/dashboard/charge-points/CP1/messages/${logIdToUuid(MESSAGE, SALT)}`,
  '/docs',
]

describe('every page', () => {
  it.each(ALL)(
    'CONSOLE-C6, CONSOLE-C8, CONSOLE-C11, CONSOLE-C12: %s is accessible and inert, wide and narrow, light and dark',
    async (address) => {
      const looks: readonly BrowserContextOptions[] = [
        { viewport: { width: 1440, height: 900 }, colorScheme: 'light' },
        { viewport: { width: 390, height: 800 }, colorScheme: 'dark', locale: 'de-DE' },
      ]
      for (const look of looks) {
        const { page, complaints, foreign } = await open(address, look)
        for (const summary of await page.locator('main details > summary').all()) {
          // By the keyboard: an open filter lies above what follows it.
          if (address !== '/docs' && (await summary.isVisible())) await summary.press('Enter')
        }
        expect(await violations(page), `${address} ${look.colorScheme}`).toEqual([])
        expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), address).toBe(true)
        expect(await page.title()).not.toBe('owned')
        const expected = address.includes('wrong') ? complaints.filter((text) => !text.includes('400')) : complaints
        expect([expected, foreign]).toEqual([[], []])
      }
    },
    // The reference is long, and axe looks at every element of it.
    120_000,
  )
})

describe('acting', () => {
  it('CONSOLE-C9: a charge is stopped after one question, without a script, and by nobody else', async () => {
    const address = `/dashboard/charging-sessions/${id(1)}`
    const viewer = await open(`${address}?ask=stop`, {}, place.bob)
    expect(await viewer.page.locator('form[action$="/stop"]').count()).toBe(0)
    const { page } = await open(address, { javaScriptEnabled: false })
    await page.getByText('Stop charging').click()
    await page.getByRole('button', { name: 'Stop now' }).click()
    expect(new URL(page.url()).pathname).toBe(address)
    expect(stopped).toEqual([id(1)])
    expect(await page.textContent('[data-live=head]')).toContain('stopped before it started')
  })

  it('CONSOLE-C12: a call is tried with a credential that stays in the page', async () => {
    const random = (bytes: number) => Buffer.alloc(bytes, 7)
    const made = createCredential(random, { accountId: 'A', name: 'try', createdAt: place.now() })
    await place.writes.createCredential(made.credential)
    const { page, foreign } = await open('/docs', {})
    await page.fill('#credential', made.text)
    const form = page.locator('#listSessions details.try')
    await form.locator('summary').click()
    await form.locator('input[name=limit]').fill('1')
    await form.locator('button').click()
    await page.locator('#listSessions-answer', { hasText: 'nextCursor' }).waitFor()
    const said = (await form.locator('.answer').textContent()) ?? ''
    expect(said).toMatch(/^200 /)
    expect(foreign).toEqual([])
    expect(
      await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])'),
    ).not.toContain(made.text)
    await page.reload()
    expect(await page.inputValue('#credential')).toBe('')
    const still = await open('/docs', { javaScriptEnabled: false })
    expect(await still.page.locator('details.try').first().isVisible()).toBe(false)
    expect(await still.page.locator('#session-states + article svg').isVisible()).toBe(true)
  })
})
