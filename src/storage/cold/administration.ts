import { and, asc, desc, eq, getTableColumns, gt, gte, inArray, isNull, lt, ne, or, sql } from 'drizzle-orm'
import { NO_PASSWORD, UNPROVEN_ADDRESS } from '../../domain/accounts/password-link.ts'
import type { Reads, Writes } from '../../domain/ports/storage.ts'
import type {
  AdministrationReads,
  AdministrationWrites,
  UserChange,
} from '../../domain/ports/storage-administration.ts'
import type { User } from '../../domain/ports/storage-records.ts'
import { FIRST_START } from '../../domain/records/unversioned.ts'
import { present, type RecordOf } from '../rows/present.ts'
import { accounts, credentials, identities, passwordLinks, secondFactors, users } from '../schema/accounts.ts'
import { accessTokens, auditEvents, authorizationCodes, grants, loginSessions, refreshTokens } from '../schema/oidc.ts'
import { keepEvent } from './audit.ts'
import { writeRecord } from './records.ts'
import {
  build,
  changed,
  column,
  type Dialect,
  find,
  insert,
  insertNew,
  list,
  type Operations,
  remove,
  row,
  rows,
  update,
  updated,
  value,
  type Work,
  worded,
} from './work.ts'

export function administrationReads({ caseless }: Dialect): Operations<AdministrationReads> {
  const word = caseless('?')
  return {
    findPasswordLink: (hash) => find(passwordLinks, eq(passwordLinks.hash, hash)),
    findSecondFactor: (userId) => find(secondFactors, eq(secondFactors.userId, userId)),
    *searchAudit({ accountId, userId, from, to, actor, belowId, limit }) {
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
              userId === undefined ? undefined : eq(auditEvents.userId, userId),
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

const oldestFirst = [asc(accounts.createdAt), asc(accounts.id)]

export function accountReads({ caseless }: Dialect) {
  const word = caseless('?')
  return {
    listAccounts: () => list(accounts, undefined, ...oldestFirst),
    findAccount: (id) => find(accounts, eq(accounts.id, id)),
    findUserByEmail: (email) => find(users, eq(worded(word, users.email), worded(word, sql`${email}`))),
    findUser: (id) => find(users, eq(users.id, id)),
    listUsers: (accountId) => list(users, eq(users.accountId, accountId), worded(word, users.email)),
    findCredential: (id) => find(credentials, eq(credentials.id, id)),
    listCredentials: (accountId) =>
      list(credentials, eq(credentials.accountId, accountId), asc(credentials.createdAt), asc(credentials.id)),
  } satisfies Partial<Operations<Reads>>
}

function* isInUse({ id }: RecordOf<typeof accounts>): Work<boolean> {
  const someone = 'SELECT id FROM users WHERE account_id = ? UNION ALL SELECT id FROM credentials WHERE account_id = ?'
  return (yield* value(`${someone} LIMIT 1`, [id, id])) !== undefined
}

export const accountWrites = ({ lockFirstStart, caseless }: Dialect) =>
  ({
    createAccount: (account) => insert(accounts, account),
    *createFirstAccount({ account, user, credential, madeBy }) {
      if (lockFirstStart) yield lockFirstStart
      const [existing] = yield* list(accounts, undefined, ...oldestFirst)
      if (existing && (yield* isInUse(existing))) return { outcome: 'exists' }
      const accountId = existing?.id ?? account.id
      if (!existing) yield* insert(accounts, account)
      if (yield* insertUser({ caseless }, { ...user, accountId })) return { outcome: 'user_exists' }
      yield* insert(credentials, { ...credential, accountId })
      yield* writeRecord({ kind: 'meta', put: { name: FIRST_START, value: JSON.stringify(madeBy) } })
      return { outcome: 'created', accountId }
    },
    updateAccount: (id, { automaticSettlement }) =>
      updated(accounts, { automaticSettlement: automaticSettlement ? true : null }, eq(accounts.id, id)),
    *createUser(user) {
      return (yield* insertUser({ caseless }, user)) ? 'exists' : 'created'
    },
    *updateUser(id, change) {
      if (change.role !== undefined || typeof change.disabledAt === 'number') yield* beginSignInEpoch(id)
      if (typeof change.disabledAt === 'number') yield* endTokens(id, change.disabledAt)
      if (change.passwordHash !== undefined) yield* endSignIns(id)
      // Sets `id` to itself so that an empty change still reports whether the user exists.
      return yield* update(users, { id, ...change }, eq(users.id, id))
    },
    createCredential: (credential) => insert(credentials, credential),
    revokeCredential: (accountId, id, at) =>
      update(
        credentials,
        { revokedAt: at },
        and(eq(credentials.accountId, accountId), eq(credentials.id, id), isNull(credentials.revokedAt)),
      ),
    *touchCredential(id, at) {
      // Touches of several requests may arrive out of order.
      const later = or(isNull(credentials.lastUsedAt), sql`${credentials.lastUsedAt} < ${at}`)
      yield* update(credentials, { lastUsedAt: at }, and(eq(credentials.id, id), later))
    },
  }) satisfies Partial<Operations<Writes>>

/** The course of limit groups, thinned to a picture's resolution (CONSOLE-G2). */
export function limitMinuteReads({ numberAt }: Dialect) {
  const fullest = ([0, 1, 2] as const).map((phase) => {
    const amps = (list: string): string => `coalesce(${numberAt(list, phase)}, 0)`
    const rank = `row_number() OVER (PARTITION BY CAST((at - @from) / @stepMs AS bigint)
      ORDER BY ${amps('load_amps')} + ${amps('draw_amps')} DESC, at)`
    return `SELECT at FROM (SELECT at, ${rank} AS place FROM limit_minutes
      WHERE account_id = @accountId AND name = @name AND at >= @from AND at < @to) AS ranked WHERE place = 1 ORDER BY at`
  })
  return {
    *listFullestMinutes({ phase, ...query }) {
      return (yield* column<number | string>(fullest[phase] ?? '', { ...query })).map(Number)
    },
  } satisfies Partial<Operations<Reads>>
}

/** ADMIN-K4. A user with the unproven address keeps all but that. @returns the user who has the address already */
function* insertUser({ caseless }: Pick<Dialect, 'caseless'>, user: User): Work<User | undefined> {
  if (yield* insertNew(users, user)) return undefined
  const holder = yield* find(users, eq(worded(caseless('?'), users.email), worded(caseless('?'), sql`${user.email}`)))
  if (holder?.passwordHash !== UNPROVEN_ADDRESS || user.passwordHash === UNPROVEN_ADDRESS) return holder ?? user
  const { id: userId, accountId, email: subject } = holder
  yield* update(users, { email: `${userId}@unverified.invalid` }, eq(users.id, userId))
  yield* keepEvent({ at: user.createdAt, kind: 'address_released', accountId, userId, subject })
  return (yield* insertNew(users, user)) ? undefined : user
}

// What ends with a user's password, role or permission to sign in (OIDC-L6), for good.

/** Ends login sessions and pending links. */
function* endSignIns(userId: string): Work<void> {
  yield* remove(loginSessions, eq(loginSessions.userId, userId))
  yield* remove(passwordLinks, and(eq(passwordLinks.userId, userId), isNull(passwordLinks.usedAt)))
}

/** As `endSignIns`, and invalidates second steps under way by their epoch. */
function* beginSignInEpoch(userId: string): Work<void> {
  const signInEpoch = sql`coalesce(${users.signInEpoch}, 0) + 1`
  yield* update(users, { signInEpoch }, eq(users.id, userId))
  yield* endSignIns(userId)
}

/** Consents stay: a re-enabled user signs in to the applications again. */
function* endTokens(userId: string, at: number): Work<void> {
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
