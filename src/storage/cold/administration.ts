/** Users as an administrator sees them: roles, links for passwords, second factors, who did what. */
import { and, desc, eq, getTableColumns, gt, gte, isNull, lt, ne, or, sql } from 'drizzle-orm'
import type { User } from '../../domain/ports/storage.ts'
import type { AdministrationReads, AdministrationWrites } from '../../domain/ports/storage-administration.ts'
import { present } from '../rows/present.ts'
import { identities, passwordLinks, secondFactors, users } from '../schema/accounts.ts'
import { auditEvents, loginSessions } from '../schema/oidc.ts'
import { type AuditWrites, keepEvent } from './audit.ts'
import type { Dialect } from './dialect.ts'
import { beginSignInEpoch, endSignIns, endTokens } from './sign-in-ends.ts'
import { build, changed, type Operations, row, rows, type Work, worded } from './work.ts'

export function administrationReads({ caseless }: Dialect): Operations<AdministrationReads> {
  const word = caseless('?')
  return {
    *findPasswordLink(hash) {
      const found = yield* row(build.select().from(passwordLinks).where(eq(passwordLinks.hash, hash)))
      return found && present(found)
    },
    *findSecondFactor(userId) {
      const found = yield* row(build.select().from(secondFactors).where(eq(secondFactors.userId, userId)))
      return found && present(found)
    },
    *searchAudit({ accountId, from, to, actor, belowId, limit }) {
      const isActor = (name: string) =>
        // What was kept before actors were has only its user.
        or(
          eq(auditEvents.actor, name),
          and(isNull(auditEvents.actor), eq(worded(word, users.email), worded(word, sql`${name}`))),
        )
      const found = yield* rows(
        build
          .select({ ...getTableColumns(auditEvents), email: users.email })
          .from(auditEvents)
          .leftJoin(users, eq(users.id, auditEvents.userId))
          .where(
            and(
              eq(auditEvents.accountId, accountId),
              from === undefined ? undefined : gte(auditEvents.at, from),
              to === undefined ? undefined : lt(auditEvents.at, to),
              actor === undefined ? undefined : isActor(actor),
              belowId === undefined ? undefined : lt(auditEvents.id, belowId),
            ),
          )
          .orderBy(desc(auditEvents.id))
          .limit(limit),
      )
      return found.map(({ email, ...event }) => present({ ...event, actor: event.actor ?? email }))
    },
  }
}

/** Without the members that stay as they are. */
function given<T extends object>(change: T): { readonly [Name in keyof T]?: Exclude<T[Name], undefined> } {
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)) as never
}

export const administrationWrites = ({
  caseless,
}: Dialect): Operations<Omit<AdministrationWrites, 'recorded' | keyof AuditWrites>> => ({
  *claimIdentity({ issuer, subject, user, isEmailVerified, ip }) {
    const known = yield* userOf(issuer, subject)
    if (known) return { kind: 'known', user: known }
    const created = (yield* changed(build.insert(users).values(user).onConflictDoNothing())) === 1
    const word = caseless('?')
    const named = eq(worded(word, users.email), worded(word, sql`${user.email}`))
    const owner = created ? user : yield* row(build.select().from(users).where(named))
    if (!owner || (!created && (!isEmailVerified || owner.accountId !== user.accountId))) return { kind: 'taken' }
    const identity = { issuer, subject, userId: owner.id, createdAt: user.createdAt }
    // One who signs in as somebody else of this provider already is somebody else.
    const isJoined = (yield* changed(build.insert(identities).values(identity).onConflictDoNothing())) === 1
    if (!isJoined) return { kind: 'taken' }
    const { id: userId, accountId, email: actor, role } = owner
    const kind = created ? 'user_created' : 'user_joined'
    yield* keepEvent({ at: user.createdAt, kind, accountId, userId, actor, role, subject: actor, ip })
    return { kind: created ? 'created' : 'joined', user: present(owner) }
  },
  *changeUser(accountId, id, wanted) {
    const own = and(eq(users.accountId, accountId), eq(users.id, id))
    const before = yield* row(build.select().from(users).where(own))
    if (!before) return undefined
    const after = { ...before, ...given(wanted) }
    if (isAdministrator(before) && !isAdministrator(after)) {
      const others = and(
        eq(users.accountId, accountId),
        ne(users.id, id),
        eq(users.role, 'administrator'),
        isNull(users.disabledAt),
      )
      const other = yield* row(build.select({ id: users.id }).from(users).where(others).limit(1))
      if (!other) return 'last_administrator'
    }
    const isDisabled = typeof wanted.disabledAt === 'number' && before.disabledAt === null
    if (isDisabled || after.role !== before.role) yield* beginSignInEpoch(id)
    if (isDisabled) yield* endTokens(id, after.disabledAt ?? 0)
    const update = build.update(users).set({ id, ...wanted })
    const changedUser = yield* row(update.where(eq(users.id, id)).returning())
    return present(changedUser ?? after)
  },
  *createPasswordLink(link) {
    yield* changed(build.delete(passwordLinks).where(eq(passwordLinks.userId, link.userId)))
    yield* changed(build.insert(passwordLinks).values(link))
  },
  *spendPasswordLink(hash, passwordHash, at) {
    const usable = and(eq(passwordLinks.hash, hash), isNull(passwordLinks.usedAt), gt(passwordLinks.expiresAt, at))
    const link = yield* row(build.update(passwordLinks).set({ usedAt: at }).where(usable).returning())
    if (!link) return false
    yield* changed(build.update(users).set({ passwordHash }).where(eq(users.id, link.userId)))
    yield* endSignIns(link.userId)
    return true
  },
  *putSecondFactor(factor) {
    const { userId, ...rest } = factor
    const update = build.update(secondFactors).set({ ...rest, confirmedAt: factor.confirmedAt ?? null })
    const replaced = yield* changed(update.where(eq(secondFactors.userId, userId)))
    if (replaced === 0) yield* changed(build.insert(secondFactors).values(factor))
  },
  *deleteSecondFactor(userId) {
    return (yield* changed(build.delete(secondFactors).where(eq(secondFactors.userId, userId)))) === 1
  },
  *spendTimeStep(userId, step, at) {
    const unspent = and(eq(secondFactors.userId, userId), lt(secondFactors.lastStep, step))
    const confirmedAt = sql`coalesce(${secondFactors.confirmedAt}, ${at})`
    return (yield* changed(build.update(secondFactors).set({ lastStep: step, confirmedAt }).where(unspent))) === 1
  },
  *spendRecoveryCode(userId, hash) {
    const factor = yield* row(build.select().from(secondFactors).where(eq(secondFactors.userId, userId)))
    if (!factor?.recoveryHashes.includes(hash)) return false
    const recoveryHashes = factor.recoveryHashes.filter((one) => one !== hash)
    yield* changed(build.update(secondFactors).set({ recoveryHashes }).where(eq(secondFactors.userId, userId)))
    return true
  },
  *endOtherLoginSessions(userId, keptIdHash, at) {
    const others = and(
      eq(loginSessions.userId, userId),
      ne(loginSessions.idHash, keptIdHash),
      isNull(loginSessions.endedAt),
    )
    return yield* changed(build.update(loginSessions).set({ endedAt: at }).where(others))
  },
})

function* userOf(issuer: string, subject: string): Work<User | undefined> {
  const found = yield* row(
    build
      .select(getTableColumns(users))
      .from(identities)
      .innerJoin(users, eq(users.id, identities.userId))
      .where(and(eq(identities.issuer, issuer), eq(identities.subject, subject))),
  )
  return found && present(found)
}

function isAdministrator({ role, disabledAt }: { role: string; disabledAt: number | null }): boolean {
  return role === 'administrator' && disabledAt === null
}
