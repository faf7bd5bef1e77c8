/** The search filters in `/openapi.json`, described only: `domain/message-log/parse-filter.ts` decides (SEARCH-Q2). */
import { z } from '@hono/zod-openapi'
import { LIST_LIMIT, OPERATORS } from '../../domain/message-log/parse-filter.ts'

type Schema = Readonly<Record<string, unknown>>

const HOW = 'A scalar (equals), null (absent), a list (any of), or an object of operators that must all hold.'

const list = (items: Schema): Schema => ({ type: 'array', items, maxItems: LIST_LIMIT })

const described = (name: string, schema: Schema) =>
  z
    .unknown()
    .openapi(name, schema as never)
    .optional()

function filter(name: string, description: string, scalar: Schema, integer: Schema | undefined, example: object) {
  const operands = { scalar, list: list(scalar), integer, boolean: { type: 'boolean' } }
  const operators = Object.fromEntries(
    Object.entries(OPERATORS).flatMap(([operator, { takes }]) => {
      const operand = operands[takes]
      return operand ? [[operator, operand]] : []
    }),
  )
  return described(name, {
    description: `${description} ${HOW}`,
    anyOf: [
      scalar,
      { type: 'null' },
      list(scalar),
      { type: 'object', properties: operators, minProperties: 1, additionalProperties: false },
    ],
    example,
  })
}

const CONNECTOR = { type: 'integer', minimum: 0 }
const decimal = { type: 'string', pattern: '^(0|[1-9][0-9]*)$' }

export const connectorFilter = filter(
  'ConnectorFilter',
  'Integers of 0 or more.',
  { anyOf: [CONNECTOR, decimal] },
  CONNECTOR,
  { $gte: 1, $ne: 3 },
)

export const transactionFilter = filter(
  'TransactionFilter',
  'Compared as text; ranges match integers only.',
  { anyOf: [{ type: 'string', maxLength: 36 }, { type: 'integer' }] },
  { type: 'integer' },
  { $in: ['1001', '1002'] },
)

export const statusFilter = (statuses: readonly string[]) =>
  filter('StatusFilter', 'Of the exchange.', { type: 'string', enum: statuses }, undefined, ['error', 'timeout'])

/** Its texts are for reading: only whether there are any can be asked for. */
export const schemaErrorsFilter = described('SchemaErrorsFilter', {
  description: 'Rows that have schemaErrors, or with false (or null) those that have none.',
  anyOf: [
    {
      type: 'object',
      properties: { $exists: { type: 'boolean' } },
      required: ['$exists'],
      additionalProperties: false,
    },
    { type: 'null' },
  ],
  example: { $exists: true },
})

const METHOD = { type: 'string', maxLength: 100 }

export const methodNames = described('MethodNames', {
  description: 'OCPP message names; a single one may be given as text.',
  anyOf: [METHOD, list(METHOD)],
  example: ['StartTransaction', 'StopTransaction'],
})

const TIME = { type: 'string', format: 'date-time' }

export const createdAtFilter = described('CreatedAtFilter', {
  type: 'object',
  description: 'The window by operators that must all hold; not together with from and to.',
  properties: { $gte: TIME, $gt: TIME, $lte: TIME, $lt: TIME },
  minProperties: 1,
  additionalProperties: false,
  example: { $gte: '2026-07-01T00:00:00Z', $lt: '2026-08-01T00:00:00Z' },
})
