import type { z } from '@hono/zod-openapi'
import { isoTime } from '../../domain/iso-time.ts'

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
