/**
 * The algebra of the log's filter (SEARCH-Q2): which terms must hold, cheapest first. Their SQL is the engine's. The
 * text depends only on the filter's shape, so statements stay prepared; values are bound.
 */
import type { Condition, SearchFilter } from '../../domain/ports/search-filter.ts'
import type { Value } from '../cold/work.ts'
import { STATUSES } from './command-row.ts'

/** A condition on the columns of the log's index, and the values of its parameters. */
export interface Term {
  readonly sql: string
  readonly values: readonly Value[]
}

export interface FilterSql {
  readonly where: string
  readonly values: readonly Value[]
}

/** Terms about one attribute; `always` and `never` where a list is empty. */
interface Attribute<T> {
  readonly in: (values: readonly T[]) => Term
  /** Also true where the attribute is absent. */
  readonly nin: (values: readonly T[]) => Term
  readonly exists: (value: boolean) => Term
  readonly compare: (comparison: string, bound: number) => Term
}

export interface FilterWords {
  readonly always: Term
  readonly never: Term
  readonly method: Pick<Attribute<string>, 'in' | 'nin'>
  /** By the number of the status. */
  readonly status: Pick<Attribute<number>, 'in' | 'nin'>
  readonly connector: Attribute<number>
  readonly transaction: Attribute<string>
  readonly schemaErrors: (requested: boolean) => Term
}

const COMPARISONS = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const

/** Undefined when no row can match. */
export function filterTerms(filter: SearchFilter, words: FilterWords): FilterSql | undefined {
  const { always, never, method, connector, transaction } = words
  const terms = [
    filter.methods && method.in(filter.methods),
    filter.excludeMethods && method.nin(filter.excludeMethods),
    ...(filter.connectorId ?? []).map((condition) => term(connector, condition)),
    ...(filter.status ?? []).map((condition) => statusTerm(words, condition)),
    // Late: comparing texts costs much, and engines keep the order.
    ...(filter.transactionId ?? []).map((condition) => term(transaction, condition)),
    // Last: an old entry costs a look-up in the log.
    filter.schemaErrors === undefined ? undefined : words.schemaErrors(filter.schemaErrors),
  ].filter((one): one is Term => one !== undefined && one !== always)
  if (terms.includes(never)) return undefined
  if (terms.length === 0) return { where: always.sql, values: [] }
  return { where: terms.map(({ sql }) => sql).join(' AND '), values: terms.flatMap(({ values }) => values) }
}

/** Counts of the window or of methods stay exact (SEARCH-Q9). */
export function needsRows({ connectorId, transactionId, status, schemaErrors }: SearchFilter): boolean {
  return [connectorId, transactionId, status, schemaErrors].some((condition) => condition !== undefined)
}

function term<T>(attribute: Attribute<T>, condition: Condition<T>): Term {
  switch (condition.op) {
    case 'in':
      return attribute.in(condition.values)
    case 'nin':
      return attribute.nin(condition.values)
    case 'exists':
      return attribute.exists(condition.value)
    default:
      return attribute.compare(COMPARISONS[condition.op], condition.value)
  }
}

/** Every row has a status, and statuses have no order. */
function statusTerm(words: FilterWords, condition: Condition<string>): Term {
  const { always, never, status } = words
  const keyed = (names: readonly string[]): readonly number[] =>
    names.map((name) => (STATUSES as readonly string[]).indexOf(name)).filter((key) => key >= 0)
  return term(
    {
      in: (names: readonly string[]) => status.in(keyed(names)),
      nin: (names: readonly string[]) => status.nin(keyed(names)),
      exists: (value) => (value ? always : never),
      compare: () => never,
    },
    condition,
  )
}
