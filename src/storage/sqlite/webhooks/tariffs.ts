import type { Database } from 'better-sqlite3'
import type { FrozenTariff } from '../../../ports/sessions.ts'
import type { Tariff, TariffRates, WebhookReads, WebhookWrites } from '../../../ports/storage-webhooks.ts'
import { readTariff, TARIFF_COLUMNS } from './rows.ts'

export function tariffWrites(db: Database): Pick<WebhookWrites, 'createTariff' | 'updateTariff' | 'deleteTariff'> {
  const insert = db.prepare(`INSERT INTO tariffs (id, account_id, charge_point_id, version, currency, per_kwh_micros,
      per_minute_micros, per_session_micros, idle_per_minute_micros, created_at, updated_at)
    VALUES (@tariffId, @accountId, @chargePointId, @version, @currency, @perKwhMicros, @perMinuteMicros,
      @perSessionMicros, @idlePerMinuteMicros, @createdAt, @updatedAt) ON CONFLICT DO NOTHING`)
  const update = db.prepare(`UPDATE tariffs SET version = version + 1, currency = @currency,
      per_kwh_micros = @perKwhMicros, per_minute_micros = @perMinuteMicros, per_session_micros = @perSessionMicros,
      idle_per_minute_micros = @idlePerMinuteMicros, updated_at = @at
    WHERE account_id = @accountId AND id = @id`)
  const find = tariffById(db)
  const remove = db.prepare('DELETE FROM tariffs WHERE account_id = ? AND id = ?')
  const change = db.transaction((accountId: string, id: string, rates: TariffRates, at: number) => {
    update.run({ ...rates, accountId, id, at })
    return find(accountId, id)
  })
  return {
    createTariff: async ({ chargePointId = null, ...tariff }) =>
      insert.run({ ...tariff, chargePointId }).changes === 1 ? 'created' : 'exists',
    updateTariff: async (accountId, id, rates, at) => change.immediate(accountId, id, rates, at),
    deleteTariff: async (accountId, id) => remove.run(accountId, id).changes === 1,
  }
}

export function tariffReads(db: Database): Pick<WebhookReads, 'listTariffs' | 'findTariff'> {
  const list = db.prepare<[string], object>(`SELECT ${TARIFF_COLUMNS} FROM tariffs WHERE account_id = ? ORDER BY id`)
  const find = tariffById(db)
  return {
    listTariffs: async (accountId) => list.all(accountId).map(readTariff),
    findTariff: async (accountId, id) => find(accountId, id),
  }
}

/** The charge point's own tariff, else its account's (COST-L1), as a session keeps it. */
export function tariffInForce(db: Database): (accountId: string, chargePointId: string) => FrozenTariff | undefined {
  const find = db.prepare<[string, string], object>(`SELECT ${TARIFF_COLUMNS} FROM tariffs
    WHERE account_id = ? AND (charge_point_id = ? OR charge_point_id IS NULL) ORDER BY charge_point_id IS NULL LIMIT 1`)
  return (accountId, chargePointId) => {
    const row = find.get(accountId, chargePointId)
    if (!row) return undefined
    const { accountId: _a, chargePointId: _c, createdAt: _t, updatedAt: _u, ...frozen } = readTariff(row)
    return frozen
  }
}

function tariffById(db: Database): (accountId: string, id: string) => Tariff | undefined {
  const find = db.prepare<[string, string], object>(
    `SELECT ${TARIFF_COLUMNS} FROM tariffs WHERE account_id = ? AND id = ?`,
  )
  return (accountId, id) => {
    const row = find.get(accountId, id)
    return row && readTariff(row)
  }
}
