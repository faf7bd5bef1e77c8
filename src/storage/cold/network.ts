/** An account's network at a glance: counts, faults and energy. */
import type { NetworkCounts, Reads } from '../../domain/ports/storage.ts'
import { CHARGING } from './charge-point-lists.ts'
import { CONNECTOR_COLUMNS, type ConnectorRow, connectorOf } from './charge-points.ts'
import type { Dialect } from './dialect.ts'
import { RUNNING } from './session-list.ts'
import { all, first, type Operations } from './work.ts'

const QUARTER_MS = 900_000
const FAULTED = `EXISTS (SELECT 1 FROM connectors c WHERE c.charge_point_id = p.id AND lower(c.status) = 'faulted')`

type Counted = Omit<NetworkCounts, 'powerMilliW' | 'runningSessions'>
type Running = Pick<NetworkCounts, 'powerMilliW' | 'runningSessions'>

export function networkReads({
  among,
  by,
}: Dialect): Operations<Pick<Reads, 'countNetwork' | 'listFaults' | 'listEnergy'>> {
  const counts = `WITH p AS MATERIALIZED (SELECT id, account_id, registration_status = 'Pending' AS pending,
      ${among('id', '@online')} AS here FROM charge_points WHERE account_id = @accountId)
    SELECT count(*) AS "chargePoints", count(*) FILTER (WHERE pending) AS "pending",
      count(*) FILTER (WHERE here AND NOT pending) AS "online", count(*) FILTER (WHERE here AND ${FAULTED}) AS "faulted",
      count(*) FILTER (WHERE here AND ${CHARGING}) AS "charging" FROM p`
  // The index holds only those that are not over; that of the account has a million.
  const running = `SELECT count(*) AS "runningSessions", CAST(coalesce(sum(CASE WHEN state = 'charging'
      AND ${among('charge_point_id', '@online')} THEN power_milli_w END), 0) AS bigint) AS "powerMilliW"
    FROM sessions ${by('sessions_open')} WHERE account_id = @accountId AND ${RUNNING}`
  const faults = `SELECT p.name AS "name", ${CONNECTOR_COLUMNS}
     FROM charge_points p JOIN connectors c ON c.charge_point_id = p.id
     WHERE p.account_id = ? AND ${among('p.id', '?')} AND lower(c.status) = 'faulted'
     ORDER BY coalesce(c.since, c.updated_at) DESC, p.id, c.connector_key LIMIT ?`
  const energy = `SELECT slot AS "slot", milli_wh AS "milliWh" FROM energy_slots
    WHERE account_id = ? AND slot >= ? AND slot < ? ORDER BY slot`
  return {
    *countNetwork(accountId, online) {
      const counted = yield* first<Counted>(counts, { accountId, online })
      return {
        ...(counted ?? { chargePoints: 0, pending: 0, online: 0, faulted: 0, charging: 0 }),
        ...((yield* first<Running>(running, { accountId, online })) ?? { powerMilliW: 0, runningSessions: 0 }),
      }
    },
    *listFaults(accountId, online, limit) {
      type Fault = ConnectorRow & { readonly name: string | null }
      const found = yield* all<Fault>(faults, [accountId, online, limit])
      return found.map(({ name, ...connector }) => ({
        chargePointId: connector.chargePointId,
        ...(name !== null && { name }),
        connector: connectorOf(connector),
      }))
    },
    *listEnergy(accountId, from, to) {
      type Slot = { readonly slot: number; readonly milliWh: number }
      const slots = [Math.ceil(from / QUARTER_MS), Math.ceil(to / QUARTER_MS)]
      const found = yield* all<Slot>(energy, [accountId, ...slots])
      return found.map(({ slot, milliWh }) => ({ from: slot * QUARTER_MS, milliWh }))
    },
  }
}
