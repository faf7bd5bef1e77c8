/** The charge points of grants and webhooks, while in their account: a later owner shares none (OIDC-C12). */
import type { Grant } from '../../domain/ports/storage-oidc.ts'
import type { Dialect } from './dialect.ts'
import { all, change, column, type Work } from './work.ts'

/** The charge points of the account that a grant shares now: every query of an application uses this. */
export function* sharedNow<Some extends Pick<Grant, 'accountId' | 'chargePoints'>>(
  { among }: Dialect,
  grant: Some,
): Work<Some> {
  const { accountId, chargePoints } = grant
  if (chargePoints === undefined || chargePoints === 'all' || chargePoints.length === 0) return grant
  const sql = `SELECT id FROM charge_points WHERE account_id = ? AND ${among('id', '?')}`
  const own = new Set(yield* column<string>(sql, [accountId, chargePoints]))
  return { ...grant, chargePoints: chargePoints.filter((id) => own.has(id)) }
}

/** A removed charge point leaves the selections of its account. */
export function* removeFromSelections(dialect: Dialect, accountId: string, chargePointId: string): Work<void> {
  for (const [table, list] of SELECTIONS) {
    const named = yield* all<{ readonly id: string; readonly ids: string }>(
      `SELECT id AS "id", ${list} AS "ids" FROM ${table}
        WHERE account_id = ? AND substr(${list}, 1, 1) = '[' AND ${dialect.holds(list, '?')}`,
      [accountId, chargePointId],
    )
    for (const { id, ids } of named) {
      const rest = (JSON.parse(ids) as readonly string[]).filter((one) => one !== chargePointId)
      yield* change(`UPDATE ${table} SET ${list} = ? WHERE id = ?`, [JSON.stringify(rest), id])
    }
  }
}

const SELECTIONS = [
  ['grants', 'charge_points'],
  ['webhook_subscriptions', 'charge_point_ids'],
] as const
