/** ID tokens (OIDC-I1) and the hints that clients send back (OIDC-P8, OIDC-V17). */
import { createHash } from 'node:crypto'
import { createLocalJWKSet, errors, type JWK, jwtVerify, SignJWT } from 'jose'
import { UNKNOWN_TIME } from '../login/visitor.ts'
import type { Provider } from '../provider.ts'

/** How the user signed in, where there is one way only: the company's provider keeps its ways to itself. */
const AUTHENTICATION = { acr: 'urn:pilotwire:pwd', amr: ['pwd'] } as const

export interface IdTokenClaims {
  readonly clientId: string
  readonly userId: string
  /** Milliseconds, or UNKNOWN_TIME. */
  readonly authTime: number
  readonly accessToken: string
  readonly nonce?: string | undefined
  /** Absent once that login session has ended (OIDC-V15). */
  readonly sid?: string | undefined
}

export async function signIdToken(
  { issuer, keys, now, config }: Pick<Provider, 'issuer' | 'keys' | 'now' | 'config'>,
  { clientId, userId, authTime, accessToken, nonce, sid }: IdTokenClaims,
): Promise<string> {
  const { kid, privateKey } = await keys.signingKey()
  const issuedAt = Math.floor(now() / 1000)
  return new SignJWT({
    ...(authTime !== UNKNOWN_TIME && { auth_time: Math.floor(authTime / 1000) }),
    at_hash: accessTokenHash(accessToken),
    ...(config.ssoIssuer === undefined && AUTHENTICATION),
    nonce,
    sid,
  })
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid })
    .setIssuer(issuer)
    .setSubject(userId)
    .setAudience(clientId)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + config.idTokenTtlSeconds)
    .sign(privateKey)
}

/** Left half of SHA-256, base64url (OIDC Core §3.1.3.6). */
export function accessTokenHash(accessToken: string): string {
  return createHash('sha256').update(accessToken).digest().subarray(0, 16).toString('base64url')
}

export interface IdTokenHint {
  readonly userId: string
  readonly clientId: string
  readonly sid?: string | undefined
}

/** What one of our own ID tokens says, however old; undefined for anything else. */
export async function readIdTokenHint(
  { issuer, keys }: Pick<Provider, 'issuer' | 'keys'>,
  hint: string,
): Promise<IdTokenHint | undefined> {
  try {
    const keySet = createLocalJWKSet({ keys: (await keys.keptKeys()) as JWK[] })
    // Only RS256: "none", or HS256 keyed with our public key, would let anybody write hints.
    const { payload } = await jwtVerify(hint, keySet, {
      algorithms: ['RS256'],
      issuer,
      typ: 'JWT',
      currentDate: new Date(0),
    })
    const { sub, aud, sid } = payload
    if (typeof sub !== 'string' || typeof aud !== 'string') return undefined
    return { userId: sub, clientId: aud, ...(typeof sid === 'string' && { sid }) }
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof TypeError) return undefined
    throw error
  }
}
