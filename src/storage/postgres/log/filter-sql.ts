/**
 * The search filter as SQL. The text depends only on the filter's shape, so statements stay prepared; values are always
 * bound. All columns stand in the index, so a scan need not look at the rows.
 */
import type { Condition, SearchFilter } from '../../../domain/ports/search-filter.ts'
import type { Value } from '../../cold/work.ts'
import { STATUSES } from '../../rows/command-row.ts'
import { searchedAs } from '../rows/searched-transaction.ts'

export interface FilterSql {
  /** `TRUE` when everything matches. */
  readonly where: string
  readonly values: readonly Value[]
}

interface Term {
  readonly sql: string
  readonly values: readonly Value[]
}

const ALWAYS: Term = { sql: 'TRUE', values: [] }
const NEVER: Term = { sql: 'FALSE', values: [] }
const COMPARISONS = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const

/** Undefined when no row can match. */
export function filterSql(filter: SearchFilter): FilterSql | undefined {
  const terms = [
    filter.methods && methods(filter.methods),
    filter.excludeMethods && without(methods(filter.excludeMethods)),
    ...(filter.connectorId ?? []).map(connector),
    ...(filter.status ?? []).map(status),
    ...(filter.transactionId ?? []).map(transaction),
    filter.schemaErrors === undefined
      ? undefined
      : { sql: `has_schema_errors = ${filter.schemaErrors ? 1 : 0}`, values: [] },
  ].filter((term) => term !== undefined && term !== ALWAYS) as readonly Term[]
  if (terms.includes(NEVER)) return undefined
  if (terms.length === 0) return { where: 'TRUE', values: [] }
  return { where: terms.map(({ sql }) => sql).join(' AND '), values: terms.flatMap(({ values }) => values) }
}

function methods(names: readonly string[]): Term {
  if (names.length === 0) return NEVER
  return { sql: 'method = ANY(ARRAY(SELECT key FROM log_methods WHERE name = ANY(?::text[])))', values: [names] }
}

/** Also true where the column is NULL. */
function without(term: Term): Term {
  if (term === NEVER) return ALWAYS
  if (term === ALWAYS) return NEVER
  return { sql: `((${term.sql}) IS NOT TRUE)`, values: term.values }
}

function connector(condition: Condition<number>): Term {
  switch (condition.op) {
    case 'in':
      return connectors(condition.values)
    case 'nin':
      return without(connectors(condition.values))
    case 'exists':
      return { sql: `connector_id IS ${condition.value ? 'NOT ' : ''}NULL`, values: [] }
    default:
      return { sql: `connector_id ${COMPARISONS[condition.op]} ?::float8`, values: [condition.value] }
  }
}

function connectors(values: readonly number[]): Term {
  if (values.length === 0) return NEVER
  return { sql: 'connector_id = ANY(?::float8[])', values: [values.map(String)] }
}

/** Every row has a status, and statuses have no order. */
function status(condition: Condition<string>): Term {
  const keys = (names: readonly string[]): Term => {
    const known = names.map((name) => (STATUSES as readonly string[]).indexOf(name)).filter((key) => key >= 0)
    return known.length === 0 ? NEVER : { sql: 'status = ANY(?::bigint[])', values: [known.map(String)] }
  }
  switch (condition.op) {
    case 'in':
      return keys(condition.values)
    case 'nin':
      return without(keys(condition.values))
    case 'exists':
      return condition.value ? ALWAYS : NEVER
    default:
      return NEVER
  }
}

function transaction(condition: Condition<string>): Term {
  switch (condition.op) {
    case 'in':
      return transactions(condition.values)
    case 'nin':
      return without(transactions(condition.values))
    case 'exists': {
      const found = '(transaction_number IS NOT NULL OR transaction_text IS NOT NULL)'
      return { sql: condition.value ? found : `NOT ${found}`, values: [] }
    }
    default:
      return { sql: `transaction_number ${COMPARISONS[condition.op]} ?::float8`, values: [condition.value] }
  }
}

/** Longer lists are looked up by a hash, which PostgreSQL does not make of a parameter by itself. */
const SHORT = 8

/** In a form of which no join is made, as that would read the log in another order. */
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
  if (numbers.length === 0) return texts.length === 0 ? NEVER : isText
  if (texts.length === 0) return isNumber
  return { sql: `(${isNumber.sql} OR ${isText.sql})`, values: [...isNumber.values, ...isText.values] }
}
