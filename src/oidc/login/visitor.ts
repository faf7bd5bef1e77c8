/** Who sits at the browser: login sessions found, begun and ended (OIDC-L1, OIDC-L6). */

import type { LoginSession } from '../../domain/ports/storage-oidc.ts'
import type { User } from '../../domain/ports/storage-records.ts'
import { clearCookie, readCookie, writeCookie } from '../../web/cookies.ts'
import { hashOf, newId, newSecret } from '../oidc-secrets.ts'
import { addressOf, type OidcContext, type OidcDependencies, type Provider, type Visitor } from '../provider.ts'

const DAY_MS = 86_400_000
const IDLE_MS = 14 * DAY_MS
const ABSOLUTE_MS = 90 * DAY_MS
/** "Last seen" need not be finer. */
const TOUCH_INTERVAL_MS = 300_000
const MAX_USER_AGENT_CHARACTERS = 300

/** As `authenticatedAt`: the company's provider does not say when the user proved who they are (ADMIN-K8). */
export const UNKNOWN_TIME = 0

/** Whether a login session still counts. A new password, another role and disabling change the mark and so end it. */
export function isLoginSessionLive(session: LoginSession, user: User, now: number): boolean {
  return (
    session.endedAt === undefined &&
    user.disabledAt === undefined &&
    session.passwordMark === passwordMark(user) &&
    now - session.lastSeenAt < IDLE_MS &&
    now - session.createdAt < ABSOLUTE_MS
  )
}

export async function findVisitor(place: OidcDependencies, context: OidcContext): Promise<Visitor | undefined> {
  const { reads, writes, now, log } = place
  const cookie = readCookie(context, place, 'sid')
  const session = cookie === undefined ? undefined : await reads.findLoginSession(hashOf(cookie))
  const user = session && (await reads.findUser(session.userId))
  if (!session || !user || !isLoginSessionLive(session, user, now())) return undefined
  // A request that a page makes to keep itself up to date does not count as use.
  const byHand = context.req.header('sec-fetch-dest') !== 'empty'
  if (byHand && now() - session.lastSeenAt > TOUCH_INTERVAL_MS) {
    await writes.touchLoginSession(session.idHash, now()).catch((error: Error) => {
      log.warn({ error: error.message }, 'the last use of a login session could not be stored')
    })
  }
  return { session, user }
}

/** A new id per sign-in (session fixation). @param authenticatedAt when the user proved who they are, if not now */
export async function beginLoginSession(
  provider: Provider,
  context: OidcContext,
  user: User,
  authenticatedAt = provider.now(),
): Promise<Visitor> {
  const { writes, now, random } = provider
  const before = readCookie(context, provider, 'sid')
  if (before !== undefined) await writes.endLoginSession(hashOf(before), now())
  const cookie = newSecret('plain', random)
  const session: LoginSession = {
    idHash: hashOf(cookie),
    sid: newId(random),
    userId: user.id,
    authenticatedAt,
    createdAt: now(),
    lastSeenAt: now(),
    passwordMark: passwordMark(user),
    ip: addressOf(provider, context),
    userAgent: (context.req.header('user-agent') ?? '').slice(0, MAX_USER_AGENT_CHARACTERS),
  }
  await writes.createLoginSession(session)
  writeCookie(context, provider, 'sid', cookie)
  return { session, user }
}

export async function endLoginSession(provider: Provider, context: OidcContext, visitor: Visitor): Promise<void> {
  const { writes, now } = provider
  await writes.endLoginSession(visitor.session.idHash, now())
  clearCookie(context, provider, 'sid')
  const { id: userId, accountId } = visitor.user
  await writes.audit({ at: now(), kind: 'sign_out', accountId, userId, ip: addressOf(provider, context) })
}

/** Changes with the password, and whenever the user is disabled or gets another role. */
export function passwordMark({ passwordHash, signInEpoch }: Pick<User, 'passwordHash' | 'signInEpoch'>): string {
  return hashOf(signInEpoch === undefined ? passwordHash : `${passwordHash} ${signInEpoch}`).slice(0, 16)
}
