/** POST {issuer}/revoke (RFC 7009; OIDC-R1). */
import { readForm } from '../back-channel/form.ts'
import { NO_STORE, OAuthError } from '../back-channel/oauth-error.ts'
import { hashOf } from '../oidc-secrets.ts'
import type { OidcContext, Provider } from '../provider.ts'
import { authenticateClient } from './authenticate-client.ts'

export function revokeEndpoint(provider: Provider): (context: OidcContext) => Promise<Response> {
  const { writes, now, config, grantChanged } = provider
  return async ({ req }) => {
    const form = await readForm(req.raw)
    const client = await authenticateClient(provider, form, req.header('authorization'))
    const token = form.get('token')
    if (token === undefined) throw new OAuthError(400, 'invalid_request', 'token is required')
    const revoked = await writes.revokeToken(hashOf(token), client.id, now())
    if (revoked?.kind === 'refresh' && config.oauthRevokeEndsGrant) {
      await writes.revokeGrant(revoked.grantId, now())
      await grantChanged?.(revoked.grantId)
    }
    return new Response(null, { status: 200, headers: NO_STORE })
  }
}
