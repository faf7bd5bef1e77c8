/** A developer opens http://127.0.0.1:8080 while the base URL says http://localhost:8080. */

import { expect, it } from 'vitest'
import { csrfOf } from '../../../test/support/oidc/browser.ts'
import { PASSWORD, placeOfTest } from '../../../test/support/oidc/testing.ts'
import { expectTexts, expectWithout } from '../../../test/support/texts.ts'

const RIGHT = 'http://localhost:8080/dashboard'

const place = await placeOfTest({ dashboardUrl: RIGHT })

/** Fills in the sign-in form at the address that was opened; `undefined` leaves a header out. */
async function submit(headers: Record<string, string | undefined>, language = 'en'): Promise<Response> {
  const browser = place.browser({ 'accept-language': language })
  const html = await (await browser.get('/dashboard/login')).text()
  const fields = { csrf: csrfOf(html, '/login'), email: 'ada@example.com', password: PASSWORD }
  const all = { origin: place.baseUrl, 'sec-fetch-site': 'same-origin', ...headers }
  const sent = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return browser.send('/dashboard/login', {
    method: 'POST',
    body: new URLSearchParams(fields),
    headers: Object.fromEntries(sent),
  })
}

it.each([
  ['a browser that says same-origin', {}],
  ['a browser that says nothing, as at plain http addresses', { 'sec-fetch-site': undefined }],
])('OIDC-L2: %s is refused, and told which address to open', async (_name, headers) => {
  const response = await submit(headers)
  const html = await response.text()
  expect([response.status, response.headers.get('set-cookie')]).toEqual([403, null])
  expectTexts(html, `<a href="${RIGHT}">${RIGHT}</a>`, 'PILOTWIRE_BASE_URL')
  expect(html).not.toContain('127.0.0.1')
})

it('OIDC-P7: in German as well', async () => {
  expect(await (await submit({}, 'de')).text()).toContain('Öffnen Sie stattdessen')
})

it.each([
  ['another site', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
  ['another site in an old browser', { origin: 'https://evil.example', 'sec-fetch-site': undefined }],
  ['a sandboxed frame', { origin: 'null', 'sec-fetch-site': 'cross-site' }],
  ['nothing that is an origin', { origin: '<script>', 'sec-fetch-site': undefined }],
])('OIDC-L2: %s is refused without a hint', async (_name, headers) => {
  const response = await submit(headers)
  const html = await response.text()
  expect([response.status, response.headers.get('set-cookie')]).toEqual([403, null])
  expect(html).toContain('The form did not come from this site.')
  expectWithout(html, RIGHT, '<script')
})
