import { z } from '@hono/zod-openapi'
import { LIST_LIMIT, OPERATORS } from '../../domain/message-log/parse-filter.ts'
import { SKIP_LIMIT } from '../../domain/message-log/v1.ts'
import { PAGE_DEFAULT, PAGE_LIMIT, queryInstant, queryInteger, time } from './common.ts'

/** The search filters in `/openapi.json`, described only: `domain/message-log/parse-filter.ts` decides (SEARCH-Q2). */
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

const connectorFilter = filter(
  'ConnectorFilter',
  'Integers of 0 or more.',
  { anyOf: [CONNECTOR, decimal] },
  CONNECTOR,
  { $gte: 1, $ne: 3 },
)

const transactionFilter = filter(
  'TransactionFilter',
  'Compared as text; ranges match integers only.',
  { anyOf: [{ type: 'string', maxLength: 36 }, { type: 'integer' }] },
  { type: 'integer' },
  { $in: ['1001', '1002'] },
)

const statusFilter = (statuses: readonly string[]) =>
  filter('StatusFilter', 'Of the exchange.', { type: 'string', enum: statuses }, undefined, ['error', 'timeout'])

/** Its texts are for reading: only whether there are any can be asked for. */
const schemaErrorsFilter = described('SchemaErrorsFilter', {
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

const methodNames = described('MethodNames', {
  description: 'OCPP message names; a single one may be given as text.',
  anyOf: [METHOD, list(METHOD)],
  example: ['StartTransaction', 'StopTransaction'],
})

const TIME = { type: 'string', format: 'date-time' }

const createdAtFilter = described('CreatedAtFilter', {
  type: 'object',
  description: 'The window by operators that must all hold; not together with from and to.',
  properties: { $gte: TIME, $gt: TIME, $lte: TIME, $lt: TIME },
  minProperties: 1,
  additionalProperties: false,
  example: { $gte: '2026-07-01T00:00:00Z', $lt: '2026-08-01T00:00:00Z' },
})

const STATUS = ['pending', 'success', 'error', 'timeout', 'dropped'] as const

const row = {
  id: z.string(),
  evseControllerId: z.string(),
  method: z.string().openapi({ description: 'OCPP message name.' }),
  direction: z.enum(['in', 'out']).openapi({ description: '`in`: from the charge point. `out`: to it.' }),
  messageId: z.string(),
  protocol: z.string(),
  connectorId: z.int().optional(),
  evseId: z.int().optional(),
  transactionId: z.string().optional(),
  request: z
    .unknown()
    .refine((payload) => payload !== undefined)
    .openapi({ description: 'As it crossed the wire; secrets are masked.' }),
  response: z.unknown().optional().openapi({ description: 'As it crossed the wire.' }),
  error: z.strictObject({ code: z.string(), description: z.string(), details: z.unknown().optional() }).optional(),
  createdAt: time(),
  answeredAt: time().optional(),
  schemaErrors: z
    .array(z.string())
    .optional()
    .openapi({ description: 'What the official schema objects to in a message that was accepted, or in its answer.' }),
}

const rowV2 = {
  ...row,
  id: z.uuidv7(),
  status: z.enum(STATUS).openapi({
    description:
      'Of the exchange: pending = unanswered, success = CALLRESULT, error = CALLERROR, timeout, dropped = never sent or connection lost.',
  }),
}

export const CommandSchema = z.strictObject(rowV2).openapi('Command')

export const SentCommandSchema = z
  .strictObject({
    ...rowV2,
    parts: z.array(z.uuidv7()).optional().openapi({
      description:
        'It was longer than the charge point takes at once: the commands that it was sent in, in their order.',
    }),
    warnings: z.array(z.string()).optional().openapi({
      description: 'Why a charge point is expected to reject it: requirements of OCPP that it does not keep.',
    }),
  })
  .openapi('SentCommand')

const CommandV1Schema = z.strictObject({ ...row, id: z.string().regex(/^[0-9a-f]{24}$/) }).openapi('CommandV1')

export const SearchPageSchema = z
  .strictObject({
    data: z.array(CommandSchema),
    meta: z.strictObject({
      nextCursor: z.string().optional().openapi({ description: 'Present while rows remain.' }),
      total: z
        .strictObject({ value: z.int(), isExact: z.boolean() })
        .optional()
        .openapi({ description: 'Present when count is true. isExact false: at least this many.' }),
    }),
  })
  .openapi('CommandPage')

export const SearchPageV1Schema = z
  .strictObject({ data: z.array(CommandV1Schema), meta: z.strictObject({ total: z.int() }) })
  .openapi('CommandPageV1')

/** SEARCH-V2. */
export const PAGE_DEFAULT_V1 = 50

/** Its default stands in the words: generators take a `default` for a member that is always sent. */
const bodyLimit = (otherwise: number) =>
  z
    .int()
    .min(1)
    .max(PAGE_LIMIT)
    .optional()
    .openapi({ description: `Rows per page, ${otherwise} unless given.` })

export const SearchSchema = z
  .strictObject({
    from: z.string().openapi({ format: 'date-time', description: 'Inclusive start of the window, RFC 3339.' }),
    to: z
      .string()
      .optional()
      .openapi({ format: 'date-time', description: 'Exclusive end of the window; now unless given.' }),
    method: methodNames,
    excludeMethods: methodNames,
    connectorId: connectorFilter,
    transactionId: transactionFilter,
    status: statusFilter(STATUS),
    schemaErrors: schemaErrorsFilter,
    limit: bodyLimit(PAGE_DEFAULT),
    cursor: z
      .string()
      .optional()
      .openapi({ description: '`meta.nextCursor` of the page before; the rest of the body must stay the same.' }),
    count: z.boolean().optional().openapi({ description: 'Adds meta.total; send it on the first request only.' }),
    format: z.enum(['csv']).optional().openapi({ description: '`csv` streams every matching row.' }),
  })
  .openapi('CommandSearch')

export const SearchV1Schema = z
  .strictObject({
    skip: z.int().min(0).max(SKIP_LIMIT).optional().openapi({ description: 'Rows to leave out; 0 unless given.' }),
    limit: bodyLimit(PAGE_DEFAULT_V1),
    createdAt: createdAtFilter,
    from: z.string().optional().openapi({ format: 'date-time' }),
    to: z.string().optional().openapi({ format: 'date-time' }),
    method: methodNames,
    connectorId: connectorFilter,
    transactionId: transactionFilter,
  })
  .openapi('CommandSearchV1')

export const MethodCountsSchema = z
  .strictObject({ data: z.array(z.strictObject({ method: z.string(), count: z.int() })), meta: z.strictObject({}) })
  .openapi('MethodCounts')

export const methodsQuery = z.strictObject({
  from: queryInstant('Inclusive start of the window.'),
  to: queryInstant('Exclusive end of the window; now unless given.').optional(),
})

/** The answer is awaited for at most this long; proxies give up soon after. */
const WAIT_LIMIT_SECONDS = 60
const TTL_LIMIT_SECONDS = 7 * 24 * 3600

export const SendCommandSchema = z
  .strictObject({
    method: z.string().min(1).max(100).openapi({ example: 'TriggerMessage' }),
    request: z.record(z.string(), z.unknown()).openapi({ description: 'Must fit the OCPP schema of the method.' }),
    wait: z.int().min(0).max(WAIT_LIMIT_SECONDS).optional().openapi({ description: 'Seconds to wait for the answer.' }),
    ttl: z.int().min(1).max(TTL_LIMIT_SECONDS).optional().openapi({
      description:
        'Seconds the command may wait for a charge point that is away, 86400 (24 hours) unless given. Starts, unlocks, resets, reservations and triggers wait only where it is given; otherwise they are refused while the charge point is away.',
    }),
  })
  .openapi('SendCommand')

export const commandParams = z.object({ evseController: z.string(), commandId: z.string() })

export const waitQuery = z.strictObject({
  wait: queryInteger(
    0,
    WAIT_LIMIT_SECONDS,
    'Seconds to wait for the answer; the body’s own wait goes first.',
  ).optional(),
})
