/** One parser for the filters of v1 and v2 (SEARCH-Q2): from a client's request to what the storage engines take. */

import type { Condition, SearchFilter } from '../ports/search-filter.ts'
import type { CommandStatus } from '../ports/storage-records.ts'
import { type Fault, type Parsed, pointerTo } from './fault.ts'

export const LIST_LIMIT = 100
const TRANSACTION_ID_LENGTH = 36
const METHOD_LENGTH = 100
const STATUSES: readonly CommandStatus[] = ['pending', 'success', 'error', 'timeout', 'dropped']

interface FilterInput {
  readonly method?: unknown
  readonly excludeMethods?: unknown
  readonly connectorId?: unknown
  readonly transactionId?: unknown
  readonly status?: unknown
  readonly schemaErrors?: unknown
}

/** A scalar as the attribute stores it, or the reason why it cannot be one. */
type Scalar<T> = (value: unknown) => { readonly value: T } | { readonly reason: string }

interface Attribute<T> {
  readonly scalar: Scalar<T>
  readonly ranges: boolean
}

const connectorId: Attribute<number> = {
  ranges: true,
  scalar(value) {
    const number = typeof value === 'string' && /^(0|[1-9]\d*)$/.test(value) ? Number(value) : value
    const ok = typeof number === 'number' && Number.isSafeInteger(number) && number >= 0
    return ok ? { value: number + 0 } : { reason: 'must be an integer of 0 or more' }
  },
}

const transactionId: Attribute<string> = {
  ranges: true,
  scalar(value) {
    if (typeof value === 'string' && value.length <= TRANSACTION_ID_LENGTH) return { value }
    if (typeof value === 'number' && Number.isSafeInteger(value)) return { value: String(value + 0) }
    return {
      reason: `must be text of at most ${TRANSACTION_ID_LENGTH} characters or an integer (above 2^53 as text)`,
    }
  },
}

const status: Attribute<string> = {
  ranges: false,
  scalar(value) {
    const known = STATUSES.find((name) => name === value)
    return known === undefined ? { reason: `must be one of ${STATUSES.join(', ')}` } : { value: known }
  },
}

export function parseFilter(input: FilterInput): Parsed<SearchFilter> {
  const faults: Fault[] = []
  const report = (path: readonly string[], code: string, message: string): void => {
    faults.push({ pointer: pointerTo(...path), code, message })
  }
  const methods = names('method', input.method, report)
  const excludeMethods = names('excludeMethods', input.excludeMethods, report)
  const connectors = conditions('connectorId', input.connectorId, connectorId, report)
  const transactions = conditions('transactionId', input.transactionId, transactionId, report)
  const statuses = conditions('status', input.status, status, report)
  const schemaErrors = presence('schemaErrors', input.schemaErrors, report)
  if (faults.length > 0) return { ok: false, faults }
  return {
    ok: true,
    value: {
      ...(methods && { methods }),
      ...(excludeMethods && { excludeMethods }),
      ...(connectors && { connectorId: connectors }),
      ...(transactions && { transactionId: transactions }),
      ...(statuses && { status: statuses }),
      ...(schemaErrors !== undefined && { schemaErrors }),
    },
  }
}

type Report = (path: readonly string[], code: string, message: string) => void

function names(attribute: string, value: unknown, report: Report): readonly string[] | undefined {
  if (value === undefined) return undefined
  const list: unknown[] = Array.isArray(value) ? value : [value]
  if (list.length > LIST_LIMIT) report([attribute], 'too_many', `may list at most ${LIST_LIMIT} names`)
  const isName = (name: unknown): name is string => typeof name === 'string' && name.length <= METHOD_LENGTH
  list.forEach((name, index) => {
    if (isName(name)) return
    const path = Array.isArray(value) ? [attribute, String(index)] : [attribute]
    report(path, 'invalid_filter', 'must be an OCPP message name such as StartTransaction')
  })
  return list.filter(isName)
}

/** Of an attribute that is only present or absent: its values are never compared. */
function presence(attribute: string, value: unknown, report: Report): boolean | undefined {
  if (value === undefined) return undefined
  if (value === null) return false
  const operators = typeof value === 'object' && !Array.isArray(value) ? Object.entries(value) : []
  if (operators.length === 0) {
    report([attribute], 'invalid_filter', 'must be {"$exists": true} or {"$exists": false}: the texts are not searched')
  }
  let desired: boolean | undefined
  for (const [operator, operand] of operators) {
    const path = [attribute, operator]
    if (operator !== '$exists') report(path, 'unknown_operator', `is no operator of ${attribute}; there is $exists`)
    else if (typeof operand === 'boolean') desired = operand
    else report(path, 'invalid_filter', 'must be true or false')
  }
  return desired
}

function conditions<T>(
  attribute: string,
  value: unknown,
  kind: Attribute<T>,
  report: Report,
): readonly Condition<T>[] | undefined {
  if (value === undefined) return undefined
  if (value === null) return [{ op: 'exists', value: false }]
  if (Array.isArray(value)) return membership('in', listed(value, [attribute], report), kind.scalar, report)
  if (typeof value !== 'object') return membership('in', [{ value, path: [attribute] }], kind.scalar, report)
  const operators = Object.entries(value)
  if (operators.length === 0) report([attribute], 'invalid_filter', 'must name at least one operator')
  return operators.flatMap(([operator, operand]) => condition([attribute, operator], operand, kind, report))
}

function condition<T>(
  path: readonly [string, string],
  operand: unknown,
  kind: Attribute<T>,
  report: Report,
): readonly Condition<T>[] {
  const name = path[1]
  if (!isOperator(name)) {
    report(path, 'unknown_operator', `is no operator; there are ${inWords(operatorNames(true), 'and')}`)
    return []
  }
  const operator = OPERATORS[name]
  switch (operator.takes) {
    case 'scalar':
      return membership(operator.op, [{ value: operand, path }], kind.scalar, report)
    case 'list':
      if (Array.isArray(operand)) return membership(operator.op, listed(operand, path, report), kind.scalar, report)
      report(path, 'invalid_filter', 'must be a list')
      return []
    case 'integer':
      if (!kind.ranges) report(path, 'invalid_filter', `has no order: use ${inWords(operatorNames(false), 'or')}`)
      else if (!isInteger(operand)) report(path, 'invalid_filter', 'must be an integer')
      else {
        const read = kind.scalar(operand)
        if ('value' in read) return [{ op: operator.op, value: operand + 0 }]
        report(path, 'invalid_filter', read.reason)
      }
      return []
    case 'boolean':
      if (typeof operand === 'boolean') return [{ op: operator.op, value: operand }]
      report(path, 'invalid_filter', 'must be true or false')
      return []
  }
}

function inWords(names: readonly string[], last: 'and' | 'or'): string {
  return `${names.slice(0, -1).join(', ')} ${last} ${names.at(-1)}`
}

function isInteger(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value)
}

interface Operand {
  readonly value: unknown
  readonly path: readonly string[]
}

function listed(list: readonly unknown[], path: readonly string[], report: Report): readonly Operand[] {
  if (list.length > LIST_LIMIT) report(path, 'too_many', `may list at most ${LIST_LIMIT} values`)
  return list.map((value, index) => ({ value, path: [...path, String(index)] }))
}

function membership<T>(
  op: 'in' | 'nin',
  operands: readonly Operand[],
  scalar: Scalar<T>,
  report: Report,
): readonly Condition<T>[] {
  const values: T[] = []
  for (const { value, path } of operands) {
    const read = scalar(value)
    if ('value' in read) values.push(read.value)
    else report(path, 'invalid_filter', read.reason)
  }
  return [{ op, values }]
}

/** The operators of a filter (SEARCH-Q2): parser, faults and OpenAPI follow from this table; a test checks the docs. */
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

function isOperator(name: string): name is keyof typeof OPERATORS {
  return Object.hasOwn(OPERATORS, name)
}

/** In the order of the table. @param ordered with those that only make sense where values have an order */
export function operatorNames(ordered: boolean): readonly string[] {
  return Object.entries(OPERATORS)
    .filter(([, { takes }]) => ordered || takes !== 'integer')
    .map(([name]) => name)
}
