/** For tests: a browser on its way to the company's provider and back. */
import { decodeJwt, type JWTPayload } from 'jose'
import { locationOf, type Start } from '../application.ts'
import { type Browser, csrfOf, fieldsOf } from '../browser.ts'
import type { Place } from '../testing.ts'
import { exchangeFields, postToken, type Tokens } from '../tokens.ts'
import type { CompanyProvider } from './provider.ts'

export const hrefOf = (html: string): string =>
  /href="([^"]*\/sso\?[^"]*)"/.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? 'no button'

/** As far as the provider: where it sends the browser. */
export async function leave(browser: Browser, page = '/dashboard/login'): Promise<Response> {
  const html = await (await browser.get(page)).text()
  return browser.get(hrefOf(html), { 'sec-fetch-site': 'same-origin' })
}

export function returned(company: CompanyProvider, browser: Browser, gone: Response): Promise<Response> {
  return browser.get(company.answer(gone.headers.get('location') ?? ''), { 'sec-fetch-site': 'cross-site' })
}

/** The user approves on the page of the request. */
export async function idTokenOf(place: Place, browser: Browser, page: string, start: Start): Promise<JWTPayload> {
  const html = await (await browser.get(page)).text()
  const scopes = fieldsOf(html, 'scope').map((scope): [string, string] => ['scope', scope])
  const fields = [['csrf', csrfOf(html, '/consent')], ['decision', 'approve'], ['share', 'all'], ...scopes]
  const approved = await browser.post(`${page}/consent`, new URLSearchParams(fields as [string, string][]))
  const code = locationOf(approved).searchParams.get('code') ?? ''
  const tokens = (await (await postToken(place, exchangeFields(place.spa, code, start))).json()) as Tokens
  return decodeJwt(tokens.id_token ?? '')
}
