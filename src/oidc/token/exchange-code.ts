/** grant_type=authorization_code (OIDC-T2, OIDC-T3). */
import type { Client, CodeRefusal } from '../../domain/ports/storage-oidc.ts'
import type { Form } from '../back-channel/form.ts'
import { OAuthError } from '../back-channel/oauth-error.ts'
import { hashOf } from '../oidc-secrets.ts'
import { challengeOf, isVerifier } from '../pkce.ts'
import type { Provider } from '../provider.ts'
import { freshTokens, tokenResponse } from './respond.ts'

/** However often it is renewed, a sign-in counts for a year at most (OIDC-T4). */
const REFRESH_ABSOLUTE_MS = 365 * 86_400_000

const REFUSALS: Readonly<Record<CodeRefusal, string>> = {
  unknown: 'the code is unknown or expired: start again at the authorization endpoint',
  expired: 'the code has expired: exchange it within its lifetime',
  other_client: 'the code is unknown or expired: start again at the authorization endpoint',
  replayed: 'the code was used before: its tokens are revoked, start again',
  too_many_failures: 'too many wrong attempts with this code: start again',
  redirect_uri: 'redirect_uri differs from the one of the authorization request',
  verifier: 'code_verifier does not match code_challenge',
  grant_revoked: 'the user has disconnected the application',
  user_disabled: 'the user may not sign in any more',
}

export async function exchangeCode(provider: Provider, client: Client, form: Form, ip: string): Promise<Response> {
  const code = required(form, 'code')
  const redirectUri = required(form, 'redirect_uri')
  const verifier = form.get('code_verifier')
  if (verifier === undefined) throw new OAuthError(400, 'invalid_grant', 'code_verifier is required')
  if (!isVerifier(verifier)) {
    throw new OAuthError(400, 'invalid_grant', 'code_verifier must be 43 to 128 characters of A-Z a-z 0-9 - . _ ~')
  }
  const fresh = freshTokens(provider)
  const now = provider.now()
  const outcome = await provider.writes.exchangeCode({
    now,
    codeHash: hashOf(code),
    clientId: client.id,
    redirectUri,
    challenge: challengeOf(verifier),
    tokens: { ...fresh.rows, refreshAbsoluteExpiresAt: now + REFRESH_ABSOLUTE_MS },
    ip,
  })
  if (outcome.kind === 'refused') {
    const cause = { clientId: client.id, reason: outcome.reason }
    throw new OAuthError(400, 'invalid_grant', REFUSALS[outcome.reason], { cause })
  }
  const { scopes, userId, authTime, nonce, sid } = outcome.code
  return tokenResponse(provider, {
    accessToken: fresh.accessToken,
    accessExpiresAt: fresh.rows.accessExpiresAt,
    scopes,
    ...(outcome.refresh && { refreshToken: fresh.refreshToken }),
    ...(scopes.includes('openid') && {
      idToken: { clientId: client.id, userId, authTime, sid, nonce },
    }),
  })
}

function required(form: Form, name: string): string {
  const value = form.get(name)
  if (value === undefined) throw new OAuthError(400, 'invalid_request', `${name} is required`)
  return value
}
