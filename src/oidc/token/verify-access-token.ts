/** The one place that says whether an access token counts (OIDC-C7, OIDC-C8, OIDC-L6). */

import type { TokenPrincipal } from '../../api/access/access.ts'
import { createLastUse } from '../../api/access/authenticate.ts'
import { SECRET_PREFIXES } from '../../domain/accounts/credentials.ts'
import { scopesFor } from '../../domain/accounts/roles.ts'
import type { AccessTokenState } from '../../domain/ports/storage-oidc-records.ts'
import { hashOf } from '../oidc-secrets.ts'
import type { OidcDependencies } from '../provider.ts'

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
