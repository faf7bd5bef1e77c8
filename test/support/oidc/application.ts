/** For tests: an application that asks for access, and the user who decides. */

import { createHash, randomBytes } from 'node:crypto'
import { type Browser, csrfOf, fieldsOf } from './browser.ts'
import { PASSWORD, type Place, REDIRECT_URI } from './testing.ts'

const SCOPES = 'openid offline_access sessions:read'

/** One authorization by an application: its verifier, state, and the address to open. */
export interface Start {
  readonly url: string
  readonly params: URLSearchParams
  readonly verifier: string
  readonly state: string
}

export function startOf(place: Place, clientId: string, change: Record<string, string | undefined> = {}): Start {
  const verifier = randomBytes(32).toString('base64url')
  const state = randomBytes(8).toString('hex')
  const all = {
    client_id: clientId,
    redirect_uri: REDIRECT_URI,
    response_type: 'code',
    scope: SCOPES,
    state,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...change,
  }
  const params = new URLSearchParams(
    Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
  return { url: `${place.config.dashboardUrl}/oauth/authorize?${params}`, params, verifier, state }
}

export function locationOf(response: Response): URL {
  return new URL(response.headers.get('location') ?? 'none:')
}

/** Opens the request and goes to the page that it leads to. */
export async function openPage(
  browser: Browser,
  url: string,
): Promise<{ response: Response; html: string; path: string }> {
  const first = await browser.get(url)
  const path = first.headers.get('location') ?? ''
  const response = await browser.get(path)
  return { response, html: await response.text(), path }
}

/** The user says yes, unless nobody asks; the answer is the redirect to the application. */
export async function consent(
  browser: Browser,
  url: string,
  choice: { scopes?: readonly string[]; share?: string; chargePoints?: readonly string[] } = {},
): Promise<Response> {
  const first = await browser.get(url)
  const path = first.headers.get('location') ?? ''
  if (!path.startsWith('/')) return first
  const html = await (await browser.get(path)).text()
  const { scopes = fieldsOf(html, 'scope'), share = 'all', chargePoints = [] } = choice
  const fields = new URLSearchParams([
    ['csrf', csrfOf(html, '/consent')],
    ['decision', 'approve'],
    ['share', share],
    ...scopes.map((scope): [string, string] => ['scope', scope]),
    ...chargePoints.map((id): [string, string] => ['chargePoint', id]),
  ])
  return browser.post(`${path}/consent`, fields)
}

export async function signIn(browser: Browser, url: string, email: string, password = PASSWORD): Promise<Response> {
  const { html, path } = await openPage(browser, url)
  return browser.post(`${path}/login`, { csrf: csrfOf(html, '/login'), email, password })
}
