/**
 * The search filter as SQL. The text depends only on the filter's shape (which attributes, which operators, one value
 * or several, numbers or texts, whether the texts begin alike), so statements can be kept prepared; values are always
 * bound, never part of the text.
 */
import type { Condition, SearchFilter } from '../../../domain/ports/search-filter.ts'
import { STATUSES } from '../../rows/command-row.ts'
import { searchedTransaction } from '../../rows/search-entry.ts'
import { isListedText } from './text-list.ts'

export interface FilterSql {
  /** A condition on the index's columns, `1` when everything matches. */
  readonly where: string
  readonly values: readonly (string | number)[]
}

interface Term {
  readonly sql: string
  readonly values: readonly (string | number)[]
}

const ALWAYS: Term = { sql: '1', values: [] }
const NEVER: Term = { sql: '0', values: [] }

/** Every number is less than every text. */
const IS_NUMBER = "transaction_id < ''"
/** Texts that are decimal integers all the same: with zeros in front, or too long to stand in the search as numbers. */
const IS_DIGITS = `transaction_id > '-' AND (transaction_id NOT GLOB '*[^0-9]*'
  OR transaction_id GLOB '-*' AND substr(transaction_id, 2) NOT GLOB '*[^0-9]*')`

/**
 * Entries older than the column have no value in it; only theirs are looked up in the log. Inside, `id` is the entry's:
 * the log's own has another name there.
 */
const HAS_SCHEMA_ERRORS = `coalesce(has_schema_errors,
  EXISTS (SELECT 1 FROM (SELECT id AS log_id, schema_errors FROM commands AS logged)
    WHERE log_id = id AND schema_errors IS NOT NULL))`

const COMPARISONS = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const

/**
 * `methodKey` says which number the log uses for a method's name; undefined when it never occurred.
 * Undefined when no row can match.
 */
export function filterSql(
  filter: SearchFilter,
  methodKey: (name: string) => number | undefined,
): FilterSql | undefined {
  const methods = filter.methods && oneOf('method', known(filter.methods, methodKey))
  const excluded = filter.excludeMethods && noneOf('method', known(filter.excludeMethods, methodKey))
  const terms = [
    methods,
    excluded,
    ...(filter.connectorId ?? []).map((condition) => attribute('connector_id', condition, connectorInRange)),
    ...(filter.status ?? []).map(status),
    // Late: comparing texts costs much, and SQLite keeps the order.
    ...(filter.transactionId ?? []).map((condition) =>
      attribute('transaction_id', spelledAsSearched(condition), transactionInRange),
    ),
    // After all others: an old entry costs a look into the log.
    filter.schemaErrors === undefined ? undefined : schemaErrors(filter.schemaErrors),
  ].filter((term) => term !== undefined && term !== ALWAYS)
  if (terms.includes(NEVER)) return undefined
  if (terms.length === 0) return { where: '1', values: [] }
  return {
    where: terms.map((term) => term?.sql).join(' AND '),
    values: terms.flatMap((term) => term?.values ?? []),
  }
}

type InRange = (comparison: string, bound: number) => Term

function attribute(column: string, condition: Condition<string | number>, inRange: InRange): Term {
  switch (condition.op) {
    case 'in':
      return oneOf(column, condition.values)
    case 'nin':
      return noneOf(column, condition.values)
    case 'exists':
      return { sql: `${column} IS ${condition.value ? 'NOT ' : ''}NULL`, values: [] }
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return inRange(COMPARISONS[condition.op], condition.value)
  }
}

function connectorInRange(comparison: string, bound: number): Term {
  return { sql: `connector_id ${comparison} ?`, values: [bound] }
}

/** The cast saturates at 2^63, so longer numbers still compare as large ones. */
function transactionInRange(comparison: string, bound: number): Term {
  const digits = `transaction_id >= '' AND CAST(transaction_id AS INTEGER) ${comparison} ? AND ${IS_DIGITS}`
  return { sql: `(transaction_id ${comparison} ? AND ${IS_NUMBER} OR ${digits})`, values: [bound, bound] }
}

function spelledAsSearched(condition: Condition<string>): Condition<string | number> {
  if (condition.op !== 'in' && condition.op !== 'nin') return condition
  return { op: condition.op, values: condition.values.map(searchedTransaction) }
}

/** Every row has a status, and statuses have no order. */
function status(condition: Condition<string>): Term {
  const key = (name: string): number | undefined => {
    const position = (STATUSES as readonly string[]).indexOf(name)
    return position < 0 ? undefined : position
  }
  switch (condition.op) {
    case 'in':
      return oneOf('status', known(condition.values, key))
    case 'nin':
      return noneOf('status', known(condition.values, key))
    case 'exists':
      return condition.value ? ALWAYS : NEVER
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return NEVER
  }
}

function schemaErrors(wanted: boolean): Term {
  return { sql: wanted ? HAS_SCHEMA_ERRORS : `NOT ${HAS_SCHEMA_ERRORS}`, values: [] }
}

function oneOf(column: string, values: readonly (string | number)[]): Term {
  const [first] = values
  if (first === undefined) return NEVER
  return values.length === 1 ? { sql: `${column} = ?`, values: [first] } : isListed(column, values)
}

/** So many numbers are compared one by one faster than looked up. */
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

function known(names: readonly string[], key: (name: string) => number | undefined): readonly number[] {
  return names.map(key).filter((found) => found !== undefined)
}
