/** The token response (OIDC-T1): what is issued, and the values it is made of. */
import type { NewTokens } from '../../domain/ports/storage-oidc.ts'
import { NO_STORE } from '../back-channel/oauth-error.ts'
import { hashOf, newSecret } from '../oidc-secrets.ts'
import type { Provider } from '../provider.ts'
import { type IdTokenClaims, signIdToken } from './id-token.ts'

interface FreshTokens {
  readonly accessToken: string
  readonly refreshToken: string
  readonly rows: NewTokens
}

export function freshTokens({ config, random, now }: Pick<Provider, 'config' | 'random' | 'now'>): FreshTokens {
  const accessToken = newSecret('access', random)
  const refreshToken = newSecret('refresh', random)
  return {
    accessToken,
    refreshToken,
    rows: {
      accessHash: hashOf(accessToken),
      accessExpiresAt: now() + config.accessTokenTtlSeconds * 1000,
      refreshHash: hashOf(refreshToken),
      refreshExpiresAt: now() + config.refreshTokenTtlSeconds * 1000,
    },
  }
}

export interface Issued {
  readonly accessToken: string
  readonly accessExpiresAt: number
  readonly scopes: readonly string[]
  readonly refreshToken?: string | undefined
  /** Absent without the scope `openid` (OIDC-A9). */
  readonly idToken?: Omit<IdTokenClaims, 'accessToken'> | undefined
}

export async function tokenResponse(
  provider: Pick<Provider, 'issuer' | 'keys' | 'now' | 'config'>,
  { accessToken, accessExpiresAt, scopes, refreshToken, idToken }: Issued,
): Promise<Response> {
  const body = {
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: Math.max(0, Math.ceil((accessExpiresAt - provider.now()) / 1000)),
    ...(idToken && { id_token: await signIdToken(provider, { ...idToken, accessToken }) }),
    refresh_token: refreshToken,
    scope: scopes.join(' '),
  }
  return Response.json(body, { headers: NO_STORE })
}
