/** The columns of a table that hold the fields of a resource. */
import type { $Type } from 'drizzle-orm'
import { integer, text } from 'drizzle-orm/sqlite-core'
import { type Fields, KINDS, memberOf, type StoredOf } from '../../domain/resources/field.ts'

const COLUMNS = {
  integer: (name: string) => integer(name).notNull(),
  text: (name: string) => text(name).notNull(),
  integerOrNone: (name: string) => integer(name),
  textOrNone: (name: string) => text(name),
  json: (name: string) => text(name, { mode: 'json' }).notNull(),
  jsonOrNone: (name: string) => text(name, { mode: 'json' }),
}
type ColumnOf<Value> = Value extends number ? 'integer' : Value extends string ? 'text' : 'json'
type ColumnsOf<Stored> = {
  readonly [Name in keyof Stored]-?: $Type<
    ReturnType<
      (typeof COLUMNS)[`${ColumnOf<NonNullable<Stored[Name]>>}${undefined extends Stored[Name] ? 'OrNone' : ''}`]
    >,
    NonNullable<Stored[Name]>
  >
}

export function fieldColumns<const Fs extends Fields>(fields: Fs): ColumnsOf<StoredOf<Fs>> {
  const kept = Object.entries(fields).filter(([, { isDerived }]) => !isDerived)
  const columns = kept.map(([name, field]) => {
    const { column, absent } = KINDS[field.kind]
    const member = memberOf(name, field)
    const none = field.added || (field.optional && absent === undefined) ? 'OrNone' : ''
    return [member, COLUMNS[`${column}${none}`](member.replaceAll(/[A-Z]/g, '_$&').toLowerCase())]
  })
  return Object.fromEntries(columns) as ColumnsOf<StoredOf<Fs>>
}
