/** For tests: what an application gets for the code that it was given. */
import type { Grant } from '../../../src/domain/ports/storage-oidc.ts'
import type { User } from '../../../src/domain/ports/storage-records.ts'
import { consent, locationOf, type Start, startOf } from './application.ts'
import type { Browser } from './browser.ts'
import type { Place } from './testing.ts'

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
