import { and, desc, eq, getTableColumns, gt, gte, isNull, lt, ne, or, sql } from 'drizzle-orm'
import { NO_PASSWORD, UNPROVEN_ADDRESS } from '../../domain/accounts/password-link.ts'
import type { User } from '../../domain/ports/storage.ts'
import type {
  AdministrationReads,
  AdministrationWrites,
  UserChange,
} from '../../domain/ports/storage-administration.ts'
import { present } from '../rows/present.ts'
import { identities, passwordLinks, secondFactors, users } from '../schema/accounts.ts'
import { auditEvents, loginSessions } from '../schema/oidc.ts'
import { keepEvent } from './audit.ts'
import type { Dialect } from './dialect.ts'
import { insertUser } from './new-users.ts'
import { beginSignInEpoch, endSignIns, endTokens } from './sign-in-ends.ts'
import {
  build,
  changed,
  find,
  insert,
  insertNew,
  type Operations,
  remove,
  row,
  rows,
  update,
  updated,
  type Work,
  worded,
} from './work.ts'

export function administrationReads({ caseless }: Dialect): Operations<AdministrationReads> {
  const word = caseless('?')
  return {
    findPasswordLink: (hash) => find(passwordLinks, eq(passwordLinks.hash, hash)),
    findSecondFactor: (userId) => find(secondFactors, eq(secondFactors.userId, userId)),
    *searchAudit({ accountId, from, to, actor, belowId, limit }) {
      const isActor = (name: string) =>
        // Events from before actors were recorded have only a user.
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

function given<T extends object>(change: T): { readonly [Name in keyof T]?: Exclude<T[Name], undefined> } {
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)) as never
}

export const administrationWrites = ({ caseless }: Dialect) =>
  ({
    *claimIdentity({ issuer, subject, user, isEmailVerified, ip }) {
      const known = yield* userOf(issuer, subject)
      if (known) return { kind: 'known', user: (isEmailVerified && (yield* proveAddress(known, user))) || known }
      const holder = yield* insertUser({ caseless }, user)
      const created = !holder
      if (holder && (!isEmailVerified || holder.accountId !== user.accountId)) return { kind: 'taken' }
      const owner = holder ?? user
      const identity = { issuer, subject, userId: owner.id, createdAt: user.createdAt }
      // The identity already belongs to another user of this provider.
      if (!(yield* insertNew(identities, identity))) return { kind: 'taken' }
      const { id: userId, accountId, email: actor, role } = owner
      const kind = created ? 'user_created' : 'user_joined'
      yield* keepEvent({ at: user.createdAt, kind, accountId, userId, actor, role, subject: actor, ip })
      return { kind: created ? 'created' : 'joined', user: owner }
    },
    *endAccess({ issuer, subject }, at, ip) {
      const user = yield* userOf(issuer, subject)
      if (!user) return undefined
      const { id: userId, accountId, email: actor, role } = user
      yield* beginSignInEpoch(userId)
      yield* endTokens(userId, at)
      yield* keepEvent({ at, kind: 'access_ended', accountId, userId, actor, role, ip })
      return user
    },
    *changeUser(accountId, id, requested) {
      const own = and(eq(users.accountId, accountId), eq(users.id, id))
      const before = yield* find(users, own)
      if (!before) return undefined
      const after = { ...before, ...given(requested) }
      if (isAdministrator(before) && !isAdministrator(after)) {
        const others = and(
          eq(users.accountId, accountId),
          ne(users.id, id),
          eq(users.role, 'administrator'),
          isNull(users.disabledAt),
        )
        if (!(yield* find(users, others))) return 'last_administrator'
      }
      const isDisabled = typeof requested.disabledAt === 'number' && before.disabledAt === undefined
      if (isDisabled || after.role !== before.role) yield* beginSignInEpoch(id)
      if (isDisabled) yield* endTokens(id, after.disabledAt ?? 0)
      return yield* updated(users, { id, ...requested }, eq(users.id, id))
    },
    *createPasswordLink(link) {
      yield* remove(passwordLinks, eq(passwordLinks.userId, link.userId))
      yield* insert(passwordLinks, link)
    },
    *spendPasswordLink(hash, passwordHash, at) {
      const usable = and(eq(passwordLinks.hash, hash), isNull(passwordLinks.usedAt), gt(passwordLinks.expiresAt, at))
      const link = yield* updated(passwordLinks, { usedAt: at }, usable)
      if (!link) return false
      yield* update(users, { passwordHash }, eq(users.id, link.userId))
      yield* endSignIns(link.userId)
      return true
    },
    *putSecondFactor(factor) {
      const { userId, ...rest } = factor
      const whole = { ...rest, confirmedAt: factor.confirmedAt ?? null }
      const isReplaced = yield* update(secondFactors, whole, eq(secondFactors.userId, userId))
      if (!isReplaced) yield* insert(secondFactors, factor)
    },
    *deleteSecondFactor(userId) {
      return (yield* remove(secondFactors, eq(secondFactors.userId, userId))) === 1
    },
    *spendTimeStep(userId, step, at) {
      const unspent = and(eq(secondFactors.userId, userId), lt(secondFactors.lastStep, step))
      const confirmedAt = sql`coalesce(${secondFactors.confirmedAt}, ${at})`
      return yield* update(secondFactors, { lastStep: step, confirmedAt }, unspent)
    },
    *spendRecoveryCode(userId, hash) {
      const own = eq(secondFactors.userId, userId)
      const factor = yield* find(secondFactors, own)
      if (!factor?.recoveryHashes.includes(hash)) return false
      const recoveryHashes = factor.recoveryHashes.filter((one) => one !== hash)
      return yield* update(secondFactors, { recoveryHashes }, own)
    },
    *endOtherLoginSessions(userId, keptIdHash, at) {
      const others = and(
        eq(loginSessions.userId, userId),
        ne(loginSessions.idHash, keptIdHash),
        isNull(loginSessions.endedAt),
      )
      return yield* changed(build.update(loginSessions).set({ endedAt: at }).where(others))
    },
  }) satisfies Partial<Operations<AdministrationWrites>>

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

/** @returns the user, if the address was unproven until now */
function* proveAddress(known: User, { email }: User): Work<User | undefined> {
  const isUnproven = known.passwordHash === UNPROVEN_ADDRESS && known.email.toLowerCase() === email.toLowerCase()
  return isUnproven ? yield* updated(users, { passwordHash: NO_PASSWORD }, eq(users.id, known.id)) : undefined
}

function isAdministrator({ role, disabledAt }: Pick<UserChange, 'role' | 'disabledAt'>): boolean {
  return role === 'administrator' && typeof disabledAt !== 'number'
}
