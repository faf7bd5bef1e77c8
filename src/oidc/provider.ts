import type { IncomingMessage } from 'node:http'
import type { VerifyAccessToken } from '../api/access/access.ts'
import type { Authentication } from '../api/access/authenticate.ts'
import type { Config } from '../config/config.ts'
import type { ssoSettings } from '../config/settings.ts'
import type { authSettings } from '../config/settings-auth.ts'
import type { Log } from '../domain/ports/core.ts'
import type { Limits } from '../domain/ports/limits.ts'
import type { Reads, Writes } from '../domain/ports/storage.ts'
import type { LoginSession } from '../domain/ports/storage-oidc.ts'
import type { User } from '../domain/ports/storage-records.ts'
import type { Pages } from '../web/mount.ts'
import type { PageContext, PageEnv, Visitor as PageVisitor, Site } from '../web/site.ts'
import type { KeyRing } from './keys/ring.ts'
import type { Random } from './oidc-secrets.ts'
import type { IdentityProvider } from './sso/identity-provider.ts'
import type { Throttle } from './throttle.ts'

type OfAuth = Exclude<keyof typeof authSettings, 'adminEmail' | 'adminPassword' | 'rateV1' | 'rateV2' | 'rateApi'>

export type OidcConfig = Pick<
  Config,
  'baseUrl' | 'dashboardUrl' | 'timeZone' | 'secretKey' | 'allowHttp' | OfAuth | keyof typeof ssoSettings
>

export interface Visitor {
  readonly session: LoginSession
  readonly user: User
}

export interface OidcDependencies {
  readonly reads: Reads
  readonly writes: Writes
  readonly config: OidcConfig
  /** Milliseconds since the epoch. */
  readonly now: () => number
  readonly random: Random
  readonly limits: Limits
  readonly log: Log
  /** domain/accounts/password.ts unless given. */
  readonly verifyPassword?: (password: string, stored: string | undefined) => Promise<boolean>
  /** Whose request it is behind the trusted proxies (OIDC-L7). */
  readonly clientOrigin: (request: Pick<IncomingMessage, 'socket' | 'headers'>) => { readonly address: string }
  readonly connectivity: (
    chargePointIds: readonly string[],
  ) => Promise<readonly { readonly chargePointId: string; readonly online: boolean }[]>
  /** A grant ended or changed: orders on unshared ones end (OIDC-C13). Without an id: any grant. */
  readonly grantChanged?: (grantId?: string) => Promise<void>
  /** Pages of another room behind the same sign-in. */
  readonly pages?: Pages<Provider> | undefined
}

export type SignedIn = Visitor & PageVisitor

export interface Provider extends OidcDependencies, Site {
  readonly writes: Writes
  readonly log: Log
  readonly config: OidcConfig
  readonly findVisitor: (context: OidcContext) => Promise<SignedIn | undefined>
  /** `{base_url}/1/oauth/service` (OIDC-K2). */
  readonly issuer: string
  readonly keys: KeyRing
  readonly authentication: Authentication
  readonly identityProvider?: IdentityProvider | undefined
  readonly verifyAccessToken: VerifyAccessToken
  /** By address: authorization requests that are kept for a page (authorize/open-interaction.ts). */
  readonly beginThrottle: Throttle
  readonly tidy: () => void
}

export type OidcEnv = PageEnv

export type OidcContext = PageContext

export function addressOf(provider: Pick<OidcDependencies, 'clientOrigin'>, context: OidcContext): string {
  // Without a server (app.request in tests) there is no environment at all.
  const incoming = context.env?.incoming
  return incoming && 'headers' in incoming ? provider.clientOrigin(incoming as IncomingMessage).address : 'unknown'
}
