/** People who work on the console of a running server. */

import type { House } from './house.ts'
import { Browser, csrfOf, fieldsOf } from './support/oidc/browser.ts'

export const ADMIN = { email: 'ada@example.com', password: 'correct horse battery' }
/** As the settings name the server: forms are taken from there. */
export const ORIGIN = { origin: 'http://localhost:8080' }
/** With these the first administrator is Ada. */
export const WITH_ADMIN = {
  PILOTWIRE_BASE_URL: ORIGIN.origin,
  PILOTWIRE_ADMIN_EMAIL: ADMIN.email,
  PILOTWIRE_ADMIN_PASSWORD: ADMIN.password,
}

export const NEW_BULK_ORDER = '/dashboard/new-bulk-order'

export async function signedIn(house: House, email = ADMIN.email, origin = ORIGIN): Promise<Browser> {
  const browser = new Browser(house.url)
  const html = await (await browser.get('/dashboard/login')).text()
  const typed = { csrf: csrfOf(html, '/login'), email, password: ADMIN.password }
  const answer = await browser.post('/dashboard/login', typed, origin)
  if (answer.status !== 303) throw new Error(`${email} was not signed in: ${answer.status}`)
  return browser
}

/** Answers the question of a bulk order. @returns the path of its page */
export async function orderedOnPage(browser: Browser, query: string, change: object = {}): Promise<string> {
  const html = await (await browser.get(`${NEW_BULK_ORDER}?${query}`)).text()
  const form = new URLSearchParams(query)
  form.set('csrf', csrfOf(html, '/new-bulk-order'))
  form.set('once', fieldsOf(html, 'once')[0] ?? '')
  for (const [name, value] of Object.entries(change)) form.set(name, String(value))
  const answer = await browser.post(NEW_BULK_ORDER, form, ORIGIN)
  if (answer.status !== 303) throw new Error(`It was not ordered: ${answer.status} ${words(await answer.text())}`)
  return answer.headers.get('location') ?? ''
}

/** What a person reads of a page. */
export function words(html: string): string {
  return html.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ')
}
