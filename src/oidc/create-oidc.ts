/** The OpenID Connect provider put together: its addresses as one Hono app, and the check of access tokens. */
import { Hono } from 'hono'
import { auditedWrites } from '../audit/auditing.ts'
import { createAuthentication } from '../http/access/authenticate.ts'
import type { VerifyAccessToken } from '../http/access/principal.ts'
import { protectedResourceUrl } from '../http/routes/protected-resource.ts'
import { createAnsweredForms } from '../web/answered-forms.ts'
import { createBeginThrottle } from './authorize/begin.ts'
import { mountBackChannel } from './back-channel/app.ts'
import { isUnavailable } from './back-channel/oauth-error.ts'
import { mountAbsent, mountBrowserPages } from './browser/app.ts'
import { issuerOf } from './discovery.ts'
import { addGrants } from './grants/api.ts'
import { createKeyRing } from './keys/ring.ts'
import { findVisitor } from './login/visitor.ts'
import { addressOf, type OidcEnv, type OidcParts, type Provider } from './provider.ts'
import { derivedKey } from './secrets.ts'
import { createTidier } from './tidy.ts'
import { accessTokenVerifier } from './token/verify-access-token.ts'

export interface Oidc {
  /** Issuer, discovery and dashboard pages: mounted at '/'. */
  readonly routes: Hono<OidcEnv>
  /** /2/grants, for the API (`extraEndpoints`). */
  readonly addGrants: ReturnType<typeof addGrants>
  readonly verifyAccessToken: VerifyAccessToken
}

/** @example app.route('/', createOidc(parts).routes) */
export function createOidc(given: OidcParts): Oidc {
  const parts: OidcParts = { ...given, writes: auditedWrites(given.writes) }
  const verifyAccessToken = accessTokenVerifier(parts)
  const provider: Provider = {
    ...parts,
    csrfKey: derivedKey(parts.config.secretKey, 'csrf'),
    answeredForms: createAnsweredForms(),
    addressOf: (context) => addressOf(parts, context),
    findVisitor: (context) => findVisitor(parts, context),
    isUnavailable,
    issuer: issuerOf(parts.config.baseUrl),
    keys: createKeyRing(parts),
    verifyAccessToken,
    beginThrottle: createBeginThrottle(parts.limits),
    tidy: createTidier(parts),
    authentication: createAuthentication({
      ...parts,
      verifyAccessToken,
      resourceMetadataUrl: protectedResourceUrl(parts.config.baseUrl),
    }),
  }
  const routes = new Hono<OidcEnv>()
  mountBackChannel(routes, provider)
  mountBrowserPages(routes, provider)
  parts.pages?.mount(routes, provider)
  mountAbsent(routes, provider)
  return { routes, addGrants: addGrants(provider), verifyAccessToken }
}
