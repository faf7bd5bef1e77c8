/** What ends with a user's password, role or permission to sign in (OIDC-L6), for good. */
import { and, eq, gt, inArray, isNull, sql } from 'drizzle-orm'
import { passwordLinks, users } from '../schema/accounts.ts'
import { accessTokens, authorizationCodes, grants, loginSessions, refreshTokens } from '../schema/oidc.ts'
import { build, remove, update, type Work } from './work.ts'

/** Ends login sessions and pending links. */
export function* endSignIns(userId: string): Work<void> {
  yield* remove(loginSessions, eq(loginSessions.userId, userId))
  yield* remove(passwordLinks, and(eq(passwordLinks.userId, userId), isNull(passwordLinks.usedAt)))
}

/** As `endSignIns`, and invalidates second steps under way by their epoch. */
export function* beginSignInEpoch(userId: string): Work<void> {
  const signInEpoch = sql`coalesce(${users.signInEpoch}, 0) + 1`
  yield* update(users, { signInEpoch }, eq(users.id, userId))
  yield* endSignIns(userId)
}

/** Consents stay: a re-enabled user signs in to the applications again. */
export function* endTokens(userId: string, at: number): Work<void> {
  const ofUser = build.select({ id: grants.id }).from(grants).where(eq(grants.userId, userId))
  for (const table of [accessTokens, refreshTokens]) {
    yield* update(table, { revokedAt: at }, and(inArray(table.grantId, ofUser), isNull(table.revokedAt)))
  }
  const unspent = and(
    eq(authorizationCodes.userId, userId),
    isNull(authorizationCodes.usedAt),
    gt(authorizationCodes.expiresAt, at),
  )
  yield* update(authorizationCodes, { expiresAt: at }, unspent)
}
