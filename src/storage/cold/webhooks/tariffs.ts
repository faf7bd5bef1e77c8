import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { FrozenTariff } from '../../../domain/ports/sessions.ts'
import type { Tariff, WebhookReads, WebhookWrites } from '../../../domain/ports/storage-webhooks.ts'
import { memberOf } from '../../../domain/resources/field.ts'
import { rates } from '../../../domain/tariffs/fields.ts'
import { columnsOf, readRow } from '../../rows/present.ts'
import { tariffs } from '../../schema/webhooks.ts'
import { recordStatement } from '../records.ts'
import { change, find, first, insertNew, list, type Operations, remove, updated, type Work } from '../work.ts'

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
