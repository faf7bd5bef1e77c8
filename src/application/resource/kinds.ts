/** What a value of each kind is in a request, in an answer and as text, and the schemas of a resource from that. */
import { z } from '@hono/zod-openapi'
import { isoTime } from '../../domain/iso-time.ts'
import type { Field, Kind } from '../../domain/resources/field.ts'
import { fieldsOf, idName, type Resource, settable } from '../../domain/resources/resource.ts'
import * as money from '../schemas/charge-limits.ts'
import { listOf, time } from '../schemas/common.ts'
import { jsonToShown, jsonToStored, SHAPES } from './shapes.ts'

interface Rules {
  readonly request: (field: Field) => z.ZodType
  readonly answer: (field: Field) => z.ZodType
  readonly toStored: (value: never, field: Field) => unknown
  readonly toShown: (stored: never, field: Field) => unknown
  /** Undefined: there is no such value. */
  readonly read: (text: string, field: Field) => unknown
  readonly fault: string
}

const same = <T>(value: T): T => value
const unread = { toStored: same, toShown: same, read: () => undefined, fault: 'is required' }
const word =
  (schema: z.ZodType) =>
  ({ describe }: Field) =>
    describe === undefined ? schema : schema.openapi({ description: describe })
const both = (schema: Rules['answer']) => ({ request: schema, answer: schema })
const MAX_LENGTH = 255

export const RULES: Readonly<Record<Kind, Rules>> = {
  amount: {
    ...both(({ describe = '' }) => money.amount(describe)),
    toStored: money.millionths,
    toShown: money.fromMillionths,
    read: money.microsOf,
    fault: money.AMOUNT_HINT,
  },
  chargePoint: { ...unread, request: () => z.string().min(1), answer: word(z.string()), read: same },
  choice: {
    ...unread,
    ...both((field) => word(z.enum(field.options ?? ['']))(field)),
    read: (text, { options = [''] }) => (options.includes(text) ? text : undefined),
    fault: 'must be one of those that are offered',
  },
  currency: {
    ...unread,
    ...both(() => money.currency),
    read: (text) => (money.isCurrency(text.toUpperCase()) ? text.toUpperCase() : undefined),
    fault: money.CURRENCY_HINT,
  },
  flag: { ...unread, ...both(word(z.boolean())), toShown: Boolean },
  integer: { ...unread, ...both(word(z.int())) },
  json: {
    ...both((field) => word(shapeOf(field))(field)),
    toStored: jsonToStored,
    toShown: jsonToShown,
    read(text, field) {
      const read = shapeOf(field).safeParse(jsonOf(text))
      return read.success ? jsonToStored(read.data) : undefined
    },
    fault: 'must be JSON as in the API',
  },
  time: { ...unread, ...both(time), toShown: isoTime },
  word: {
    ...unread,
    request: word(z.string().max(MAX_LENGTH)),
    answer: word(z.string()),
    toShown: (text) => text || undefined,
    read: (text) => (text.length <= MAX_LENGTH ? text : undefined),
    fault: `must be at most ${MAX_LENGTH} characters long`,
  },
}

const shapeOf = ({ shape }: Field): z.ZodType => SHAPES[shape?.name as keyof typeof SHAPES]

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export function apiName(name: string, { names }: Field): string {
  return names?.api ?? name
}

export function schemasOf(of: Resource) {
  const { name } = of
  const shape = (fields: ReturnType<typeof fieldsOf>, schema: 'answer' | 'request', isChange = false) =>
    Object.fromEntries(
      fields.map(([member, field]) => {
        const one = RULES[field.kind][schema](field)
        return [apiName(member, field), field.optional || field.unless || isChange ? one.optional() : one]
      }),
    )
  const whole = (schema: z.ZodObject) =>
    schema.superRefine((body, context) => {
      for (const [path, message] of lacking(of, (member, field) => body[apiName(member, field)]))
        context.addIssue({ code: 'custom', path: [path], message })
    })
  const one = z.strictObject({ id: z.string(), ...shape(fieldsOf(of), 'answer') }).openapi(name)
  return {
    one,
    list: listOf(`${name}List`, one),
    create: whole(z.strictObject(shape(settable(of, true), 'request'))).openapi(`Create${name}`),
    replace: whole(z.strictObject(shape(settable(of, false), 'request'))).openapi(`Replace${name}`),
    change: z.strictObject(shape(settable(of, false), 'request', true)).openapi(`Change${name}`),
    params: z.object({ [idName(of)]: of.store.id ? z.string().max(1000) : z.string() }),
  }
}

/** Fields that are required unless another one is given, and neither is. */
function lacking(of: Resource, given: (name: string, field: Field) => unknown): readonly [string, string][] {
  return fieldsOf(of).flatMap(([name, field]) => {
    const other = field.unless === undefined ? undefined : of.fields[field.unless]
    if (!other || field.optional || given(name, field) !== undefined) return []
    return given(field.unless ?? '', other) === undefined ? [[apiName(name, field), 'is required']] : []
  })
}
