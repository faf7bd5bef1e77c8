/** A dashboard with a host of its own: its pages then stand beside the API's addresses, and neither hides the other. */
import { expect, it } from 'vitest'
import { houseOfFile, until } from './house.ts'
import { booted16 } from './station.ts'
import { Browser, csrfOf } from './support/oidc/browser.ts'

const DASHBOARD_URL = 'http://127.0.0.1:8080'
const ADMIN = { email: 'admin@example.com', password: 'correct horse battery' }

const house = await houseOfFile({
  PILOTWIRE_BASE_URL: 'http://localhost:8080',
  PILOTWIRE_DASHBOARD_URL: DASHBOARD_URL,
  PILOTWIRE_ADMIN_EMAIL: ADMIN.email,
  PILOTWIRE_ADMIN_PASSWORD: ADMIN.password,
})
const browser = new Browser(house.url)
const form = await (await browser.get('/login')).text()
await browser.post('/login', { csrf: csrfOf(form, '/login'), ...ADMIN }, { origin: DASHBOARD_URL })
const { ask } = await booted16(house.ocppUrl, 'CP1')
await ask('StartTransaction', { connectorId: 1, idTag: 'T', meterStart: 0, timestamp: new Date().toISOString() })
await until(async () => (await house.sessions('CP1')).length === 1)

/** Links to pages, each once. */
const linksOf = (html: string): string[] => [
  ...new Set(
    [...html.matchAll(/href="(\/[^"]*)"/g)]
      .map(([, path = '']) => path)
      .filter((path) => !/\.(css|svg|csv)(\?|$)|\/json$|[?]format=/.test(path)),
  ),
]

it('API-A4, OIDC-X1: every page that the dashboard links to is a page, and open to no other origin', async () => {
  const home = (await browser.get('/')).headers.get('location') ?? '/'
  const seen = new Set<string>()
  for (const waiting = [home]; waiting.length > 0; ) {
    const path = waiting.shift() ?? ''
    if (seen.has(path)) continue
    seen.add(path)
    const answer = await browser.get(path)
    const { status, headers } = answer
    const target = headers.get('location')
    if (path.startsWith('/jump?') && status === 303 && target !== null) {
      waiting.push(target)
      continue
    }
    expect([path, status, headers.get('content-type')]).toEqual([path, 200, 'text/html; charset=UTF-8'])
    expect([path, headers.get('access-control-allow-origin')]).toEqual([path, null])
    waiting.push(...linksOf(await answer.text()))
  }
  const [session] = await house.sessions('CP1')
  expect([...seen].filter((path) => path.includes(String(session?.id)))).not.toEqual([])
})

it('API-A9: the session stands at its address, for applications', async () => {
  const [session] = await house.sessions('CP1')
  expect(await house.session(String(session?.id))).toEqual(session)
})
