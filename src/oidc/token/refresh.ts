/** grant_type=refresh_token: a new token each time; the old one ends (OIDC-T5, OIDC-T6). */

import { inOrder, parseScopes } from '../../domain/grants/scopes.ts'
import type { Client, RefreshRefusal } from '../../domain/ports/storage-oidc.ts'
import { type SealedBox, sealedBox } from '../../secrets/sealed-box.ts'
import type { Form } from '../back-channel/form.ts'
import { OAuthError } from '../back-channel/oauth-error.ts'
import { hashOf } from '../oidc-secrets.ts'
import type { Provider } from '../provider.ts'
import { freshTokens, tokenResponse } from './respond.ts'

const REFUSALS: Readonly<Record<Exclude<RefreshRefusal, 'scope'>, string>> = {
  unknown: 'the refresh token is unknown',
  expired: 'the refresh token has expired: start again at the authorization endpoint',
  revoked: 'the refresh token is revoked: start again at the authorization endpoint',
  other_client: 'the refresh token is unknown',
  reused: 'the refresh token was used before: all tokens of this sign-in are revoked, start again with prompt=none',
  grant_revoked: 'the user has disconnected the application',
  user_disabled: 'the user may not sign in any more',
}

export async function refreshTokens(provider: Provider, client: Client, form: Form, ip: string): Promise<Response> {
  const token = form.get('refresh_token')
  if (token === undefined) throw new OAuthError(400, 'invalid_request', 'refresh_token is required')
  const requested = requestedScopes(form.get('scope'))
  const { config } = provider
  const box = sealedBox(config.secretKey, 'repeatedTokens', provider.random)
  const fresh = freshTokens(provider)
  const outcome = await provider.writes.refreshTokens({
    now: provider.now(),
    tokenHash: hashOf(token),
    clientId: client.id,
    scopes: requested,
    graceMs: config.refreshGraceSeconds * 1000,
    tokens: fresh.rows,
    ...(config.refreshGraceSeconds > 0 && {
      sealedPair: box.seal(JSON.stringify([fresh.accessToken, fresh.refreshToken])),
    }),
    ip,
  })
  if (outcome.kind === 'refused') {
    if (outcome.reason === 'scope') {
      throw new OAuthError(400, 'invalid_scope', 'the scope goes beyond what the refresh token was given')
    }
    const cause = { clientId: client.id, reason: outcome.reason }
    throw new OAuthError(400, 'invalid_grant', REFUSALS[outcome.reason], { cause })
  }
  const pair = outcome.kind === 'repeated' ? openPair(box, outcome.token.sealedPair) : fresh
  const { userId, authTime, sid, scopes } = outcome.token
  return tokenResponse(provider, {
    accessToken: pair.accessToken,
    accessExpiresAt: outcome.accessExpiresAt,
    scopes: outcome.accessScopes,
    refreshToken: pair.refreshToken,
    ...(scopes.includes('openid') && {
      idToken: { clientId: client.id, userId, authTime, ...(outcome.loginSessionLive && { sid }) },
    }),
  })
}

function requestedScopes(text: string | undefined): readonly string[] | undefined {
  if (text === undefined) return undefined
  const scopes = parseScopes(text)
  const known = scopes && inOrder(scopes)
  if (!scopes || !known || known.length < scopes.length) {
    throw new OAuthError(400, 'invalid_scope', 'the scope goes beyond what the refresh token was given')
  }
  return known
}

function openPair(box: SealedBox, sealed: string | undefined): { accessToken: string; refreshToken: string } {
  const text = sealed === undefined ? undefined : box.open(sealed)
  if (text === undefined)
    throw new Error('The answer of the first refresh cannot be opened: the secret key has changed.')
  const [accessToken = '', refreshToken = ''] = JSON.parse(text) as readonly string[]
  return { accessToken, refreshToken }
}
