/** The log's search on one connection: each operation is one bounded scan of the index, then the rows of the page. */

import { addCsvLine, addNdjsonLine } from '../../../domain/message-log/csv.ts'
import { Utf8Text } from '../../../domain/message-log/utf8-text.ts'
import type { SearchFilter } from '../../../domain/ports/search-filter.ts'
import type { LogReads } from '../../../domain/ports/storage.ts'
import type {
  CommandCount,
  CommandQuery,
  ExportChunk,
  ExportFormat,
  LogPage,
  MethodCount,
  NetworkLogPage,
  NetworkLogQuery,
} from '../../../domain/ports/storage-queries.ts'
import type { Command } from '../../../domain/ports/storage-records.ts'
import { openPage } from '../../cold/log.ts'
import type { Value } from '../../cold/work.ts'
import { COMMAND_COLUMNS, type CommandRow, DIRECTIONS, readCommand } from '../../rows/command-row.ts'
import { type FilterSql, type FilterWords, filterTerms, needsRows, type Term } from '../../rows/filter-terms.ts'
import { containing, networkPage } from '../../rows/network-page.ts'
import { carryOut } from '../connection/pool.ts'
import type { Session } from '../connection/session.ts'
import { bind } from '../connection/text.ts'
import { postgresDialect } from '../dialect.ts'
import { searchedAs } from '../rows/read-rows.ts'

const WINDOW = `FROM commands WHERE charge_point = (SELECT key FROM log_charge_points WHERE name = ?)
  AND id >= ?::bigint AND id < ?::bigint`

/** The index alone finds the hits; only the page's rows are read. */
const page = (where: string): string => `WITH hit AS MATERIALIZED (SELECT charge_point, id ${WINDOW} AND ${where}
    ORDER BY id DESC LIMIT ?::bigint OFFSET ?::bigint)
  SELECT ${COMMAND_COLUMNS} FROM hit JOIN commands AS command ON command.charge_point = hit.charge_point AND command.id = hit.id
    AND command.id >= ?::bigint AND command.id < ?::bigint
  ORDER BY command.id DESC`

/** All charge points of an account, or one; not those deleted or now of another account. */
const networkPart = (where: string): string => `WITH hit AS MATERIALIZED (SELECT charge_point, id FROM commands
    WHERE charge_point = ANY(ARRAY(SELECT logged.key FROM charge_points AS mine
        JOIN log_charge_points AS logged ON logged.name = mine.id
        WHERE mine.account_id = ? AND mine.id = coalesce(?::text, mine.id)))
      AND id >= ?::bigint AND id < ?::bigint AND ${where}
    ORDER BY id DESC LIMIT ?::bigint)
  SELECT ${COMMAND_COLUMNS}, (SELECT name FROM log_charge_points WHERE key = command.charge_point) AS "chargePointId"
  FROM hit JOIN commands AS command ON command.charge_point = hit.charge_point AND command.id = hit.id
    AND command.id >= ?::bigint AND command.id < ?::bigint
  ORDER BY command.id DESC`

const HAS_TEXT = `(request ILIKE ? ESCAPE '\\' OR response ILIKE ? ESCAPE '\\' OR error ILIKE ? ESCAPE '\\')`

/** SEARCH-Q9: the limit is inside, before the filter, so it bounds the rows scanned and not the hits. */
const boundedCount = (where: string): string => `SELECT count(*) AS scanned, count(*) FILTER (WHERE ${where}) AS hits,
    min(id) AS last
  FROM (SELECT id, method, connector_id, transaction_number, transaction_text, status, has_schema_errors ${WINDOW}
    ORDER BY id DESC LIMIT ?::bigint) AS scanned`

const METHODS = `SELECT log_methods.name AS method, counted.count FROM
    (SELECT method, count(*) AS count ${WINDOW} GROUP BY method) AS counted
    JOIN log_methods ON log_methods.key = counted.method
  ORDER BY counted.count DESC, log_methods.name`

/** Per part of a search: a probe for each of thousands of charge points is a fifth of it. */
const PART_MS = 150

/** In memory at a time: a chunk ends where its rows are large. */
const READ_ROWS = 100
const FULL_BYTES = 4 * 1024 * 1024

/** @param salt as for `logIdToUuid` */
export function logReadsOn(session: Session, salt: bigint): LogReads {
  const ask = async <Row>(sql: string, values: readonly Value[]): Promise<readonly Row[]> => {
    const bound = bind({ sql, values })
    return (await session.rows<Row>(bound.text, bound.values)).rows
  }

  const searchCommands = async (query: CommandQuery): Promise<readonly Command[]> => {
    const filter = filterSql(query.filter)
    if (!filter || query.limit === 0) return []
    const { chargePointId, fromId, limit, offset = 0 } = query
    const below = Math.min(query.toId, query.belowId ?? query.toId)
    const values = [chargePointId, fromId, below, ...filter.values, limit, offset, fromId, below]
    const rows = await ask<CommandRow>(page(filter.where), values)
    return rows.map((row) => readCommand(row, chargePointId))
  }

  const searchNetwork = async (query: NetworkLogQuery): Promise<NetworkLogPage> => {
    const filter = filterSql(query.filter)
    if (!filter || query.limit === 0) return { rows: [] }
    const { accountId, chargePointId = null, direction, text } = query
    const isThatWay = direction === undefined ? 'TRUE' : `direction = ${DIRECTIONS.indexOf(direction)}`
    const sql = networkPart([filter.where, isThatWay, text === undefined ? 'TRUE' : HAS_TEXT].join(' AND '))
    const patterns = text === undefined ? [] : Array<string>(3).fill(containing(text))
    const page = networkPage(query, PART_MS)
    let asked = page.next()
    while (!asked.done) {
      const startedAt = performance.now()
      const { fromId, below, requested } = asked.value
      const values = [accountId, chargePointId, fromId, below, ...filter.values, ...patterns, requested, fromId, below]
      const rows = await ask<CommandRow & { readonly chargePointId: string }>(sql, values)
      const read = rows.map((row) => readCommand(row, row.chargePointId))
      asked = page.next({ rows: read, tookMs: performance.now() - startedAt })
    }
    return asked.value
  }

  const countCommands = async (query: CommandQuery, scanLimit?: number): Promise<CommandCount> => {
    const filter = filterSql(query.filter)
    if (!filter) return { value: 0, isExact: true }
    const { chargePointId, fromId, toId } = query
    if (scanLimit === undefined || !needsRows(query.filter)) {
      const sql = `SELECT count(*) AS hits ${WINDOW} AND ${filter.where}`
      const [row] = await ask<{ hits: number }>(sql, [chargePointId, fromId, toId, ...filter.values])
      return { value: row?.hits ?? 0, isExact: true }
    }
    const [row] = await ask<{ scanned: number; hits: number; last: number | null }>(boundedCount(filter.where), [
      ...filter.values,
      ...[chargePointId, fromId, toId, scanLimit],
    ])
    const { scanned = 0, hits = 0, last = null } = row ?? {}
    if (scanned < scanLimit || last === null) return { value: hits, isExact: true }
    const more = await ask(`SELECT 1 ${WINDOW} LIMIT 1`, [chargePointId, fromId, last])
    return { value: hits, isExact: more.length === 0 }
  }

  return {
    searchCommands,
    searchNetwork,
    countCommands,
    commandMethods: (chargePointId, fromId, toId) => ask<MethodCount>(METHODS, [chargePointId, fromId, toId]),
    async exportCommands(query, format: ExportFormat): Promise<ExportChunk> {
      const text = new Utf8Text()
      const addLine = format === 'csv' ? addCsvLine : addNdjsonLine
      let rows = 0
      let belowId = query.belowId
      for (;;) {
        const limit = Math.min(READ_ROWS, query.limit - rows)
        const read = await searchCommands({ ...query, limit, belowId })
        for (const command of read) addLine(text, command, salt)
        rows += read.length
        belowId = read.at(-1)?.id ?? belowId
        if (read.length < limit || limit === 0) return { text: text.take(), rows }
        if (rows < query.limit && text.byteLength < FULL_BYTES) continue
        const lastId = belowId ?? query.fromId
        const more = await searchCommands({ ...query, limit: 1, belowId: lastId })
        return { text: text.take(), rows, lastId: more.length > 0 ? lastId : undefined }
      }
    },
    async readLogPage(query): Promise<LogPage> {
      const { count } = query
      const opened = await carryOut(session, openPage(postgresDialect, query))
      if (!('asked' in opened)) return opened
      const { asked } = opened
      const window = { fromId: asked.fromId, toId: asked.toId }
      const rows = await searchCommands(asked)
      if (!count) return { window, rows }
      const startedAt = performance.now()
      const total = await countCommands(asked, count.scanLimit)
      return { window, rows, total, countMs: performance.now() - startedAt }
    },
  }
}

/** Undefined when no row can match. */
function filterSql(filter: SearchFilter): FilterSql | undefined {
  return filterTerms(filter, WORDS)
}

const ALWAYS: Term = { sql: 'TRUE', values: [] }
const NEVER: Term = { sql: 'FALSE', values: [] }

/** Also true where the column is NULL. */
function without(term: Term): Term {
  return term === NEVER ? ALWAYS : { sql: `((${term.sql}) IS NOT TRUE)`, values: term.values }
}

/** A list of values is one parameter, so empty ones are handled here. */
function listed<T>(among: (values: readonly T[]) => Term) {
  const some = (values: readonly T[]): Term => (values.length === 0 ? NEVER : among(values))
  return { in: some, nin: (values: readonly T[]): Term => without(some(values)) }
}

const IS_TRANSACTION = '(transaction_number IS NOT NULL OR transaction_text IS NOT NULL)'
const compare = (column: string) => (comparison: string, bound: number) => ({
  sql: `${column} ${comparison} ?::float8`,
  values: [bound],
})

const WORDS: FilterWords = {
  always: ALWAYS,
  never: NEVER,
  method: listed((names: readonly string[]) => ({
    sql: 'method = ANY(ARRAY(SELECT key FROM log_methods WHERE name = ANY(?::text[])))',
    values: [names],
  })),
  status: listed((keys: readonly number[]) => ({ sql: 'status = ANY(?::bigint[])', values: [keys.map(String)] })),
  connector: {
    ...listed((values: readonly number[]) => ({
      sql: 'connector_id = ANY(?::float8[])',
      values: [values.map(String)],
    })),
    exists: (value) => ({ sql: `connector_id IS ${value ? 'NOT ' : ''}NULL`, values: [] }),
    compare: compare('connector_id'),
  },
  transaction: {
    ...listed((ids: readonly string[]) => transactions(ids)),
    exists: (value) => ({ sql: value ? IS_TRANSACTION : `NOT ${IS_TRANSACTION}`, values: [] }),
    compare: compare('transaction_number'),
  },
  schemaErrors: (requested) => ({ sql: `has_schema_errors = ${requested ? 1 : 0}`, values: [] }),
}

/** Longer lists use a hash, which PostgreSQL does not make of a parameter by itself. */
const SHORT = 8

/** Spelled so that it becomes no join, which would read the log in another order. */
function among(column: string, type: 'bigint' | 'text', count: number): string {
  return count > SHORT ? `((${column} IN (SELECT unnest(?::${type}[]))) IS TRUE)` : `${column} = ANY(?::${type}[])`
}

function transactions(ids: readonly string[]): Term {
  const searched = ids.map(searchedAs)
  const texts = searched.flatMap(({ text }) => (text === null ? [] : [text]))
  const numbers = searched.flatMap(({ number, text }) => (text === null ? [String(number)] : []))
  const isNumber = {
    sql: `(transaction_text IS NULL AND ${among('transaction_number', 'bigint', numbers.length)})`,
    values: [numbers],
  }
  const isText = { sql: among('transaction_text', 'text', texts.length), values: [texts] }
  if (numbers.length === 0) return isText
  if (texts.length === 0) return isNumber
  return { sql: `(${isNumber.sql} OR ${isText.sql})`, values: [...isNumber.values, ...isText.values] }
}
