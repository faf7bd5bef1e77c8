/** For tests: an application that asks for access, and the user who decides. */

import { createHash, randomBytes } from 'node:crypto'
import type { Grant } from '../../../src/domain/ports/storage-oidc-records.ts'
import type { User } from '../../../src/domain/ports/storage-records.ts'
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

export interface Tokens {
  readonly access_token: string
  readonly refresh_token?: string
  readonly id_token?: string
  readonly scope: string
  readonly expires_in: number
  readonly token_type: string
  readonly error?: string
  readonly error_description?: string
}

export function postToken(
  place: Place,
  fields: Record<string, string | undefined>,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(`${place.issuer}/token`, {
    method: 'POST',
    headers,
    body: new URLSearchParams(
      Object.entries(fields).filter((entry): entry is [string, string] => entry[1] !== undefined),
    ),
  })
}

export function exchangeFields(
  client: { id: string; secret?: string },
  code: string,
  start: Start,
): Record<string, string | undefined> {
  return {
    grant_type: 'authorization_code',
    code,
    redirect_uri: start.params.get('redirect_uri') ?? '',
    code_verifier: start.verifier,
    client_id: client.id,
    client_secret: client.secret || undefined,
  }
}

/** The whole way: authorize, consent, exchange. */
export async function obtainTokens(
  place: Place,
  client: { id: string; secret?: string },
  user: User = place.ada,
  change: Record<string, string | undefined> = {},
  choice: Parameters<typeof consent>[2] = {},
): Promise<{
  readonly tokens: Tokens
  readonly code: string
  readonly start: Start
  readonly browser: Browser
  readonly grant: Grant
}> {
  const browser = await place.signedIn(user)
  const start = startOf(place, client.id, change)
  const answer = await consent(browser, start.url, choice)
  const code = locationOf(answer).searchParams.get('code') ?? ''
  const response = await postToken(place, exchangeFields(client, code, start))
  const tokens = (await response.json()) as Tokens
  const grant = await place.reads.findActiveGrant(user.id, client.id)
  if (!grant) throw new Error(`No grant was made: ${JSON.stringify(tokens)}`)
  return { tokens, code, start, browser, grant }
}

export function userinfo(place: Place, accessToken: string): Promise<Response> {
  return fetch(`${place.issuer}/userinfo`, { headers: { authorization: `Bearer ${accessToken}` } })
}

export function refresh(
  place: Place,
  client: { id: string; secret?: string },
  token: string | undefined,
  change: Record<string, string> = {},
): Promise<Response> {
  const fields = {
    grant_type: 'refresh_token',
    refresh_token: token,
    client_id: client.id,
    client_secret: client.secret || undefined,
  }
  return postToken(place, { ...fields, ...change })
}
