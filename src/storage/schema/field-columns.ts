/** The columns of a table that hold the fields of a resource. */
import { integer, text } from 'drizzle-orm/sqlite-core'
import { type Fields, KINDS, memberOf, type StoredOf } from '../../domain/resources/field.ts'

const COLUMNS = {
  integer: (name: string) => integer(name).notNull(),
  text: (name: string) => text(name).notNull(),
  integerOrNone: (name: string) => integer(name),
  textOrNone: (name: string) => text(name),
}
type ColumnsOf<Stored> = {
  readonly [Name in keyof Stored]-?: ReturnType<
    (typeof COLUMNS)[`${NonNullable<Stored[Name]> extends number ? 'integer' : 'text'}${undefined extends Stored[Name] ? 'OrNone' : ''}`]
  >
}

export function fieldColumns<const Fs extends Fields>(fields: Fs): ColumnsOf<StoredOf<Fs>> {
  const columns = Object.entries(fields).map(([name, field]) => {
    const { column, absent } = KINDS[field.kind]
    const member = memberOf(name, field)
    const none = field.added || (field.optional && absent === undefined) ? 'OrNone' : ''
    return [member, COLUMNS[`${column}${none}`](member.replaceAll(/[A-Z]/g, '_$&').toLowerCase())]
  })
  return Object.fromEntries(columns) as ColumnsOf<StoredOf<Fs>>
}
