import { COMMAND_COLUMNS } from '../../rows/command-row.ts'

/** The one range of the search's index that a statement scans (SEARCH-Q11). */
export const WINDOW = 'FROM commands_search WHERE charge_point = ? AND id >= ? AND id < ?'

export const hitsSql = (where: string): string => `SELECT id ${WINDOW} AND ${where} ORDER BY id DESC LIMIT ? OFFSET ?`

/** A range of the index for each charge point. */
export const networkHitsSql = (where: string): string =>
  `SELECT id FROM commands_search
   WHERE charge_point IN (SELECT value FROM json_each(?)) AND id >= ? AND id < ? AND ${where}
   ORDER BY id DESC LIMIT ?`

export const pageSql = (columns = COMMAND_COLUMNS): string =>
  `SELECT ${columns} FROM (${hitsSql('1')}) AS hit
   CROSS JOIN commands AS command ON command.id = hit.id ORDER BY hit.id DESC`

export const rowsSql = (columns = COMMAND_COLUMNS): string =>
  `SELECT ${columns} FROM commands AS command WHERE command.id IN (SELECT value FROM json_each(?)) ORDER BY command.id DESC`

/** Exact, over the whole window. */
export const countSql = (where: string): string => `SELECT count(*) AS hits ${WINDOW} AND ${where}`

/** SEARCH-Q9: the limit is inside, before the filter, so it bounds the rows scanned and not the hits. */
export const boundedCountSql = (where: string): string =>
  `SELECT count(*) AS scanned, count(CASE WHEN ${where} THEN 1 END) AS hits, min(id) AS last
   FROM (SELECT id, method, connector_id, transaction_id, status, has_schema_errors ${WINDOW}
     ORDER BY id DESC LIMIT ?)`

export const methodsSql = `SELECT log_methods.name AS method, counted.count FROM
  (SELECT method, count(*) AS count ${WINDOW} GROUP BY method) AS counted
  JOIN log_methods ON log_methods.key = counted.method`
