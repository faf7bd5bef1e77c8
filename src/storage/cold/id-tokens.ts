/** Id tokens of an account; their ids compare without ASCII case (TOKEN-Z1). */
import { and, eq, gt, type SQL, sql } from 'drizzle-orm'
import type { FrozenTariff } from '../../domain/ports/sessions.ts'
import type { Reads, Writes } from '../../domain/ports/storage.ts'
import type { Tariff, WebhookReads, WebhookWrites } from '../../domain/ports/storage-webhooks.ts'
import { memberOf } from '../../domain/resources/field.ts'
import { rates } from '../../domain/tariffs/fields.ts'
import { columnsOf, present, readRow } from '../rows/present.ts'
import { idTokens } from '../schema/accounts.ts'
import { tariffs } from '../schema/webhooks.ts'
import { recordStatement } from './records.ts'
import {
  build,
  change,
  type Dialect,
  find,
  first,
  insertNew,
  list,
  type Operations,
  remove,
  rows,
  updated,
  type Work,
  worded,
} from './work.ts'

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

const IN_FORCE = `SELECT ${columnsOf(tariffs)} FROM tariffs
  WHERE account_id = ? AND (charge_point_id = ? OR charge_point_id IS NULL) ORDER BY charge_point_id IS NULL LIMIT 1`
const FROZEN = ['tariffId', 'version', ...Object.entries(rates).map((rate) => memberOf(...rate))]
const own = (accountId: string, id: string): SQL | undefined =>
  and(eq(tariffs.accountId, accountId), eq(tariffs.tariffId, id))

export const tariffWrites = {
  *createTariff(tariff) {
    if (!(yield* insertNew(tariffs, tariff))) return 'exists'
    yield* keepVersion(tariff)
    return 'created'
  },
  *updateTariff(accountId, id, values, at) {
    const changed = { ...values, version: sql`version + 1`, updatedAt: at }
    const tariff = yield* updated(tariffs, changed, own(accountId, id))
    if (tariff) yield* keepVersion(tariff)
    return tariff
  },
  *deleteTariff(accountId, id, at) {
    const known: Tariff | undefined = yield* find(tariffs, own(accountId, id))
    if (!known || (yield* remove(tariffs, own(accountId, id))) !== 1) return false
    yield* keepVersion({ ...known, version: known.version + 1, updatedAt: at }, false)
    return true
  },
} satisfies Partial<Operations<WebhookWrites>>

export const tariffReads = {
  listTariffs: (accountId) => list(tariffs, eq(tariffs.accountId, accountId), tariffs.tariffId),
  findTariff: (accountId, id) => find(tariffs, own(accountId, id)),
} satisfies Partial<Operations<WebhookReads>>

/** COST-L7 */
function* keepVersion(tariff: Tariff, isInForce = true): Work<void> {
  const { accountId, chargePointId: place = '', updatedAt: since } = tariff
  const { tariffId, version, ...frozen } = frozenTariff(tariff)
  const put = { accountId, place, since, version, tariffId, rates: isInForce ? frozen : undefined }
  const { sql: text, values } = recordStatement({ kind: 'tariff_versions', put })
  yield* change(text, values)
}

/** The charge point's own tariff, else its account's (COST-L1), as a session keeps it. */
export function* tariffInForce(accountId: string, chargePointId: string): Work<FrozenTariff | undefined> {
  const found = yield* first<object>(IN_FORCE, [accountId, chargePointId])
  return found && frozenTariff(found)
}

export function frozenTariff(row: object): FrozenTariff {
  return Object.fromEntries(
    Object.entries(readRow(tariffs, row)).filter(([member]) => FROZEN.includes(member)),
  ) as never
}
