import type { Reads, SiteCounts } from '../../domain/ports/storage.ts'
import { present } from '../rows/present.ts'
import { caseless, SAYS_CHARGING } from './charge-point-lists.ts'
import type { Dialect } from './dialect.ts'
import { FAULTED } from './network.ts'
import { BY_START, ENDED, RUNNING } from './session-list.ts'
import { all, column, type Operations } from './work.ts'

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
