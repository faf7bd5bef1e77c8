/**
 * The log's search: every filter combination is one bounded scan of `commands_search` over the window (Q11), then the
 * rows of the page by id.
 */
import type { Database } from 'better-sqlite3'
import type { Command, CommandCount, CommandQuery, Reads } from '../../store.ts'
import { COMMAND_COLUMNS, type CommandRow, readCommand } from '../command-row.ts'
import { belowOf, logQueries } from './log-query.ts'
import { statementCache } from './statements.ts'

type Search = Pick<
  Reads,
  'findCommand' | 'searchCommands' | 'countCommands' | 'commandMethods' | 'oldestCommandId' | 'greatestCommandId'
>

const WINDOW = 'FROM commands_search WHERE charge_point = ? AND id >= ? AND id < ?'

/** The page's rows newest first; the subquery alone decides which. */
export const pageSql = (where: string, columns = COMMAND_COLUMNS): string =>
  `SELECT ${columns} FROM (SELECT id ${WINDOW} AND ${where} ORDER BY id DESC LIMIT ? OFFSET ?) AS hit
   CROSS JOIN commands AS command ON command.id = hit.id ORDER BY hit.id DESC`

/** Rows of the whole window that match: exact. */
export const countSql = (where: string): string => `SELECT count(*) AS hits ${WINDOW} AND ${where}`

/** Q9: the limit stands inside, before the filter, so it bounds the rows scanned and not the hits. */
export const boundedCountSql = (where: string): string =>
  `SELECT count(*) AS scanned, count(CASE WHEN ${where} THEN 1 END) AS hits, min(id) AS last
   FROM (SELECT id, method, connector_id, transaction_id, status, has_schema_errors ${WINDOW}
     ORDER BY id DESC LIMIT ?)`

export const methodsSql = `SELECT log_methods.name AS method, counted.count FROM
  (SELECT method, count(*) AS count ${WINDOW} GROUP BY method) AS counted
  JOIN log_methods ON log_methods.key = counted.method ORDER BY counted.count DESC, log_methods.name`

export function commandSearch(db: Database): Search {
  const prepared = statementCache(db)
  const { chargePointKey, translate } = logQueries(db)
  const find = db.prepare<[number, number], CommandRow>(
    `SELECT ${COMMAND_COLUMNS} FROM commands AS command WHERE id = ? AND charge_point = ?`,
  )
  const oldest = db
    .prepare<[number], number>('SELECT id FROM commands_search WHERE charge_point = ? ORDER BY id LIMIT 1')
    .pluck()
  const greatest = db.prepare<[], number | null>('SELECT max(id) FROM commands').pluck()

  const search = (query: CommandQuery): readonly Command[] => {
    const translated = translate(query)
    if (!translated) return []
    const { chargePoint, where, values } = translated
    const bounds = [chargePoint, query.fromId, belowOf(query)]
    const rows = prepared(pageSql(where)).all(...bounds, ...values, query.limit, query.offset ?? 0)
    return (rows as CommandRow[]).map((row) => readCommand(row, query.chargePointId))
  }

  const count = (query: CommandQuery, scanLimit: number | undefined): CommandCount => {
    const translated = translate(query)
    if (!translated) return { value: 0, isExact: true }
    const { chargePoint, where, values } = translated
    const window = [chargePoint, query.fromId, query.toId]
    if (scanLimit === undefined || !needsRows(query)) {
      const { hits } = prepared(countSql(where)).get(...window, ...values) as { readonly hits: number }
      return { value: hits, isExact: true }
    }
    const bounded = prepared(boundedCountSql(where)).get(...values, ...window, scanLimit) as BoundedCount
    const more = bounded.scanned >= scanLimit && hasMore(chargePoint, query.fromId, bounded.last ?? query.toId)
    return { value: bounded.hits, isExact: !more }
  }

  const hasMore = (chargePoint: number, fromId: number, below: number): boolean =>
    prepared(`SELECT 1 ${WINDOW} LIMIT 1`).get(chargePoint, fromId, below) !== undefined

  return {
    findCommand: async (chargePointId, id) => {
      const chargePoint = chargePointKey(chargePointId)
      const row = chargePoint === undefined ? undefined : find.get(id, chargePoint)
      return row && readCommand(row, chargePointId)
    },
    searchCommands: async (query) => search(query),
    countCommands: async (query, scanLimit) => count(query, scanLimit),
    commandMethods: async (chargePointId, fromId, toId) => {
      const chargePoint = chargePointKey(chargePointId)
      if (chargePoint === undefined) return []
      return prepared(methodsSql).all(chargePoint, fromId, toId) as { method: string; count: number }[]
    },
    oldestCommandId: async (chargePointId) => {
      const chargePoint = chargePointKey(chargePointId)
      return chargePoint === undefined ? undefined : oldest.get(chargePoint)
    },
    greatestCommandId: async () => greatest.get() ?? 0,
  }
}

interface BoundedCount {
  readonly scanned: number
  readonly hits: number
  readonly last: number | null
}

/** Counts of the window or of methods stay exact (Q9). */
function needsRows({ filter }: CommandQuery): boolean {
  const { connectorId, transactionId, status, schemaErrors } = filter
  return [connectorId, transactionId, status, schemaErrors].some((condition) => condition !== undefined)
}
