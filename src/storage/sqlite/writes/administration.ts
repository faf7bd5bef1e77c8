import type { Database } from 'better-sqlite3'
import { and, eq, gt, isNull, lt, ne, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import type { Writes } from '../../../ports/storage.ts'
import type { UserChange } from '../../../ports/storage-administration.ts'
import { present } from '../rows/present.ts'
import { passwordLinks, secondFactors, users } from '../schema/accounts.ts'
import { loginSessions } from '../schema/oidc.ts'

type AdministrationWrites = Pick<
  Writes,
  | 'changeUser'
  | 'createPasswordLink'
  | 'spendPasswordLink'
  | 'putSecondFactor'
  | 'deleteSecondFactor'
  | 'spendTimeStep'
  | 'spendRecoveryCode'
  | 'endOtherLoginSessions'
>

export function administrationWrites(client: Database): AdministrationWrites {
  const db = drizzle(client)
  const change = client.transaction((accountId: string, id: string, wanted: UserChange) => {
    const before = db
      .select()
      .from(users)
      .where(and(eq(users.accountId, accountId), eq(users.id, id)))
      .get()
    if (!before) return undefined
    const after = { ...before, ...wanted }
    if (isAdministrator(before) && !isAdministrator(after)) {
      const others = and(
        eq(users.accountId, accountId),
        ne(users.id, id),
        eq(users.role, 'administrator'),
        isNull(users.disabledAt),
      )
      if (!db.select({ id: users.id }).from(users).where(others).limit(1).get()) return 'last_administrator' as const
    }
    db.update(users)
      .set({ id, ...wanted })
      .where(eq(users.id, id))
      .run()
    return present(after)
  })
  const createLink = client.transaction((link: Parameters<Writes['createPasswordLink']>[0]) => {
    db.delete(passwordLinks).where(eq(passwordLinks.userId, link.userId)).run()
    db.insert(passwordLinks).values(link).run()
  })
  const spendLink = client.transaction((hash: string, passwordHash: string, at: number) => {
    const usable = and(eq(passwordLinks.hash, hash), isNull(passwordLinks.usedAt), gt(passwordLinks.expiresAt, at))
    const link = db.update(passwordLinks).set({ usedAt: at }).where(usable).returning().get()
    if (!link) return false
    db.update(users).set({ passwordHash }).where(eq(users.id, link.userId)).run()
    return true
  })
  const spendRecovery = client.transaction((userId: string, hash: string) => {
    const factor = db.select().from(secondFactors).where(eq(secondFactors.userId, userId)).get()
    if (!factor?.recoveryHashes.includes(hash)) return false
    const recoveryHashes = factor.recoveryHashes.filter((one) => one !== hash)
    db.update(secondFactors).set({ recoveryHashes }).where(eq(secondFactors.userId, userId)).run()
    return true
  })
  return {
    changeUser: async (accountId, id, wanted) => change.immediate(accountId, id, wanted),
    createPasswordLink: async (link) => createLink.immediate(link),
    spendPasswordLink: async (hash, passwordHash, at) => spendLink.immediate(hash, passwordHash, at),
    putSecondFactor: async (factor) => {
      const { userId: _, ...rest } = factor
      const columns = { ...rest, confirmedAt: factor.confirmedAt ?? null }
      db.insert(secondFactors).values(factor).onConflictDoUpdate({ target: secondFactors.userId, set: columns }).run()
    },
    deleteSecondFactor: async (userId) =>
      db.delete(secondFactors).where(eq(secondFactors.userId, userId)).run().changes === 1,
    spendTimeStep: async (userId, step, at) => {
      const unspent = and(eq(secondFactors.userId, userId), lt(secondFactors.lastStep, step))
      const confirmedAt = sql`coalesce(${secondFactors.confirmedAt}, ${at})`
      return db.update(secondFactors).set({ lastStep: step, confirmedAt }).where(unspent).run().changes === 1
    },
    spendRecoveryCode: async (userId, hash) => spendRecovery.immediate(userId, hash),
    endOtherLoginSessions: async (userId, keptIdHash, at) => {
      const others = and(
        eq(loginSessions.userId, userId),
        ne(loginSessions.idHash, keptIdHash),
        isNull(loginSessions.endedAt),
      )
      return db.update(loginSessions).set({ endedAt: at }).where(others).run().changes
    },
  }
}

function isAdministrator({ role, disabledAt }: { role: string; disabledAt: number | null }): boolean {
  return role === 'administrator' && disabledAt === null
}
