/** Id tokens of an account; their ids compare without ASCII case (TOKEN-Z1). */
import { and, eq, gt, type SQL, sql } from 'drizzle-orm'
import type { Reads, Writes } from '../../domain/ports/storage.ts'
import { present } from '../rows/present.ts'
import { idTokens } from '../schema/accounts.ts'
import type { Dialect } from './dialect.ts'
import { build, change, find, first, insertNew, type Operations, remove, rows, updated, worded } from './work.ts'

export function idTokenReads({ caseless, contains }: Dialect) {
  const own = ownIdToken(caseless)
  const place = worded(caseless('?'), idTokens.id)
  return {
    findIdToken: (accountId, id) => find(idTokens, own(accountId, id)),
    *listIdTokens(accountId, { afterId, limit }, containing) {
      const found = yield* rows(
        build
          .select()
          .from(idTokens)
          .where(
            and(
              eq(idTokens.accountId, accountId),
              afterId === undefined ? undefined : gt(place, worded(caseless('?'), sql`${afterId}`)),
              containing === undefined
                ? undefined
                : worded(contains('lower(?)', 'lower(?)'), idTokens.id, sql`${containing}`),
            ),
          )
          .orderBy(place)
          .limit(limit),
      )
      return found.map(present)
    },
  } satisfies Partial<Operations<Reads>>
}

interface Attributes {
  readonly type: string
  readonly status: string
  readonly expiresAt: number | null
  readonly groupId: string | null
}

const ATTRIBUTES = ['type', 'status', 'expiresAt', 'groupId'] as const

function named(attributes: Attributes, columns: readonly string[]): Partial<Attributes> {
  return Object.fromEntries(Object.entries(attributes).filter(([name]) => columns.includes(name)))
}

const ADD = `INSERT INTO id_tokens (type, status, expires_at, group_id, created_at, account_id, id)
  VALUES (?, ?, ?, ?, ?, ?, ?)`

export function idTokenWrites({ caseless }: Dialect) {
  const own = ownIdToken(caseless)
  // Unchanged cards are not written: thousands are one transaction, and messages wait for it.
  const itself = `account_id = ? AND ${caseless('id')} = ${caseless('?')}`
  const known = `SELECT type, status, expires_at AS "expiresAt", group_id AS "groupId" FROM id_tokens WHERE ${itself}`
  const alter = `UPDATE id_tokens SET type = ?, status = ?, expires_at = ?, group_id = ? WHERE ${itself}`
  return {
    *importIdTokens(tokens, columns) {
      let created = 0
      let changes = 0
      for (const { accountId, id, type, status, expiresAt = null, groupId = null, createdAt } of tokens) {
        const before = yield* first<Attributes>(known, [accountId, id])
        if (!before) {
          yield* change(ADD, [type, status, expiresAt, groupId, createdAt, accountId, id])
          created++
          continue
        }
        const after = { ...before, ...named({ type, status, expiresAt, groupId }, columns) }
        if (ATTRIBUTES.every((name) => before[name] === after[name])) continue
        yield* change(alter, [after.type, after.status, after.expiresAt, after.groupId, accountId, id])
        changes++
      }
      return { created, changed: changes }
    },
    *createIdToken(token) {
      return (yield* insertNew(idTokens, token)) ? 'created' : 'exists'
    },
    updateIdToken: (accountId, id, asked) => updated(idTokens, { accountId, ...asked }, own(accountId, id)),
    *deleteIdToken(accountId, id) {
      return (yield* remove(idTokens, own(accountId, id))) === 1
    },
  } satisfies Partial<Operations<Writes>>
}

function ownIdToken(caseless: Dialect['caseless']): (accountId: string, id: string) => SQL | undefined {
  const word = caseless('?')
  return (accountId, id) =>
    and(eq(idTokens.accountId, accountId), eq(worded(word, idTokens.id), worded(word, sql`${id}`)))
}
