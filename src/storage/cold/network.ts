import type { Reads } from '../../domain/ports/storage.ts'
import type {
  AccountCounts,
  FaultedBy,
  FaultGroup,
  NetworkCounts,
  OfflineSite,
  SiteCounts,
} from '../../domain/ports/storage-queries.ts'
import { present } from '../rows/present.ts'
import { caseless, chargingIn, SAYS_CHARGING } from './charge-point-lists.ts'
import { CONNECTOR_COLUMNS, type ConnectorRow, connectorOf } from './charge-points.ts'
import { BY_START, ENDED, RUNNING } from './sessions.ts'
import { all, column, type Dialect, first, type Operations } from './work.ts'

const MAX_CARDS = 100_000
const QUARTER_MS = 900_000
export const FAULTED = `EXISTS (SELECT 1 FROM connectors c WHERE c.charge_point_id = p.id AND lower(c.status) = 'faulted')`

type Counted = Omit<NetworkCounts, 'powerMilliW' | 'runningSessions'>
type Running = Pick<NetworkCounts, 'powerMilliW' | 'runningSessions'>

export function networkReads(dialect: Dialect) {
  const { among, by, numberMember, textMember } = dialect
  const counts = `WITH p AS MATERIALIZED (SELECT id, account_id, registration_status = 'Pending' AS pending,
      ${among('id', '@online')} AS here FROM charge_points WHERE account_id = @accountId)
    SELECT count(*) AS "chargePoints", count(*) FILTER (WHERE pending) AS "pending",
      count(*) FILTER (WHERE here AND NOT pending) AS "online", count(*) FILTER (WHERE here AND ${FAULTED}) AS "faulted",
      count(*) FILTER (WHERE here AND ${chargingIn(dialect)}) AS "charging" FROM p`
  // The index holds only running sessions; the account's index has a million.
  const running = `SELECT count(*) AS "runningSessions", CAST(coalesce(sum(CASE WHEN state = 'charging'
      AND ${among('charge_point_id', '@online')} THEN power_milli_w END), 0) AS bigint) AS "powerMilliW"
    FROM sessions ${by('sessions_open')} WHERE account_id = @accountId AND ${RUNNING}`
  const counted = (table: string, more = ''): string =>
    `(SELECT count(*) FROM ${table} WHERE account_id = @accountId${more})`
  const lengths = `SELECT ${counted('charge_points')} AS "chargePoints",
    ${counted(`sessions ${by('sessions_open')}`, ` AND ${RUNNING}`)} AS "runningSessions",
    ${counted('tariffs')} AS "tariffs", ${counted('oauth_clients')} AS "clients", ${counted('users')} AS "users",
    (SELECT count(*) FROM (SELECT 1 FROM id_tokens WHERE account_id = @accountId LIMIT ${MAX_CARDS}) AS c) AS "idTokens",
    ${counted('webhook_subscriptions', ` AND status <> 'revoked'`)} AS "webhooks",
    ${counted('credentials', ' AND revoked_at IS NULL')} AS "credentials"`
  // A key is '=' and the site, '' for all. Ranked only where half is gone, to find who left in which order.
  const sites = `WITH p AS MATERIALIZED (SELECT '=' || (${textMember('p.labels', 'site')}) AS site,
      ${among('p.id', '@online')} AS here, ${numberMember('s.document', 'lastSeenAt')} AS seen
      FROM charge_points p JOIN charge_point_statuses s ON s.charge_point_id = p.id
      WHERE p.account_id = @accountId AND p.registration_status = 'Accepted' AND coalesce(p.disabled, 0) = 0),
    counted AS (SELECT site AS key, count(*) AS stations, count(*) FILTER (WHERE NOT here) AS offline
        FROM p WHERE seen > 0 AND site IS NOT NULL GROUP BY site
      UNION ALL SELECT '', count(*), count(*) FILTER (WHERE NOT here) FROM p WHERE seen > 0),
    half AS MATERIALIZED (SELECT * FROM counted WHERE offline > 0 AND offline * 2 >= stations),
    places AS MATERIALIZED (SELECT * FROM half WHERE key = '' OR NOT EXISTS (SELECT 1 FROM half WHERE key = '')
      ORDER BY offline DESC, key LIMIT @limit),
    lost AS (SELECT places.*, seen, row_number() OVER (PARTITION BY places.key ORDER BY seen) AS number
      FROM places JOIN (SELECT site AS key, seen, here FROM p UNION ALL SELECT '', seen, here FROM p) AS each_for_both
        ON each_for_both.key = places.key WHERE NOT here AND seen > 0)
    SELECT key AS "key", stations AS "stations", offline AS "offline", CAST(seen AS bigint) AS "since"
    FROM lost WHERE number = (stations + 1) / 2 ORDER BY offline DESC, key`
  const faults = `SELECT p.name AS "name", ${textMember('p.labels', 'site')} AS "site", ${CONNECTOR_COLUMNS}
     FROM charge_points p JOIN connectors c ON c.charge_point_id = p.id
     WHERE p.account_id = ? AND ${among('p.id', '?')} AND lower(c.status) = 'faulted'
     ORDER BY coalesce(c.since, c.updated_at) DESC, p.id, c.connector_key LIMIT ?`
  const names: Readonly<Record<FaultedBy, string>> = {
    error: `nullif(c.error_code, 'NoError')`,
    site: textMember('p.labels', 'site'),
    model: textMember('s.document', 'model'),
  }
  const faultGroups = (by: FaultedBy): string => `SELECT coalesce(${names[by]}, '') AS "name",
      count(DISTINCT p.id) AS "chargePoints", CAST(min(coalesce(c.since, c.updated_at)) AS bigint) AS "since"
    FROM charge_points p JOIN connectors c ON c.charge_point_id = p.id
    LEFT JOIN charge_point_statuses s ON s.charge_point_id = p.id
    WHERE p.account_id = @accountId AND ${among('p.id', '@online')} AND lower(c.status) = 'faulted'
    GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT @limit`
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
    *countAccount(accountId) {
      const none = { chargePoints: 0, runningSessions: 0, tariffs: 0, idTokens: 0, clients: 0, users: 0 }
      const found = yield* first<AccountCounts>(lengths, { accountId })
      return found ?? { ...none, webhooks: 0, credentials: 0 }
    },
    *listOfflineSites(accountId, online, limit) {
      type Site = Omit<OfflineSite, 'site'> & { readonly key: string }
      const found = yield* all<Site>(sites, { accountId, online, limit })
      return found.map(({ key, ...counts }) => present({ site: key === '' ? null : key.slice(1), ...counts }))
    },
    *listFaults(accountId, online, limit) {
      type Fault = ConnectorRow & { readonly name: string | null; readonly site: string | null }
      const found = yield* all<Fault>(faults, [accountId, online, limit])
      return found.map(({ name, site, ...connector }) =>
        present({ chargePointId: connector.chargePointId, name, site, connector: connectorOf(connector) }),
      )
    },
    *listFaultGroups(accountId, online, by, limit) {
      const found = yield* all<FaultGroup & { readonly name: string }>(faultGroups(by), { accountId, online, limit })
      return found.map(({ name, ...group }) => present({ name: name || null, ...group }))
    },
    *listEnergy(accountId, from, to) {
      type Slot = { readonly slot: number; readonly milliWh: number }
      const slots = [Math.ceil(from / QUARTER_MS), Math.ceil(to / QUARTER_MS)]
      const found = yield* all<Slot>(energy, [accountId, ...slots])
      return found.map(({ slot, milliWh }) => ({ from: slot * QUARTER_MS, milliWh }))
    },
  } satisfies Partial<Operations<Reads>>
}

export function siteReads({ among, anyContains, by, hasMember, textMember }: Dialect) {
  const site = textMember('labels', 'site')
  const counts = (
    narrowing: string,
  ): string => `WITH p AS MATERIALIZED (SELECT id, account_id, nullif(${site}, '') AS site,
      registration_status = 'Pending' AS pending, ${among('id', '@online')} AS here,
      registration_status = 'Accepted' AND coalesce(disabled, 0) = 0 AS expected
      FROM charge_points WHERE account_id = @accountId ${narrowing}),
    energy AS (SELECT charge_point_id, 0 AS charges, 0 AS milli_w, energy_milli_wh AS milli_wh FROM sessions ${by('sessions_begun')}
        WHERE account_id = @accountId AND ${ENDED} AND (${BY_START.at}) >= @since
      UNION ALL SELECT charge_point_id, CASE WHEN state = 'charging' THEN 1 ELSE 0 END,
        CASE WHEN state = 'charging' THEN power_milli_w ELSE 0 END,
        CASE WHEN (${BY_START.at}) >= @since THEN energy_milli_wh ELSE 0 END
        FROM sessions ${by('sessions_open')} WHERE account_id = @accountId AND ${RUNNING}),
    drawn AS MATERIALIZED (SELECT charge_point_id, sum(charges) AS charges, sum(milli_w) AS milli_w, sum(milli_wh) AS milli_wh
      FROM energy GROUP BY charge_point_id)
    SELECT site AS "site", count(*) AS "stations", count(*) FILTER (WHERE pending) AS "pending",
      count(*) FILTER (WHERE expected AND NOT here) AS "offline", count(*) FILTER (WHERE here AND ${FAULTED}) AS "faulted",
      count(*) FILTER (WHERE here AND (drawn.charges > 0 OR ${SAYS_CHARGING})) AS "charging",
      CAST(coalesce(sum(CASE WHEN here THEN drawn.milli_w END), 0) AS bigint) AS "powerMilliW",
      CAST(coalesce(sum(drawn.milli_wh), 0) AS bigint) AS "milliWh"
    FROM p LEFT JOIN drawn ON drawn.charge_point_id = p.id GROUP BY site`
  const ofAll = counts('')
  const ofOne = counts(`AND ${hasMember('labels', `'site'`, '@site')}`)
  const like = `SELECT DISTINCT site FROM (SELECT ${site} AS site FROM charge_points WHERE account_id = ?) AS labelled
    WHERE site <> '' AND ${anyContains('?', ['site'])} ORDER BY site LIMIT ?`
  return {
    *listSites({ site: one, ...query }) {
      type Row = Omit<SiteCounts, 'site'> & { readonly site: string | null }
      const found = yield* one === undefined ? all<Row>(ofAll, { ...query }) : all<Row>(ofOne, { ...query, site: one })
      return found.map(present)
    },
    *listSitesLike(accountId, text, limit) {
      return yield* column<string>(like, [accountId, caseless(text), limit])
    },
  } satisfies Partial<Operations<Reads>>
}
