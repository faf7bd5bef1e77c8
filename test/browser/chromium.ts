/** What the tests of this folder do in Chromium. Code for the page is text: there are no types of a browser here. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type Browser, chromium, type Page } from 'playwright-core'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

export const WIDE = { width: 1440, height: 900 }
export const PHONE = { width: 390, height: 844 }

export function launch(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    args: ['--no-sandbox'],
  })
}

/** Rules that the page breaks, with the elements that do. */
export async function violations(page: Page): Promise<unknown> {
  await page.evaluate(AXE)
  return page.evaluate(
    `axe.run().then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html.slice(0, 200))]))`,
  )
}

/** The same of a page that was loaded without scripts: they are let run for axe alone, which waits with timers. */
export async function violationsWithoutScripts(page: Page): Promise<unknown> {
  const emulation = await page.context().newCDPSession(page)
  const disable = (value: boolean) => emulation.send('Emulation.setScriptExecutionDisabled', { value })
  // Only a change is passed on, and this session has changed nothing yet.
  await disable(true)
  await disable(false)
  const found = await violations(page)
  await disable(true)
  await emulation.detach()
  return found
}

/** Pixels by which the page is wider than its window. */
export function overflow(page: Page): Promise<unknown> {
  return page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
}

export async function signIn(page: Page, address: string, email: string, password: string): Promise<void> {
  await page.goto(address)
  await page.fill('input[name=email]', email)
  await page.fill('input[name=password]', password)
  await page.click('main button[type=submit]')
  await page.waitForURL((url) => !url.pathname.endsWith('/login'))
}
