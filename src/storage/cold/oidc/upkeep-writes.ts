import { inArray, lt } from 'drizzle-orm'
import type { OidcWrites } from '../../../domain/ports/storage-oidc.ts'
import {
  accessTokens,
  authorizationCodes,
  interactions,
  loginSessions,
  refreshTokens,
  signingKeys,
} from '../../schema/oidc.ts'
import { keepEvent } from '../audit.ts'
import { build, changed, type Operations, row } from '../work.ts'

type UpkeepWrites = Pick<OidcWrites, 'createSigningKey' | 'deleteSigningKeys' | 'audit' | 'deleteExpiredOidc'>

/** The provider's keys, its log of events, and the end of what expired. */
export const upkeepWrites: Operations<UpkeepWrites> = {
  *createSigningKey(key, onlyFirst) {
    if (onlyFirst && (yield* row(build.select().from(signingKeys).limit(1)))) return false
    yield* changed(build.insert(signingKeys).values(key))
    return true
  },
  *deleteSigningKeys(kids) {
    yield* changed(build.delete(signingKeys).where(inArray(signingKeys.kid, [...kids])))
  },
  *audit(event) {
    return yield* keepEvent(event)
  },
  *deleteExpiredOidc(now, keptMs) {
    const before = now - keptMs
    return (
      (yield* changed(build.delete(authorizationCodes).where(lt(authorizationCodes.expiresAt, before)))) +
      (yield* changed(build.delete(accessTokens).where(lt(accessTokens.expiresAt, before)))) +
      (yield* changed(build.delete(refreshTokens).where(lt(refreshTokens.expiresAt, before)))) +
      (yield* changed(build.delete(interactions).where(lt(interactions.expiresAt, now)))) +
      (yield* changed(build.delete(loginSessions).where(lt(loginSessions.endedAt, before))))
    )
  },
}
