/** POST {issuer}/token: the steps in the order of OIDC-T1 to OIDC-T6. */

import { inOrder, parseScopes } from '../../domain/grants/scopes.ts'
import type { Client, CodeRefusal, NewTokens, RefreshRefusal } from '../../domain/ports/storage-oidc.ts'
import { addressBlock } from '../../limits/address-block.ts'
import { type SealedBox, sealedBox } from '../../secrets/sealed-box.ts'
import { type Form, NO_STORE, OAuthError, readForm, required, tooMany } from '../back-channel/oauth-error.ts'
import { hashOf, newSecret } from '../oidc-secrets.ts'
import { challengeOf, isVerifier } from '../pkce.ts'
import { addressOf, type OidcContext, type Provider } from '../provider.ts'
import { isOurResource } from '../resource.ts'
import { createThrottle } from '../throttle.ts'
import { authenticateClient } from './authenticate-client.ts'
import { type IdTokenClaims, signIdToken } from './id-token.ts'

/** grant_type=refresh_token: a new token each time; the old one ends (OIDC-T5, OIDC-T6). */
const REFRESH_REFUSALS: Readonly<Record<Exclude<RefreshRefusal, 'scope'>, string>> = {
  unknown: 'the refresh token is unknown',
  expired: 'the refresh token has expired: start again at the authorization endpoint',
  revoked: 'the refresh token is revoked: start again at the authorization endpoint',
  other_client: 'the refresh token is unknown',
  reused: 'the refresh token was used before: all tokens of this sign-in are revoked, start again with prompt=none',
  grant_revoked: 'the user has disconnected the application',
  user_disabled: 'the user may not sign in any more',
}

async function refreshTokens(provider: Provider, client: Client, form: Form, ip: string): Promise<Response> {
  const token = required(form, 'refresh_token')
  const requested = requestedScopes(form.get('scope'))
  const { config } = provider
  const box = sealedBox(config.secretKey, 'repeatedTokens', provider.random)
  const fresh = freshTokens(provider)
  const outcome = await provider.writes.refreshTokens({
    now: provider.now(),
    tokenHash: hashOf(token),
    clientId: client.id,
    scopes: requested,
    graceMs: config.refreshGraceSeconds * 1000,
    tokens: fresh.rows,
    ...(config.refreshGraceSeconds > 0 && {
      sealedPair: box.seal(JSON.stringify([fresh.accessToken, fresh.refreshToken])),
    }),
    ip,
  })
  if (outcome.kind === 'refused') {
    if (outcome.reason === 'scope') {
      throw new OAuthError(400, 'invalid_scope', 'the scope goes beyond what the refresh token was given')
    }
    const cause = { clientId: client.id, reason: outcome.reason }
    throw new OAuthError(400, 'invalid_grant', REFRESH_REFUSALS[outcome.reason], { cause })
  }
  const pair = outcome.kind === 'repeated' ? openPair(box, outcome.token.sealedPair) : fresh
  const { userId, authTime, sid, scopes } = outcome.token
  return tokenResponse(provider, {
    accessToken: pair.accessToken,
    accessExpiresAt: outcome.accessExpiresAt,
    scopes: outcome.accessScopes,
    refreshToken: pair.refreshToken,
    ...(scopes.includes('openid') && {
      idToken: { clientId: client.id, userId, authTime, ...(outcome.loginSessionLive && { sid }) },
    }),
  })
}

function requestedScopes(text: string | undefined): readonly string[] | undefined {
  if (text === undefined) return undefined
  const scopes = parseScopes(text)
  const known = scopes && inOrder(scopes)
  if (!scopes || !known || known.length < scopes.length) {
    throw new OAuthError(400, 'invalid_scope', 'the scope goes beyond what the refresh token was given')
  }
  return known
}

function openPair(box: SealedBox, sealed: string | undefined): { accessToken: string; refreshToken: string } {
  const text = sealed === undefined ? undefined : box.open(sealed)
  if (text === undefined)
    throw new Error('The answer of the first refresh cannot be opened: the secret key has changed.')
  const [accessToken = '', refreshToken = ''] = JSON.parse(text) as readonly string[]
  return { accessToken, refreshToken }
}

// grant_type=authorization_code (OIDC-T2, OIDC-T3).

/** However often it is renewed, a sign-in counts for a year at most (OIDC-T4). */
const REFRESH_ABSOLUTE_MS = 365 * 86_400_000

const REFUSALS: Readonly<Record<CodeRefusal, string>> = {
  unknown: 'the code is unknown or expired: start again at the authorization endpoint',
  expired: 'the code has expired: exchange it within its lifetime',
  other_client: 'the code is unknown or expired: start again at the authorization endpoint',
  replayed: 'the code was used before: its tokens are revoked, start again',
  too_many_failures: 'too many wrong attempts with this code: start again',
  redirect_uri: 'redirect_uri differs from the one of the authorization request',
  verifier: 'code_verifier does not match code_challenge',
  grant_revoked: 'the user has disconnected the application',
  user_disabled: 'the user may not sign in any more',
}

async function exchangeCode(provider: Provider, client: Client, form: Form, ip: string): Promise<Response> {
  const code = required(form, 'code')
  const redirectUri = required(form, 'redirect_uri')
  const verifier = form.get('code_verifier')
  if (verifier === undefined) throw new OAuthError(400, 'invalid_grant', 'code_verifier is required')
  if (!isVerifier(verifier)) {
    throw new OAuthError(400, 'invalid_grant', 'code_verifier must be 43 to 128 characters of A-Z a-z 0-9 - . _ ~')
  }
  const fresh = freshTokens(provider)
  const now = provider.now()
  const outcome = await provider.writes.exchangeCode({
    now,
    codeHash: hashOf(code),
    clientId: client.id,
    redirectUri,
    challenge: challengeOf(verifier),
    tokens: { ...fresh.rows, refreshAbsoluteExpiresAt: now + REFRESH_ABSOLUTE_MS },
    ip,
  })
  if (outcome.kind === 'refused') {
    const cause = { clientId: client.id, reason: outcome.reason }
    throw new OAuthError(400, 'invalid_grant', REFUSALS[outcome.reason], { cause })
  }
  const { scopes, userId, authTime, nonce, sid } = outcome.code
  return tokenResponse(provider, {
    accessToken: fresh.accessToken,
    accessExpiresAt: fresh.rows.accessExpiresAt,
    scopes,
    ...(outcome.refresh && { refreshToken: fresh.refreshToken }),
    ...(scopes.includes('openid') && {
      idToken: { clientId: client.id, userId, authTime, sid, nonce },
    }),
  })
}

const GRANTS = { authorization_code: exchangeCode, refresh_token: refreshTokens } as const

/** 256 bits cannot be guessed, so this only keeps a broken client from filling the log. */
const MAX_FAILURES = 600
const FAILURE_WINDOW_MS = 60_000

export function tokenEndpoint(provider: Provider): (context: OidcContext) => Promise<Response> {
  const throttle = createThrottle(provider.limits, 'token', MAX_FAILURES, FAILURE_WINDOW_MS)
  return async (context) => {
    const ip = addressOf(provider, context)
    const waitSeconds = await throttle.take(addressBlock(ip))
    if (waitSeconds !== undefined) throw tooMany('failed requests', waitSeconds)
    const response = await answer(provider, context, ip)
    await throttle.giveBack(addressBlock(ip))
    provider.tidy()
    return response
  }
}

async function answer(provider: Provider, context: OidcContext, ip: string): Promise<Response> {
  const form = await readForm(context.req.raw)
  const grantType = required(form, 'grant_type')
  if (!isGrantType(grantType)) {
    throw new OAuthError(400, 'unsupported_grant_type', 'grant_type is authorization_code or refresh_token')
  }
  const client = await authenticateClient(provider, form, context.req.header('authorization'))
  if (!client.grantTypes.includes(grantType)) {
    throw new OAuthError(400, 'unauthorized_client', `the client is not registered for ${grantType}`)
  }
  const resource = form.get('resource')
  if (resource !== undefined && !isOurResource(resource, provider.config.baseUrl)) {
    throw new OAuthError(400, 'invalid_target', `the only resource is ${provider.config.baseUrl}`)
  }
  return GRANTS[grantType](provider, client, form, ip)
}

function isGrantType(text: string): text is keyof typeof GRANTS {
  return Object.hasOwn(GRANTS, text)
}

/** The token response (OIDC-T1): what is issued, and the values it is made of. */
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

interface Issued {
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
