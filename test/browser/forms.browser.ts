/** Forms that are more with a script than without, and those that begin with something in them. */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { launch, overflow, PHONE, signIn, violations } from './chromium.ts'
import { openSeededHouse, PASSWORD, type SeededHouse, USERS } from './seeded-house.ts'

const MEGABYTE = 1_000_000
/** Slow enough that the bar is seen on its way. */
const BYTES_PER_SECOND = 400_000
const IMAGE = { name: 'two.bin', mimeType: 'application/octet-stream', buffer: Buffer.alloc(3 * MEGABYTE, 'firmware') }

let seeded: SeededHouse | undefined
let browser: Browser
beforeAll(async () => {
  seeded = await openSeededHouse()
  browser = await launch()
})
afterEach(async () => {
  for (const context of browser.contexts()) await context.close()
})
afterAll(async () => {
  await browser?.close()
  await seeded?.close()
})

async function openTab(path: string, options: BrowserContextOptions = {}): Promise<Page> {
  const page = await (await browser.newContext(options)).newPage()
  await signIn(page, `${seeded?.dashboard}${path}`, USERS.operator, PASSWORD)
  return page
}

describe('CONSOLE-N5: bringing a firmware image', () => {
  const BAR = 'form[data-upload] progress'
  const OPEN = 'details.fold > summary'

  it('shows how much of it has left, and then the list with the image', async () => {
    const page = await openTab('/firmware')
    await page.click(OPEN)
    const throttle = await page.context().newCDPSession(page)
    const limit = (uploadThroughput: number) =>
      throttle.send('Network.emulateNetworkConditions', {
        offline: false,
        latency: 0,
        downloadThroughput: -1,
        uploadThroughput,
      })
    await limit(BYTES_PER_SECOND)
    await page.fill('input[name=version]', '2.0.1-slow')
    await page.setInputFiles('input[name=file]', IMAGE)
    await page.click('form[data-upload] button[type=submit]')
    const isOnItsWay = `(({ value }) => value > 0 && value < 1)(document.querySelector('${BAR}') ?? {})`
    await expect.poll(() => page.evaluate(isOnItsWay), { interval: 20 }).toBe(true)
    expect(await page.getAttribute(BAR, 'aria-label')).toBe('Uploading')
    expect(await page.isDisabled('form[data-upload] button[type=submit]')).toBe(true)
    expect(await violations(page)).toEqual([])
    await limit(-1)
    await page.locator('[data-live=images] td.name', { hasText: '2.0.1-slow' }).waitFor()
    expect(await page.locator(BAR).count()).toBe(0)
  })

  it('says what is wrong beside its field, and that it broke off, and keeps what was typed', async () => {
    const page = await openTab('/firmware')
    await page.click(OPEN)
    const send = async (): Promise<string | null> => {
      await page.click('form[data-upload] button[type=submit]')
      return page.locator('form[data-upload] [role=alert]').first().textContent()
    }
    await page.fill('input[name=version]', '2.0.1-refused')
    await page.fill('input[name=sha256]', 'ab'.repeat(32))
    await page.setInputFiles('input[name=file]', IMAGE)
    expect(await send()).not.toBe('')
    expect(await page.inputValue('input[name=version]')).toBe('2.0.1-refused')
    expect(await page.locator(BAR).count()).toBe(0)
    await page.reload()
    await page.click(OPEN)
    await page.route('**/firmware', (route) => (route.request().method() === 'POST' ? route.abort() : route.continue()))
    await page.fill('input[name=version]', '2.0.1-broken')
    await page.setInputFiles('input[name=file]', IMAGE)
    expect(await send()).toBe('The upload was interrupted.')
    expect(await page.inputValue('input[name=version]')).toBe('2.0.1-broken')
    expect(await page.isEnabled('form[data-upload] button[type=submit]')).toBe(true)
  })

  it('was wider than a phone when it was opened', async () => {
    const page = await openTab('/firmware', { viewport: PHONE })
    await page.click(OPEN)
    expect([await page.isVisible('input[name=version]'), await overflow(page)]).toEqual([true, 0])
  })

  it('works without a script', async () => {
    const page = await openTab('/firmware', { javaScriptEnabled: false })
    await page.click(OPEN)
    await page.fill('input[name=version]', '2.0.1-plain')
    await page.setInputFiles('input[name=file]', IMAGE)
    await page.click('form[data-upload] button[type=submit]')
    await page.locator('[data-live=images] td.name', { hasText: '2.0.1-plain' }).waitFor()
  })
})

describe('CONSOLE-A17: a charge point that was refused', () => {
  it('is registered from the overview without typing who it is', async () => {
    const page = await openTab('')
    await page.getByRole('link', { name: 'NEW "1"', exact: true }).click()
    expect(await page.inputValue('input[name=id]')).toBe('NEW "1"')
  })
})
