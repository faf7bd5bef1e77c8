/** POST {issuer}/introspect (RFC 7662; oidc.md R2): for confidential clients, about their own tokens. */
import type { Client } from '../../storage/oidc-store.ts'
import { readForm } from '../back-channel/form.ts'
import { NO_STORE, OAuthError } from '../back-channel/oauth-error.ts'
import type { OidcContext, Provider } from '../provider.ts'
import { hashOf } from '../secrets.ts'
import { authenticateClient } from './authenticate-client.ts'
import { isAccessTokenLive } from './verify-access-token.ts'

export function introspectEndpoint(provider: Provider): (context: OidcContext) => Promise<Response> {
  return async ({ req }) => {
    const form = await readForm(req.raw)
    const client = await authenticateClient(provider, form, req.header('authorization'))
    if (client.kind === 'public') {
      throw new OAuthError(401, 'invalid_client', 'introspection is for confidential clients')
    }
    const token = form.get('token')
    if (token === undefined) throw new OAuthError(400, 'invalid_request', 'token is required')
    const active = await describe(provider, client, hashOf(token))
    return Response.json(active ?? { active: false }, { headers: NO_STORE })
  }
}

async function describe(
  { reads, now, issuer }: Provider,
  client: Client,
  hash: string,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  const maySee = (clientId: string): boolean => clientId === client.id || client.resourceServer === true
  const seconds = (ms: number): number => Math.floor(ms / 1000)
  const access = await reads.findAccessToken(hash)
  if (isAccessTokenLive(access, now()) && maySee(access.token.clientId)) {
    const { scopes, clientId, userId, expiresAt, issuedAt } = access.token
    const times = { exp: seconds(expiresAt), iat: seconds(issuedAt) }
    return {
      active: true,
      scope: scopes.join(' '),
      client_id: clientId,
      sub: userId,
      ...times,
      iss: issuer,
      token_type: 'Bearer',
    }
  }
  const refresh = await reads.findRefreshToken(hash)
  if (!refresh || !maySee(refresh.token.clientId)) return undefined
  const { token, grantRevoked, userDisabled, clientDisabled } = refresh
  const ended = token.revokedAt !== undefined || token.usedAt !== undefined || token.expiresAt <= now()
  if (ended || grantRevoked || userDisabled || clientDisabled) return undefined
  const { scopes, clientId, userId, expiresAt, issuedAt } = token
  const times = { exp: seconds(expiresAt), iat: seconds(issuedAt) }
  return {
    active: true,
    scope: scopes.join(' '),
    client_id: clientId,
    sub: userId,
    ...times,
    iss: issuer,
    token_type: 'refresh_token',
  }
}
