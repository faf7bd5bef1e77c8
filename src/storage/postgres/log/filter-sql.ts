/** The search filter in PostgreSQL's words. All columns are in the index, so a scan need not look at the rows. */
import type { SearchFilter } from '../../../domain/ports/search-filter.ts'
import type { Value } from '../../cold/work.ts'
import { type FilterSql, type FilterWords, filterTerms, type Term } from '../../rows/filter-terms.ts'
import { searchedAs } from '../rows/searched-transaction.ts'

/** Undefined when no row can match. */
export function filterSql(filter: SearchFilter): FilterSql | undefined {
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

const WORDS: FilterWords<Value> = {
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
