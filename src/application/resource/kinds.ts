/** What a value of each kind is in a request, in an answer and as text, and the schemas of a resource from that. */
import { z } from '@hono/zod-openapi'
import { isoTime } from '../../domain/iso-time.ts'
import type { Field, Kind } from '../../domain/resources/field.ts'
import { fieldsOf, idName, type Resource, settable } from '../../domain/resources/resource.ts'
import * as money from '../schemas/charge-limits.ts'
import { listOf, time } from '../schemas/common.ts'

interface Rules {
  readonly request: (field: Field) => z.ZodType
  readonly answer: (field: Field) => z.ZodType
  readonly toStored: (value: never) => unknown
  readonly toShown: (stored: never) => unknown
  /** Undefined: there is no such value. */
  readonly read: (text: string) => unknown
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
  choice: { ...unread, ...both((field) => word(z.enum(field.options ?? ['']))(field)) },
  currency: {
    ...unread,
    ...both(() => money.currency),
    read: (text) => (money.isCurrency(text.toUpperCase()) ? text.toUpperCase() : undefined),
    fault: money.CURRENCY_HINT,
  },
  integer: { ...unread, ...both(word(z.int())) },
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

export function apiName(name: string, { names }: Field): string {
  return names?.api ?? name
}

export function schemasOf(of: Resource) {
  const { name } = of
  const shape = (fields: ReturnType<typeof fieldsOf>, schema: 'answer' | 'request', isChange = false) =>
    Object.fromEntries(
      fields.map(([member, field]) => {
        const one = RULES[field.kind][schema](field)
        return [apiName(member, field), field.optional || isChange ? one.optional() : one]
      }),
    )
  const one = z.strictObject({ id: z.string(), ...shape(fieldsOf(of), 'answer') }).openapi(name)
  return {
    one,
    list: listOf(`${name}List`, one),
    create: z.strictObject(shape(settable(of, true), 'request')).openapi(`Create${name}`),
    change: z.strictObject(shape(settable(of, false), 'request', true)).openapi(`Change${name}`),
    params: z.object({ [idName(of)]: of.store.id ? z.string().max(1000) : z.string() }),
  }
}
