/** An application of a partner, and the user who lets it act for her: the way through the browser to a token. */

import type { House } from './house.ts'
import { consent, signIn } from './support/oidc/application.ts'
import { Browser } from './support/oidc/browser.ts'

export interface SharingUser {
  readonly email: string
  readonly password: string
  readonly chargePoints: readonly string[]
  /** Where there is more than one. */
  readonly accountId?: string
}

/** Signs in, shares these charge points, and follows the way back to the application. */
export async function approve(baseUrl: string, address: string, user: SharingUser): Promise<string> {
  const { email, password, chargePoints } = user
  const browser = new Browser(baseUrl)
  await signIn(browser, address, email, password)
  const answer = await consent(browser, address, { share: 'chosen', chargePoints })
  return answer.headers.get('location') ?? ''
}

const redirectUri = 'https://app.example.com/cb'

/** A confidential client. */
export function createdClient(house: Pick<House, 'cli'>, accountId?: string): ReturnType<House['cli']> {
  const account = accountId === undefined ? [] : ['--account', accountId]
  return house.cli(['client', 'create', '--name', 'App', '--redirect-uri', redirectUri, ...account])
}

/** The client, unless given one of its own, is approved for the charge points that the user shares. */
export async function obtainTokens(
  house: Pick<House, 'cli'>,
  baseUrl: string,
  scope: string,
  user: SharingUser,
  ofClient?: Awaited<ReturnType<House['cli']>>,
): Promise<{ readonly access_token: string; readonly id_token: string }> {
  const client = ofClient ?? (await createdClient(house, user.accountId))
  const verifier = 'v'.repeat(43)
  const challenge = Buffer.from(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))).toString(
    'base64url',
  )
  const parameters = new URLSearchParams({
    client_id: String(client.clientId),
    redirect_uri: redirectUri,
    response_type: 'code',
    scope,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    prompt: 'consent',
  })
  const callback = new URL(await approve(baseUrl, `${baseUrl}/dashboard/oauth/authorize?${parameters}`, user))
  const response = await fetch(`${baseUrl}/1/oauth/service/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code: callback.searchParams.get('code') ?? '',
      redirect_uri: redirectUri,
      code_verifier: verifier,
      client_id: String(client.clientId),
      client_secret: String(client.clientSecret),
    }),
  })
  return (await response.json()) as { access_token: string; id_token: string }
}
