/** What the provider says about itself (OIDC-D1 to OIDC-D7). */
import { createHash } from 'node:crypto'
import type { JWK } from 'jose'
import { SCOPES } from '../domain/grants/scopes.ts'
import { type FixedDocument, fixedDocument } from '../web/fixed-document.ts'
import { JWKS_MAX_AGE_SECONDS } from './keys/ring.ts'
import type { OidcConfig } from './provider.ts'

/** From the configuration only, never from a Host header (OIDC-K2, OIDC-V18). */
export function issuerOf(baseUrl: string): string {
  return `${baseUrl}/1/oauth/service`
}

/** RFC 8414 §3.1: the well-known part goes between host and path. */
export function metadataPaths(issuer: string): readonly string[] {
  const { pathname } = new URL(issuer)
  return [`${pathname}/.well-known/openid-configuration`, `/.well-known/oauth-authorization-server${pathname}`]
}

export function discoveryDocument(
  config: Pick<OidcConfig, 'baseUrl' | 'dashboardUrl' | 'registration' | 'oauthBasic' | 'ssoIssuer'>,
): Readonly<Record<string, unknown>> {
  const issuer = issuerOf(config.baseUrl)
  const confidential = ['client_secret_post', ...(config.oauthBasic ? ['client_secret_basic'] : [])]
  const any = [...confidential, 'none']
  return {
    issuer,
    authorization_endpoint: `${config.dashboardUrl}/oauth/authorize`,
    token_endpoint: `${issuer}/token`,
    userinfo_endpoint: `${issuer}/userinfo`,
    jwks_uri: `${issuer}/.well-known/jwks.json`,
    ...(config.registration !== 'off' && { registration_endpoint: `${issuer}/register` }),
    revocation_endpoint: `${issuer}/revoke`,
    introspection_endpoint: `${issuer}/introspect`,
    end_session_endpoint: `${config.dashboardUrl}/oauth/logout`,
    scopes_supported: SCOPES,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: any,
    revocation_endpoint_auth_methods_supported: any,
    introspection_endpoint_auth_methods_supported: confidential,
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    ...(config.ssoIssuer === undefined && { acr_values_supported: ['urn:pilotwire:pwd'] }),
    claims_supported: [
      ...['iss', 'sub', 'aud', 'exp', 'iat', 'auth_time', 'nonce', 'at_hash', 'acr', 'amr', 'sid'],
      ...['name', 'preferred_username', 'updated_at', 'email', 'email_verified'],
    ],
    prompt_values_supported: ['none', 'login', 'consent'],
    ui_locales_supported: ['en', 'de'],
    authorization_response_iss_parameter_supported: true,
    request_parameter_supported: false,
    request_uri_parameter_supported: false,
    claims_parameter_supported: false,
    service_documentation: `${config.baseUrl}/docs`,
  }
}

/** It changes with the configuration only. */
export function discoveryResponse(config: Parameters<typeof discoveryDocument>[0]): FixedDocument {
  return fixedDocument(() => JSON.stringify(discoveryDocument(config)), {
    'content-type': 'application/json',
    'cache-control': `public, max-age=${JWKS_MAX_AGE_SECONDS}`,
  })
}

/** @param ifNoneMatch the request's header: the same set is answered 304 */
export function jwksResponse(keys: readonly JWK[], ifNoneMatch: string | undefined): Response {
  const body = JSON.stringify({ keys })
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
  const headers = { etag, 'cache-control': `public, max-age=${JWKS_MAX_AGE_SECONDS}` }
  if (ifNoneMatch?.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)) {
    return new Response(null, { status: 304, headers })
  }
  return new Response(body, { headers: { ...headers, 'content-type': 'application/json' } })
}
