/** {issuer}/userinfo (OIDC-U1 to OIDC-U5): who the token's user is, as far as the scopes allow. */

import type { Principal } from '../api/access/access.ts'
import { Problem } from '../api/respond.ts'
import type { User } from '../domain/ports/storage-records.ts'
import { isForm } from '../web/form.ts'
import { NO_STORE, OAuthError, readText } from './back-channel/oauth-error.ts'
import type { OidcContext, Provider } from './provider.ts'

export function userinfoEndpoint(provider: Provider): (context: OidcContext) => Promise<Response> {
  const { authentication, reads } = provider
  return async ({ req }) => {
    const principal = await authenticate(provider, await bearerRequest(provider, req.raw))
    if (principal.kind !== 'token') {
      throw new OAuthError(401, 'invalid_token', 'an API credential has no user: send an access token', {
        headers: { 'www-authenticate': authentication.challenge('error="invalid_token"') },
      })
    }
    if (!principal.scopes.includes('openid')) {
      throw new OAuthError(403, 'insufficient_scope', 'the access token lacks the scope openid', {
        headers: { 'www-authenticate': authentication.challenge('error="insufficient_scope", scope="openid"') },
      })
    }
    const user = await reads.findUser(principal.userId)
    if (!user) throw new Error(`The user ${principal.userId} of a live token is gone.`)
    return Response.json(claimsOf(user, principal.scopes), { headers: NO_STORE })
  }
}

/** Unknown claims are absent (OIDC-U5); an administrator typed the address, so it is unverified. */
function claimsOf(user: User, scopes: readonly string[]): Readonly<Record<string, unknown>> {
  return {
    sub: user.id,
    ...(scopes.includes('profile') && {
      name: user.name,
      preferred_username: shortName(user.email),
      updated_at: Math.floor(user.createdAt / 1000),
    }),
    ...(scopes.includes('email') && { email: user.email, email_verified: false }),
  }
}

/** The address itself belongs to `email`, which the user may have unticked; this much of it is a name. */
function shortName(email: string): string {
  return email.slice(0, email.lastIndexOf('@')) || email
}

/** The token may stand in a form instead of the header (RFC 6750 §2.2), but not in both. */
async function bearerRequest({ authentication }: Provider, request: Request): Promise<Request> {
  const isFormPost = request.method === 'POST' && isForm(request.headers.get('content-type'))
  const tokens = isFormPost ? new URLSearchParams(await readText(request)).getAll('access_token') : []
  const [token] = tokens
  if (token === undefined) return new Request(request.url, { headers: request.headers })
  if (tokens.length > 1 || request.headers.has('authorization')) {
    throw new OAuthError(400, 'invalid_request', 'send the access token once, in one way', {
      headers: { 'www-authenticate': authentication.challenge('error="invalid_request"') },
    })
  }
  // Control characters cannot stand in a header; such a token is none of ours.
  const plain = /^[\x21-\x7e]+$/.test(token) ? token : 'malformed'
  return new Request(request.url, { headers: { authorization: `Bearer ${plain}` } })
}

/** The API's own bearer authentication (OIDC-U6), its refusals in OAuth's shape. */
async function authenticate({ authentication }: Provider, request: Request): Promise<Principal> {
  try {
    return await authentication.authenticate(request)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const code = error.code === 'unauthorized' ? 'invalid_token' : error.code
    throw new OAuthError(error.status, code, error.message, { headers: error.headers })
  }
}
