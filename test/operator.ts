/** People who work on the console of a running server. */
import { Browser, csrfOf } from '../src/oidc/browser.testing.ts'
import type { House } from './house.ts'

export const ADMIN = { email: 'ada@example.com', password: 'correct horse battery' }
/** As the settings name the server: forms are taken from there. */
export const ORIGIN = { origin: 'http://localhost:8080' }
/** With these the first administrator is Ada. */
export const WITH_ADMIN = {
  PILOTWIRE_BASE_URL: ORIGIN.origin,
  PILOTWIRE_ADMIN_EMAIL: ADMIN.email,
  PILOTWIRE_ADMIN_PASSWORD: ADMIN.password,
}

export async function signedIn(house: House, email = ADMIN.email): Promise<Browser> {
  const browser = new Browser(house.url)
  const html = await (await browser.get('/dashboard/login')).text()
  const typed = { csrf: csrfOf(html, '/login'), email, password: ADMIN.password }
  const answer = await browser.post('/dashboard/login', typed, ORIGIN)
  if (answer.status !== 303) throw new Error(`${email} was not signed in: ${answer.status}`)
  return browser
}

/** What a person reads of a page. */
export function words(html: string): string {
  return html.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ')
}
