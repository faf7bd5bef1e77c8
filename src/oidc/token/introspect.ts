/** POST {issuer}/introspect (RFC 7662; OIDC-R2): for confidential clients, about their own tokens. */
import type { AccessToken, Client, RefreshToken } from '../../domain/ports/storage-oidc.ts'
import { NO_STORE, OAuthError, readForm, required } from '../back-channel/oauth-error.ts'
import { hashOf } from '../oidc-secrets.ts'
import type { OidcContext, Provider } from '../provider.ts'
import { authenticateClient, countingScopes, isAccessTokenLive } from './authenticate-client.ts'

export function introspectEndpoint(provider: Provider): (context: OidcContext) => Promise<Response> {
  return async ({ req }) => {
    const form = await readForm(req.raw)
    const client = await authenticateClient(provider, form, req.header('authorization'))
    if (client.kind === 'public') {
      throw new OAuthError(401, 'invalid_client', 'introspection is for confidential clients')
    }
    const token = required(form, 'token')
    const description = await describe(provider, client, hashOf(token))
    return Response.json(description ?? { active: false }, { headers: NO_STORE })
  }
}

type Description = Readonly<Record<string, unknown>>

async function describe(
  { reads, now, issuer }: Provider,
  client: Client,
  hash: string,
): Promise<Description | undefined> {
  const maySee = (clientId: string): boolean => clientId === client.id || client.resourceServer === true
  const access = await reads.findAccessToken(hash)
  if (isAccessTokenLive(access, now()) && maySee(access.token.clientId)) {
    return active({ ...access.token, scopes: countingScopes(access) }, 'Bearer', issuer)
  }
  const refresh = await reads.findRefreshToken(hash)
  if (!refresh || !maySee(refresh.token.clientId)) return undefined
  const { token, grantRevoked, userDisabled, clientDisabled } = refresh
  const ended = token.revokedAt !== undefined || token.usedAt !== undefined || token.expiresAt <= now()
  if (ended || grantRevoked || userDisabled || clientDisabled) return undefined
  return active(token, 'refresh_token', issuer)
}

function active(
  { scopes, clientId, userId, expiresAt, issuedAt }: AccessToken | RefreshToken,
  type: 'Bearer' | 'refresh_token',
  issuer: string,
): Description {
  return {
    active: true,
    scope: scopes.join(' '),
    client_id: clientId,
    sub: userId,
    exp: Math.floor(expiresAt / 1000),
    iat: Math.floor(issuedAt / 1000),
    iss: issuer,
    token_type: type,
  }
}

/** POST {issuer}/revoke (RFC 7009; OIDC-R1). */
export function revokeEndpoint(provider: Provider): (context: OidcContext) => Promise<Response> {
  const { writes, now, config, grantChanged } = provider
  return async ({ req }) => {
    const form = await readForm(req.raw)
    const client = await authenticateClient(provider, form, req.header('authorization'))
    const token = required(form, 'token')
    const revoked = await writes.revokeToken(hashOf(token), client.id, now())
    if (revoked?.kind === 'refresh' && config.oauthRevokeEndsGrant) {
      await writes.revokeGrant(revoked.grantId, now())
      await grantChanged?.(revoked.grantId)
    }
    return new Response(null, { status: 200, headers: NO_STORE })
  }
}
