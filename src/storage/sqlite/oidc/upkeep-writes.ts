import type { Database } from 'better-sqlite3'
import { inArray, lt } from 'drizzle-orm'
import type { OidcWrites } from '../../../ports/storage-oidc.ts'
import {
  accessTokens,
  auditEvents,
  authorizationCodes,
  interactions,
  loginSessions,
  refreshTokens,
  signingKeys,
} from '../schema/oidc.ts'
import type { Orm } from './rows.ts'

/** The provider's keys, its log of events, and the end of what expired. */
export function upkeepWrites(
  client: Database,
  db: Orm,
): Pick<OidcWrites, 'createSigningKey' | 'deleteSigningKeys' | 'audit' | 'deleteExpiredOidc'> {
  const createKey = client.transaction((key: Parameters<OidcWrites['createSigningKey']>[0], onlyFirst: boolean) => {
    if (onlyFirst && db.select().from(signingKeys).limit(1).get()) return false
    db.insert(signingKeys).values(key).run()
    return true
  })
  const deleteExpired = client.transaction((now: number, keptMs: number) => {
    const before = now - keptMs
    const counts = [
      db.delete(authorizationCodes).where(lt(authorizationCodes.expiresAt, before)).run(),
      db.delete(accessTokens).where(lt(accessTokens.expiresAt, before)).run(),
      db.delete(refreshTokens).where(lt(refreshTokens.expiresAt, before)).run(),
      db.delete(interactions).where(lt(interactions.expiresAt, now)).run(),
      db.delete(loginSessions).where(lt(loginSessions.endedAt, before)).run(),
    ]
    return counts.reduce((sum, { changes }) => sum + changes, 0)
  })
  return {
    createSigningKey: async (key, onlyFirst) => createKey.immediate(key, onlyFirst),
    deleteSigningKeys: async (kids) => {
      db.delete(signingKeys)
        .where(inArray(signingKeys.kid, [...kids]))
        .run()
    },
    audit: async (event) => Number(db.insert(auditEvents).values(event).run().lastInsertRowid),
    deleteExpiredOidc: async (now, keptMs) => deleteExpired.immediate(now, keptMs),
  }
}
