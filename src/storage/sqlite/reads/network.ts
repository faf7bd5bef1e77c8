/** An account's network at a glance: counts, faults and energy. */
import type { Database } from 'better-sqlite3'
import type { NetworkCounts, Reads } from '../../../ports/storage.ts'
import { CHARGING, CONNECTOR_COLUMNS, type ConnectorRow, connectorOf } from './charge-points.ts'
import { RUNNING } from './session-list.ts'

const QUARTER_MS = 900_000
const FAULTED = `EXISTS (SELECT 1 FROM connectors c WHERE c.charge_point_id = p.id AND lower(c.status) = 'faulted')`

type Counted = Omit<NetworkCounts, 'powerMilliW' | 'runningSessions'>
type Running = Pick<NetworkCounts, 'powerMilliW' | 'runningSessions'>

export function networkReads(db: Database): Pick<Reads, 'countNetwork' | 'listFaults' | 'listEnergy'> {
  const counts = db.prepare<
    [string, string],
    Counted
  >(`WITH online AS MATERIALIZED (SELECT value AS id FROM json_each(?)),
    p AS MATERIALIZED (SELECT id, account_id, registration_status = 'Pending' AS pending, id IN (SELECT id FROM online) AS here
      FROM charge_points WHERE account_id = ?)
    SELECT count(*) AS chargePoints, total(pending) AS pending, total(here AND NOT pending) AS online,
      total(here AND ${FAULTED}) AS faulted, total(here AND ${CHARGING}) AS charging FROM p`)
  // The index holds only those that are not over; that of the account has a million.
  const running = db.prepare<[string, string], Running>(`SELECT count(*) AS runningSessions,
      total(CASE WHEN state = 'charging' AND charge_point_id IN (SELECT value FROM json_each(?)) THEN power_milli_w END)
        AS powerMilliW
    FROM sessions INDEXED BY sessions_open WHERE account_id = ? AND ${RUNNING}`)
  const faults = db.prepare<[string, string, number], ConnectorRow & { readonly name: string | null }>(
    `SELECT p.name AS name, ${CONNECTOR_COLUMNS} FROM charge_points p JOIN connectors c ON c.charge_point_id = p.id
     WHERE p.account_id = ? AND p.id IN (SELECT value FROM json_each(?)) AND lower(c.status) = 'faulted'
     ORDER BY coalesce(c.since, c.updated_at) DESC, p.id, c.connector_key LIMIT ?`,
  )
  const energy = db.prepare<[string, number, number], { readonly slot: number; readonly milliWh: number }>(
    `SELECT slot, milli_wh AS milliWh FROM energy_slots WHERE account_id = ? AND slot >= ? AND slot < ? ORDER BY slot`,
  )
  return {
    async countNetwork(accountId, online) {
      const ids = JSON.stringify(online)
      const counted = counts.get(ids, accountId) ?? { chargePoints: 0, pending: 0, online: 0, faulted: 0, charging: 0 }
      return { ...counted, ...(running.get(ids, accountId) ?? { powerMilliW: 0, runningSessions: 0 }) }
    },
    listFaults: async (accountId, online, limit) =>
      faults.all(accountId, JSON.stringify(online), limit).map(({ name, ...row }) => ({
        chargePointId: row.chargePointId,
        ...(name !== null && { name }),
        connector: connectorOf(row),
      })),
    listEnergy: async (accountId, from, to) =>
      energy
        .all(accountId, Math.ceil(from / QUARTER_MS), Math.ceil(to / QUARTER_MS))
        .map(({ slot, milliWh }) => ({ from: slot * QUARTER_MS, milliWh })),
  }
}
