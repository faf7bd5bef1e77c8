/** The search filter in SQLite's words. Its text depends on counts, types, and common beginnings of texts. */
import type { SearchFilter } from '../../../domain/ports/search-filter.ts'
import { COMMAND_COLUMNS, searchedTransaction } from '../../rows/command-row.ts'
import { type FilterSql, filterTerms, type Term } from '../../rows/filter-terms.ts'

const ALWAYS: Term = { sql: '1', values: [] }
const NEVER: Term = { sql: '0', values: [] }

/** Every number is less than every text. */
const IS_NUMBER = "transaction_id < ''"
/** Decimal texts that are not stored as numbers: with leading zeros, or too long. */
const IS_DIGITS = `transaction_id > '-' AND (transaction_id NOT GLOB '*[^0-9]*'
  OR transaction_id GLOB '-*' AND substr(transaction_id, 2) NOT GLOB '*[^0-9]*')`

/** Entries older than the column have NULL; those are looked up in the log. Inside, `id` is the entry's. */
const HAS_SCHEMA_ERRORS = `coalesce(has_schema_errors,
  EXISTS (SELECT 1 FROM (SELECT id AS log_id, schema_errors FROM commands AS logged)
    WHERE log_id = id AND schema_errors IS NOT NULL))`

/**
 * `where` is `1` when everything matches.
 * @param methodKey a method's number in the log; undefined: it never occurred @returns undefined when no row can match
 */
export function filterSql(
  filter: SearchFilter,
  methodKey: (name: string) => number | undefined,
): FilterSql | undefined {
  const keyed = (names: readonly string[]): readonly number[] =>
    names.map(methodKey).filter((found) => found !== undefined)
  return filterTerms(filter, {
    always: ALWAYS,
    never: NEVER,
    method: { in: (names) => oneOf('method', keyed(names)), nin: (names) => noneOf('method', keyed(names)) },
    status: listed('status'),
    connector: {
      ...listed('connector_id'),
      compare: (comparison, bound) => ({ sql: `connector_id ${comparison} ?`, values: [bound] }),
    },
    transaction: {
      exists: listed('transaction_id').exists,
      in: (ids) => oneOf('transaction_id', ids.map(searchedTransaction)),
      nin: (ids) => noneOf('transaction_id', ids.map(searchedTransaction)),
      compare: transactionInRange,
    },
    schemaErrors: (requested) => ({ sql: requested ? HAS_SCHEMA_ERRORS : `NOT ${HAS_SCHEMA_ERRORS}`, values: [] }),
  })
}

function listed(column: string) {
  return {
    in: (values: readonly number[]) => oneOf(column, values),
    nin: (values: readonly number[]) => noneOf(column, values),
    exists: (value: boolean): Term => ({ sql: `${column} IS ${value ? 'NOT ' : ''}NULL`, values: [] }),
  }
}

/** The cast saturates at 2^63, so longer numbers still compare as large ones. */
function transactionInRange(comparison: string, bound: number): Term {
  const digits = `transaction_id >= '' AND CAST(transaction_id AS INTEGER) ${comparison} ? AND ${IS_DIGITS}`
  return { sql: `(transaction_id ${comparison} ? AND ${IS_NUMBER} OR ${digits})`, values: [bound, bound] }
}

function oneOf(column: string, values: readonly (string | number)[]): Term {
  const [first] = values
  if (first === undefined) return NEVER
  return values.length === 1 ? { sql: `${column} = ?`, values: [first] } : isListed(column, values)
}

/** Up to this many numbers are compared one by one faster than looked up. */
const FEW = 4

/** Also true where the column is NULL. `NOT IN` would take half as long again. */
function noneOf(column: string, values: readonly (string | number)[]): Term {
  const [first] = values
  if (first === undefined) return ALWAYS
  if (values.length === 1) return { sql: `${column} IS NOT ?`, values: [first] }
  if (values.length <= FEW && values.every((value) => typeof value === 'number')) {
    return { sql: values.map(() => `${column} IS NOT ?`).join(' AND '), values }
  }
  const listed = isListed(column, values)
  return { ...listed, sql: `(${listed.sql}) IS NOT TRUE` }
}

function isListed(column: string, values: readonly (string | number)[]): Term {
  const texts = values.filter((value) => typeof value === 'string')
  const numbers = values.filter((value) => typeof value === 'number')
  const isText = isListedText(column, texts)
  if (numbers.length === 0) return isText
  const isNumber = { sql: `${column} IN (SELECT value FROM json_each(?))`, values: [JSON.stringify(numbers)] }
  if (texts.length === 0) return isNumber
  return { sql: `(${isNumber.sql} OR ${isText.sql})`, values: [...isNumber.values, ...isText.values] }
}

/** `sql` is true, false or, for an absent text, NULL. */
export function isListedText(column: string, values: readonly string[]) {
  const list = JSON.stringify(values)
  const listed = `${column} IN (SELECT value FROM json_each(?))`
  if (beginWithManyNumbers(values)) {
    const number = `CAST(${column} AS INTEGER) IN (SELECT CAST(value AS INTEGER) FROM json_each(?))`
    return { sql: `(${number} AND ${listed})`, values: [list, list] }
  }
  const range = narrowRange(values)
  if (!range) return { sql: listed, values: [list] }
  return { sql: `(${column} BETWEEN ? AND ? AND ${listed})`, values: [...range, list] }
}

/** Equal texts begin with equal numbers; the more numbers there are, the fewer other texts share one of them. */
function beginWithManyNumbers(texts: readonly string[]): boolean {
  const numbers = texts.map((text) => /^[+-]?\d+/.exec(text)?.[0]).filter((number) => number !== undefined)
  return new Set(numbers).size >= texts.length / 2
}

/** First and last in SQLite's order. Undefined without a common beginning: most texts would lie between. */
function narrowRange(texts: readonly string[]): readonly [first: string, last: string] | undefined {
  const sorted = texts.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
  const [first = '', last = ''] = [sorted[0], sorted.at(-1)]
  return first !== '' && first.charAt(0) === last.charAt(0) ? [first, last] : undefined
}

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
