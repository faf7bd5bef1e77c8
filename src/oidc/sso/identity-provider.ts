/** The company's OpenID provider: configuration read at first sign-in, daily, and after a failure (ADMIN-K7). */
import * as oidc from 'openid-client'
import type { Config } from '../../config/config.ts'
import { isLoopbackUrl } from '../../config/setting-kinds.ts'
import { isRecent } from '../../domain/due.ts'
import { challengeOf } from '../pkce.ts'
import { type Claims, claimAt } from './person.ts'

const DISCOVERY_KEPT_MS = 86_400_000
/** Right after a failure the next user gets it without another try. */
const FAILURE_KEPT_MS = 5000
const TIMEOUT_MS = 10_000
/** An ID token with a thousand groups has some fifty kilobytes. */
const MAX_ANSWER_BYTES = 512 * 1024
const MAX_SUBJECT_LENGTH = 255
/** Clocks differ. */
const CLOCK_TOLERANCE_SECONDS = 30

/** What one sign-in is bound to, kept by the browser that began it. */
export interface Checks {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
  /** How long ago, in seconds, the person may have signed in there when the browser leaves; 0: afresh. */
  readonly maxAgeSeconds?: number | undefined
}

export interface Answer {
  /** Of the ID token, and of userinfo where they are needed. */
  readonly claims: readonly [Claims, ...Claims[]]
  /** Since the person signed in there; undefined where the provider does not say. */
  readonly ageSeconds: number | undefined
}

export class ProviderAway extends TypeError {
  override readonly name = 'ProviderAway'
}

export class ProviderRefused extends Error {
  override readonly name = 'ProviderRefused'
}

/** The person signed in there too long ago for the application that asks, or the provider does not say when. */
export class SignInTooOld extends Error {
  override readonly name = 'SignInTooOld'
}

export interface IdentityProvider {
  readonly issuer: string
  readonly host: string
  readonly isAway: () => boolean
  /** Where the browser goes. @param afresh the user signs in again even with a session there @throws ProviderAway */
  readonly authorizationUrl: (checks: Checks, afresh: boolean) => Promise<string>
  /** @param tookMs since the browser left @throws ProviderAway, ProviderRefused, SignInTooOld, or a fault in it */
  readonly answerOf: (answer: URLSearchParams, checks: Checks, tookMs: number) => Promise<Answer>
}

type SsoConfig = Pick<Config, 'ssoClientId' | 'ssoClientSecret' | 'ssoRoleClaim' | 'allowHttp'>

interface Settings {
  readonly config: SsoConfig
  readonly issuer: string
  readonly redirectUri: string
  readonly now: () => number
}

export function createIdentityProvider({ config, issuer, redirectUri, now }: Settings): IdentityProvider {
  let known: { readonly at: number; readonly configuration: oidc.Configuration } | undefined
  let failed: { readonly at: number; readonly error: unknown } | undefined
  let asking: Promise<oidc.Configuration> | undefined

  const discover = async (): Promise<oidc.Configuration> => {
    try {
      const configuration = await discovered(config, issuer)
      known = { at: now(), configuration }
      failed = undefined
      return configuration
    } catch (error) {
      failed = { at: now(), error }
      throw error
    }
  }
  const isAway = (): boolean => failed !== undefined && isRecent(failed.at, now(), FAILURE_KEPT_MS)
  const configured = async (): Promise<oidc.Configuration> => {
    if (known && isRecent(known.at, now(), DISCOVERY_KEPT_MS)) return known.configuration
    if (failed && isAway() && !known) throw failed.error
    asking ??= discover().finally(() => {
      asking = undefined
    })
    // What was known yesterday is most likely true still.
    return known ? asking.catch(() => known?.configuration ?? Promise.reject(new ProviderAway('discovery'))) : asking
  }
  return {
    issuer,
    host: new URL(issuer).host,
    isAway,
    async authorizationUrl({ state, nonce, verifier, maxAgeSeconds }, afresh) {
      return oidc.buildAuthorizationUrl(await configured(), {
        redirect_uri: redirectUri,
        scope: 'openid profile email',
        response_type: 'code',
        code_challenge: challengeOf(verifier),
        code_challenge_method: 'S256',
        state,
        nonce,
        ...((afresh || maxAgeSeconds === 0) && { prompt: 'login' }),
        ...(maxAgeSeconds !== undefined && { max_age: String(maxAgeSeconds) }),
      }).href
    },
    async answerOf(answer, { state, nonce, verifier, maxAgeSeconds }, tookMs) {
      const configuration = await configured()
      const address = new URL(redirectUri)
      address.search = answer.toString()
      const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true }
      const tokens = await oidc.authorizationCodeGrant(configuration, address, checks).catch((error: unknown) => {
        if (error instanceof oidc.AuthorizationResponseError) throw new ProviderRefused(error.error)
        throw error
      })
      const idToken = tokens.claims()
      if (!idToken) throw new Error('the provider sent no ID token')
      // OpenID Connect Core 1.0 §2; it is part of a key.
      if (idToken.sub.length > MAX_SUBJECT_LENGTH) throw new Error('the subject of the ID token is too long')
      // By the provider's own clock, which may differ from ours.
      const ageSeconds = idToken.auth_time === undefined ? undefined : Math.max(0, idToken.iat - idToken.auth_time)
      if (maxAgeSeconds !== undefined) {
        const most = maxAgeSeconds + tookMs / 1000 + CLOCK_TOLERANCE_SECONDS
        if (ageSeconds === undefined) throw new SignInTooOld('the ID token has no auth_time')
        if (ageSeconds > most) throw new SignInTooOld(`auth_time is ${ageSeconds} s old, of at most ${maxAgeSeconds} s`)
      }
      const isWhole = claimAt(idToken, config.ssoRoleClaim) !== undefined && idToken.email !== undefined
      if (isWhole || configuration.serverMetadata().userinfo_endpoint === undefined) {
        return { claims: [idToken], ageSeconds }
      }
      const userInfo = await oidc.fetchUserInfo(configuration, tokens.access_token, idToken.sub)
      return { claims: [idToken, userInfo], ageSeconds }
    },
  }
}

async function discovered(config: SsoConfig, issuer: string): Promise<oidc.Configuration> {
  const { ssoClientId = '', ssoClientSecret: secret, allowHttp } = config
  const execute = [
    // Its ID tokens are believed for their signature, and not only for the connection that they came by.
    oidc.enableNonRepudiationChecks,
    ...(issuer.startsWith('http:') && (allowHttp || isLoopbackUrl(issuer)) ? [oidc.allowInsecureRequests] : []),
  ]
  const metadata = { [oidc.clockTolerance]: CLOCK_TOLERANCE_SECONDS }
  const first = await oidc.discovery(new URL(issuer), ssoClientId, metadata, oidc.None(), {
    execute,
    [oidc.customFetch]: boundedFetch,
    timeout: TIMEOUT_MS / 1000,
  })
  if (secret === undefined) return first
  const methods = first.serverMetadata().token_endpoint_auth_methods_supported
  const byPost = methods?.includes('client_secret_post') ?? false
  const authentication = byPost ? oidc.ClientSecretPost(secret) : oidc.ClientSecretBasic(secret)
  const configuration = new oidc.Configuration(first.serverMetadata(), ssoClientId, metadata, authentication)
  configuration[oidc.customFetch] = boundedFetch
  configuration.timeout = TIMEOUT_MS / 1000
  for (const change of execute) change(configuration)
  return configuration
}

/** Follows nothing, waits and reads no longer than it must. @throws ProviderAway */
async function boundedFetch(address: string, options: oidc.CustomFetchOptions): Promise<Response> {
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const { body, method, headers } = options
    const response = await fetch(address, { body: body as string | null, method, headers, redirect: 'manual', signal })
    if (response.status >= 500) throw new Error(`status ${response.status}`)
    const text = await textOf(response)
    return new Response(text === '' ? null : text, { status: response.status, headers: response.headers })
  } catch (error) {
    const reason = error instanceof Error ? (error.cause instanceof Error ? error.cause.message : error.message) : ''
    throw new ProviderAway(`${new URL(address).host} could not be asked: ${reason}`)
  }
}

async function textOf(response: Response): Promise<string> {
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    size += piece.length
    if (size > MAX_ANSWER_BYTES) throw new Error(`the answer has more than ${MAX_ANSWER_BYTES} bytes`)
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString('utf8')
}
