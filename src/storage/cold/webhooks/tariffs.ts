import type { FrozenTariff } from '../../../domain/ports/sessions.ts'
import type { Tariff, WebhookReads, WebhookWrites } from '../../../domain/ports/storage-webhooks.ts'
import { all, change, first, type Operations, type Work } from '../work.ts'
import { readTariff, TARIFF_COLUMNS } from './rows.ts'

const INSERT = `INSERT INTO tariffs (id, account_id, charge_point_id, version, currency, per_kwh_micros,
    per_minute_micros, per_session_micros, idle_per_minute_micros, created_at, updated_at)
  VALUES (@tariffId, @accountId, @chargePointId, @version, @currency, @perKwhMicros, @perMinuteMicros,
    @perSessionMicros, @idlePerMinuteMicros, @createdAt, @updatedAt) ON CONFLICT DO NOTHING`
const UPDATE = `UPDATE tariffs SET version = version + 1, currency = @currency,
    per_kwh_micros = @perKwhMicros, per_minute_micros = @perMinuteMicros, per_session_micros = @perSessionMicros,
    idle_per_minute_micros = @idlePerMinuteMicros, updated_at = @at
  WHERE account_id = @accountId AND id = @id`
const FIND = `SELECT ${TARIFF_COLUMNS} FROM tariffs WHERE account_id = ? AND id = ?`
const LIST = `SELECT ${TARIFF_COLUMNS} FROM tariffs WHERE account_id = ? ORDER BY id`
const IN_FORCE = `SELECT ${TARIFF_COLUMNS} FROM tariffs
  WHERE account_id = ? AND (charge_point_id = ? OR charge_point_id IS NULL) ORDER BY charge_point_id IS NULL LIMIT 1`

export const tariffWrites: Operations<Pick<WebhookWrites, 'createTariff' | 'updateTariff' | 'deleteTariff'>> = {
  *createTariff({ chargePointId = null, ...tariff }) {
    return (yield* change(INSERT, { ...tariff, chargePointId })) === 1 ? 'created' : 'exists'
  },
  *updateTariff(accountId, id, rates, at) {
    yield* change(UPDATE, { ...rates, accountId, id, at })
    return yield* findTariff(accountId, id)
  },
  *deleteTariff(accountId, id) {
    return (yield* change('DELETE FROM tariffs WHERE account_id = ? AND id = ?', [accountId, id])) === 1
  },
}

export const tariffReads: Operations<Pick<WebhookReads, 'listTariffs' | 'findTariff'>> = {
  *listTariffs(accountId) {
    return (yield* all<object>(LIST, [accountId])).map(readTariff)
  },
  findTariff,
}

function* findTariff(accountId: string, id: string): Work<Tariff | undefined> {
  const found = yield* first<object>(FIND, [accountId, id])
  return found && readTariff(found)
}

/** The charge point's own tariff, else its account's (COST-L1), as a session keeps it. */
export function* tariffInForce(accountId: string, chargePointId: string): Work<FrozenTariff | undefined> {
  const found = yield* first<object>(IN_FORCE, [accountId, chargePointId])
  if (!found) return undefined
  const { accountId: _a, chargePointId: _c, createdAt: _t, updatedAt: _u, ...frozen } = readTariff(found)
  return frozen
}
