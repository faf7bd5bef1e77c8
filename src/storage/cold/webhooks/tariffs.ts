import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { FrozenTariff } from '../../../domain/ports/sessions.ts'
import type { WebhookReads, WebhookWrites } from '../../../domain/ports/storage-webhooks.ts'
import { columnsOf, readRow } from '../../rows/present.ts'
import { tariffs } from '../../schema/webhooks.ts'
import { find, first, insertNew, list, type Operations, remove, updated, type Work } from '../work.ts'

const IN_FORCE = `SELECT ${columnsOf(tariffs)} FROM tariffs
  WHERE account_id = ? AND (charge_point_id = ? OR charge_point_id IS NULL) ORDER BY charge_point_id IS NULL LIMIT 1`

export const tariffWrites = {
  *createTariff(tariff) {
    return (yield* insertNew(tariffs, tariff)) ? 'created' : 'exists'
  },
  updateTariff: (accountId, id, rates, at) =>
    updated(tariffs, { ...rates, version: sql`version + 1`, updatedAt: at }, own(accountId, id)),
  *deleteTariff(accountId, id) {
    return (yield* remove(tariffs, own(accountId, id))) === 1
  },
} satisfies Partial<Operations<WebhookWrites>>

export const tariffReads = {
  listTariffs: (accountId) => list(tariffs, eq(tariffs.accountId, accountId), tariffs.tariffId),
  findTariff: (accountId, id) => find(tariffs, own(accountId, id)),
} satisfies Partial<Operations<WebhookReads>>

function own(accountId: string, id: string): SQL | undefined {
  return and(eq(tariffs.accountId, accountId), eq(tariffs.tariffId, id))
}

/** The charge point's own tariff, else its account's (COST-L1), as a session keeps it. */
export function* tariffInForce(accountId: string, chargePointId: string): Work<FrozenTariff | undefined> {
  const found = yield* first<object>(IN_FORCE, [accountId, chargePointId])
  return found && frozenTariff(found)
}

export function frozenTariff(row: object): FrozenTariff {
  const { accountId: _a, chargePointId: _c, createdAt: _t, updatedAt: _u, ...frozen } = readRow(tariffs, row)
  return frozen
}
