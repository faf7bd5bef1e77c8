/** The operators of a filter (SEARCH-Q2): parser, faults and OpenAPI follow from this table; a test checks the docs. */
import type { Condition } from '../ports/search-filter.ts'

interface Operator {
  /** What stands behind it. An integer only where the attribute has an order. */
  readonly takes: 'scalar' | 'list' | 'integer' | 'boolean'
  readonly op: Condition<unknown>['op']
}

export const OPERATORS = {
  $eq: { takes: 'scalar', op: 'in' },
  $ne: { takes: 'scalar', op: 'nin' },
  $in: { takes: 'list', op: 'in' },
  $nin: { takes: 'list', op: 'nin' },
  $gt: { takes: 'integer', op: 'gt' },
  $gte: { takes: 'integer', op: 'gte' },
  $lt: { takes: 'integer', op: 'lt' },
  $lte: { takes: 'integer', op: 'lte' },
  $exists: { takes: 'boolean', op: 'exists' },
} as const satisfies Readonly<Record<string, Operator>>

export function isOperator(name: string): name is keyof typeof OPERATORS {
  return Object.hasOwn(OPERATORS, name)
}

/** In the order of the table. @param ordered with those that only make sense where values have an order */
export function operatorNames(ordered: boolean): readonly string[] {
  return Object.entries(OPERATORS)
    .filter(([, { takes }]) => ordered || takes !== 'integer')
    .map(([name]) => name)
}
