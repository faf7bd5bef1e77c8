/** Client authentication: client_secret_post for confidential clients, PKCE for public ones (OIDC-K8, OIDC-V9). */

import type { TokenPrincipal } from '../../api/access/access.ts'
import { createLastUse } from '../../api/access/authenticate.ts'
import { SECRET_PREFIXES } from '../../domain/accounts/credentials.ts'
import { scopesFor } from '../../domain/accounts/roles.ts'
import type { AccessTokenState, Client } from '../../domain/ports/storage-oidc.ts'
import { equalHashes } from '../../web/cookies.ts'
import { type Form, OAuthError, required } from '../back-channel/oauth-error.ts'
import { hashOf } from '../oidc-secrets.ts'
import type { OidcDependencies, Provider } from '../provider.ts'

interface Presented {
  readonly clientId: string
  readonly secret?: string | undefined
  readonly basic: boolean
}

/** @throws OAuthError 400 `invalid_request`, 401 `invalid_client` */
export async function authenticateClient(
  { reads, config, now }: Pick<Provider, 'reads' | 'config' | 'now'>,
  form: Form,
  authorization: string | undefined,
): Promise<Client> {
  const { clientId, secret, basic } = presented(form, authorization, config.oauthBasic)
  const client = await reads.findClient(clientId)
  if (!client || client.disabledAt !== undefined) throw invalidClient('the client is unknown or disabled', basic)
  if (client.kind === 'public') {
    if (secret !== undefined) throw invalidClient('a public client has no secret: send none', basic)
    return client
  }
  if (secret === undefined) throw invalidClient('client_secret is required: send it in the body', basic)
  if (!isSecretOf(client, secret, now())) throw invalidClient('client_secret is wrong or expired', basic)
  return client
}

/** Compares with each live secret, in constant time and without stopping at the first. */
function isSecretOf({ secrets }: Pick<Client, 'secrets'>, secret: string, now: number): boolean {
  const hash = hashOf(secret)
  const matches = secrets.filter(
    ({ hash: known, expiresAt }) => equalHashes(known, hash) && (expiresAt === undefined || expiresAt > now),
  )
  return matches.length > 0
}

function presented(form: Form, authorization: string | undefined, basicAllowed: boolean): Presented {
  if (form.get('client_assertion') !== undefined || form.get('client_assertion_type') !== undefined) {
    throw assertionRefused(form, authorization)
  }
  const clientId = form.get('client_id')
  const secret = form.get('client_secret')
  const basicHeader = authorization !== undefined && /^Basic( |$)/i.test(authorization) ? authorization : undefined
  if (basicHeader === undefined) return { clientId: required(form, 'client_id'), secret, basic: false }
  if (secret !== undefined) {
    throw new OAuthError(400, 'invalid_request', 'two ways of client authentication: use client_secret_post alone')
  }
  if (!basicAllowed) {
    throw invalidClient(
      'client_secret_basic is not accepted: use client_secret_post, client_id and client_secret in the body (public clients: client_id alone)',
      true,
    )
  }
  const [id = '', basicSecret = ''] = decodeBasic(basicHeader)
  if (clientId !== undefined && clientId !== id) {
    throw new OAuthError(400, 'invalid_request', 'client_id differs from the one in the Authorization header')
  }
  return { clientId: id, ...(basicSecret !== '' && { secret: basicSecret }), basic: true }
}

/** RFC 7521: beside a secret it would be a second way (RFC 6749 §2.3), and alone it is one that is not offered. */
function assertionRefused(form: Form, authorization: string | undefined): OAuthError {
  return form.get('client_secret') !== undefined || authorization !== undefined
    ? new OAuthError(400, 'invalid_request', 'two ways of client authentication: leave client_assertion out')
    : invalidClient('client_assertion is not accepted: use client_secret_post, or none for public clients', false)
}

/** RFC 6749 §2.3.1: both halves are form-encoded before they are joined. */
function decodeBasic(header: string): readonly string[] {
  const encoded = /^Basic +([A-Za-z0-9+/=]+) *$/i.exec(header)?.[1]
  if (encoded === undefined) throw new OAuthError(400, 'invalid_request', 'the Authorization header is malformed')
  const text = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  const halves = colon < 0 ? [text] : [text.slice(0, colon), text.slice(colon + 1)]
  try {
    return halves.map((half) => decodeURIComponent(half.replaceAll('+', ' ')))
  } catch {
    throw invalidClient('the Authorization header is malformed', true)
  }
}

function invalidClient(description: string, basic: boolean): OAuthError {
  const headers: Readonly<Record<string, string>> = basic
    ? { 'www-authenticate': 'Basic realm="pilotwire", charset="UTF-8"' }
    : {}
  return new OAuthError(401, 'invalid_client', description, { headers })
}

/** The one place that says whether an access token counts (OIDC-C7, OIDC-C8, OIDC-L6). */
const SHAPE = new RegExp(`^${SECRET_PREFIXES.accessToken}[A-Za-z0-9_-]{43}$`)

export function isAccessTokenLive(state: AccessTokenState | undefined, now: number): state is AccessTokenState {
  if (!state) return false
  const { token, grant, userDisabled, clientDisabled } = state
  const ended = token.revokedAt !== undefined || grant.revokedAt !== undefined || token.expiresAt <= now
  return !ended && !userDisabled && !clientDisabled
}

/** Of the token's scopes those that the grant still has and the user may still give (ADMIN-A3). */
export function countingScopes({ token, grant, userRole, clientOrigin }: AccessTokenState): readonly string[] {
  const granted = token.scopes.filter((scope) => grant.scopes.includes(scope))
  return scopesFor(userRole, granted, { isSelfRegistered: clientOrigin === 'dynamic' })
}

/** From the grant as it is now, never a copy in the token; only charge points that are its account's (OIDC-C12). */
export function accessTokenVerifier({
  reads,
  writes,
  now,
  log,
}: Pick<OidcDependencies, 'reads' | 'writes' | 'now' | 'log'>): (token: string) => Promise<TokenPrincipal | undefined> {
  const isUseDue = createLastUse(now)
  const touch = (grantId: string, lastUsedAt: number | undefined): void => {
    if (!isUseDue(grantId, lastUsedAt)) return
    // A full disk must not refuse reads: if the time of use cannot be stored, that is logged and is no error.
    writes.touchGrant(grantId, now()).catch((error: Error) => {
      log.warn({ grantId, error: error.message }, 'the last use of a grant could not be stored')
    })
  }
  return async (text) => {
    if (!SHAPE.test(text)) return undefined
    const state = await reads.findAccessToken(hashOf(text))
    if (!isAccessTokenLive(state, now())) return undefined
    const { grant } = state
    touch(grant.id, grant.lastUsedAt)
    return {
      kind: 'token',
      accountId: grant.accountId,
      userId: grant.userId,
      clientId: grant.clientId,
      grantId: grant.id,
      scopes: countingScopes(state),
      chargePoints: grant.chargePoints ?? [],
    }
  }
}
