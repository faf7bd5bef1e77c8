import { z } from '@hono/zod-openapi'
import { timeSchema } from '../../domain/event-declaration.ts'
import { minuteOfDay } from '../../domain/hours.ts'
import { isoTime } from '../../domain/iso-time.ts'
import type { Fault } from '../../domain/message-log/fault.ts'
import { INSTANT_HINT, parseInstant, withPlus } from '../../domain/message-log/search.ts'
import { isTimeZone } from '../../domain/time-zone.ts'
import { type TextRule, textFault } from '../../domain/typed-text.ts'

export const PAGE_LIMIT = 500
export const PAGE_DEFAULT = 100

export const ProblemSchema = z
  .looseObject({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    instance: z.string().openapi({ example: 'urn:request:5f3c2a' }),
    code: z.string().openapi({ description: 'Stable, for programs.' }),
    errors: z
      .array(
        z.object({
          pointer: z.string().openapi({ description: 'RFC 6901 into the body, or ?name of a parameter.' }),
          code: z.string(),
          message: z.string(),
        }),
      )
      .optional(),
    migrateTo: z.string().optional(),
  })
  .openapi('Problem')

export const typedText = (
  rule: TextRule,
  faultOf: (text: string) => Omit<Fault, 'pointer'> | undefined = (text) => textFault(text, rule),
) =>
  z
    .string()
    .superRefine((text, context) => {
      const fault = faultOf(text)
      if (fault) context.addIssue({ code: 'custom', params: { code: fault.code }, message: fault.message })
    })
    .openapi({ ...(!rule.mayBeEmpty && { minLength: 1 }), maxLength: rule.most })

/** Of charge points, cards and charges, in limit groups (GROUP-S2). */
export const prioritySchema = z
  .int()
  .min(-1_000_000)
  .max(1_000_000)
  .openapi({ description: 'Where charges share what there is: greater ones first.' })

export const filterText = (most: number, description: string) =>
  z.string().min(1).max(most).optional().openapi({ description })

export const timeOfDay = z
  .string()
  .refine((text) => minuteOfDay(text) !== undefined, 'must be a time of the day such as 02:00')
  .openapi({ example: '02:00' })

export const timeZone = z.string().max(100).refine(isTimeZone, 'must be a time zone such as Europe/Berlin')

export const weekdays = z
  .array(z.enum(['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']))
  .min(1)
  .max(7)
  .optional()
  .openapi({ description: 'On which days it begins; all of them unless given.' })

export const time = () => timeSchema(z)

/** A time in a request, as milliseconds since the epoch; parts finer than that round up. */
export const instant = (description: string) =>
  z
    .string()
    .transform((text, context) => {
      const instant = parseInstant(text)
      if (instant) return instant.ceilMs
      context.addIssue({
        code: 'custom',
        params: { code: 'invalid_time' },
        message: INSTANT_HINT,
      })
      return z.NEVER
    })
    .openapi({ type: 'string', format: 'date-time', description })

export const queryInstant = (description: string) =>
  z
    .string()
    .transform(withPlus)
    .pipe(instant(description))
    .openapi({ type: 'string', format: 'date-time', description })

export const queryInteger = (minimum: number, maximum: number, description: string) =>
  z
    .string()
    .regex(/^\d{1,9}$/, 'must be an integer')
    .transform(Number)
    .pipe(z.int().min(minimum).max(maximum))
    .openapi({ type: 'integer', minimum, maximum, description })

export const limitParameter = queryInteger(1, PAGE_LIMIT, `Rows per page, ${PAGE_DEFAULT} unless given.`).optional()

const cursorParameter = z
  .string()
  .optional()
  .openapi({ description: '`meta.nextCursor` of the page before; the other parameters must stay the same.' })

export const pageParameters = { limit: limitParameter, cursor: cursorParameter }
export const pageQuery = z.strictObject(pageParameters)

export const withRows = <Shape extends z.ZodRawShape, Row extends z.ZodType>(name: string, shape: Shape, row: Row) =>
  z
    .strictObject({ ...shape, data: z.array(row), meta: z.strictObject({ nextCursor: z.string().optional() }) })
    .openapi(name)

/** The list envelope (API-B2). */
export const listOf = <Row extends z.ZodType>(name: string, row: Row) =>
  z
    .object({
      data: z.array(row),
      meta: z.object({ nextCursor: z.string().optional().openapi({ description: 'Absent on the last page.' }) }),
    })
    .openapi(name)

export const json = (schema: z.ZodType, description: string) => ({
  description,
  content: { 'application/json': { schema } },
})

export const jsonOrCsv = (schema: z.ZodType, description: string) => ({
  description,
  content: { 'application/json': { schema }, 'text/csv': { schema: { type: 'string' as const } } },
})

export const located = (schema: z.ZodType, description: string) => ({
  ...json(schema, description),
  headers: { Location: { $ref: '#/components/headers/Location' } },
})

/** Members of the answer that the row does not have under the same name. */
type Others<Answer, Row> = Partial<Record<keyof Answer, unknown>> &
  Record<
    Exclude<RequiredNames<Answer>, keyof Row | (Row extends { chargePointId: string } ? 'evseControllerId' : never)>,
    unknown
  >
type RequiredNames<Answer> = { [Name in keyof Answer]-?: undefined extends Answer[Name] ? never : Name }[keyof Answer]
type NoMembers<Given> = Record<never, unknown> extends Given ? [others?: Given] : [others: Given]

/** A row as the schema of an answer names its members. A number where the schema has a text is a time. */
export function shown<Schema extends z.ZodObject, Row extends object>(
  { shape }: Schema,
  row: Row,
  ...[others]: NoMembers<Others<z.output<Schema>, Row>>
): { readonly [Name in keyof z.output<Schema>]: unknown } {
  const { chargePointId: evseControllerId } = row as { readonly chargePointId?: string }
  const known: Readonly<Record<string, unknown>> = { evseControllerId, ...row, ...others }
  const members = Object.keys(shape).map((name) => {
    const value = known[name]
    return [name, typeof value === 'number' && isText(shape[name]) ? isoTime(value) : value]
  })
  return Object.fromEntries(members)
}

function isText(member: unknown): boolean {
  const { def } = member as z.ZodType
  return def.type === 'optional' ? isText((member as z.ZodOptional).unwrap()) : def.type === 'string'
}
