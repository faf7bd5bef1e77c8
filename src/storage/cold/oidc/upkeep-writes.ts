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
import { find, insert, type Operations, remove } from '../work.ts'

export const upkeepWrites = {
  *createSigningKey(key, onlyFirst) {
    if (onlyFirst && (yield* find(signingKeys))) return false
    yield* insert(signingKeys, key)
    return true
  },
  *deleteSigningKeys(kids) {
    yield* remove(signingKeys, inArray(signingKeys.kid, [...kids]))
  },
  audit: keepEvent,
  *deleteExpiredOidc(now, keptMs) {
    const before = now - keptMs
    return (
      (yield* remove(authorizationCodes, lt(authorizationCodes.expiresAt, before))) +
      (yield* remove(accessTokens, lt(accessTokens.expiresAt, before))) +
      (yield* remove(refreshTokens, lt(refreshTokens.expiresAt, before))) +
      (yield* remove(interactions, lt(interactions.expiresAt, now))) +
      (yield* remove(loginSessions, lt(loginSessions.endedAt, before)))
    )
  },
} satisfies Partial<Operations<OidcWrites>>
