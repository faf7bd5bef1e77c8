/** The OpenID Connect provider put together: its addresses as one Hono app, and the check of access tokens. */

import { Hono } from 'hono'
import type { VerifyAccessToken } from '../api/access/access.ts'
import { createAuthentication } from '../api/access/authenticate.ts'
import { protectedResourceUrl } from '../api/routes/health-and-metrics.ts'
import { auditedWrites } from '../application/audit/auditing.ts'
import { isRecent } from '../domain/due.ts'
import { createAnsweredForms } from '../web/answered-forms.ts'
import { createBeginThrottle } from './authorize/open-interaction.ts'
import { mountBackChannel } from './back-channel/back-channel.ts'
import { isUnavailable } from './back-channel/oauth-error.ts'
import { mountAbsent, mountBrowserPages } from './browser/browser-pages.ts'
import { issuerOf } from './discovery.ts'
import { addGrants } from './grants/grants-api.ts'
import { createKeyRing } from './keys/ring.ts'
import { personOf } from './login/person.ts'
import { findVisitor } from './login/visitor.ts'
import { derivedKey } from './oidc-secrets.ts'
import { addressOf, type OidcDependencies, type OidcEnv, type Provider } from './provider.ts'
import { createIdentityProvider } from './sso/identity-provider.ts'
import { accessTokenVerifier } from './token/authenticate-client.ts'

export interface Oidc {
  /** Issuer, discovery and dashboard pages: mounted at '/'. */
  readonly routes: Hono<OidcEnv>
  readonly addGrants: ReturnType<typeof addGrants>
  readonly verifyAccessToken: VerifyAccessToken
}

/** @example app.route('/', createOidc(parts).routes) */
export function createOidc(given: OidcDependencies): Oidc {
  const parts: OidcDependencies = { ...given, writes: auditedWrites(given.writes) }
  const verifyAccessToken = accessTokenVerifier(parts)
  const { config, now } = parts
  const { ssoIssuer: issuer } = config
  const redirectUri = `${config.dashboardUrl}/login/sso/callback`
  const provider: Provider = {
    ...parts,
    ...(issuer !== undefined && { identityProvider: createIdentityProvider({ config, issuer, redirectUri, now }) }),
    csrfKey: derivedKey(parts.config.secretKey, 'csrf'),
    answeredForms: createAnsweredForms(),
    addressOf: (context) => addressOf(parts, context),
    timeZone: parts.config.timeZone,
    findVisitor: async (context) => {
      const visitor = await findVisitor(parts, context)
      return visitor && { ...visitor, person: await personOf(parts, visitor) }
    },
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

const HOUR_MS = 3_600_000
/** Codes, tokens and sign-ins are kept a while, to recognise a late replay. */
const KEPT_MS = 24 * HOUR_MS

/** Forgets what nothing can use any more, at most hourly, when a request begins or a token is issued. */
function createTidier({ writes, now, log }: Pick<OidcDependencies, 'writes' | 'now' | 'log'>): () => void {
  let last = now()
  return () => {
    if (isRecent(last, now(), HOUR_MS)) return
    last = now()
    writes.deleteExpiredOidc(now(), KEPT_MS).catch((error: Error) => {
      log.warn({ error: error.message }, 'expired tokens could not be deleted')
    })
  }
}
