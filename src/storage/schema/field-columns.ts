/** The columns of a table, from where its members are declared. */
import type { $Type } from 'drizzle-orm'
import { integer, text } from 'drizzle-orm/sqlite-core'
import type { Columns, RecordOf } from '../../domain/records/record.ts'
import { type Fields, KINDS, memberOf, type StoredOf } from '../../domain/resources/field.ts'
import { sqlName } from '../record-sql.ts'

const COLUMNS = {
  integer: (name: string) => integer(name).notNull(),
  text: (name: string) => text(name).notNull(),
  integerOrNone: (name: string) => integer(name),
  textOrNone: (name: string) => text(name),
  json: (name: string) => text(name, { mode: 'json' }).notNull(),
  jsonOrNone: (name: string) => text(name, { mode: 'json' }),
  flag: (name: string) => integer(name, { mode: 'boolean' }).notNull(),
  flagOrNone: (name: string) => integer(name, { mode: 'boolean' }),
}
type ColumnOf<Value> = [Value] extends [number]
  ? 'integer'
  : [Value] extends [string]
    ? 'text'
    : [Value] extends [boolean]
      ? 'flag'
      : 'json'
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
    return [member, COLUMNS[`${column}${none}`](sqlName(member))]
  })
  return Object.fromEntries(columns) as ColumnsOf<StoredOf<Fs>>
}

/** Of all members of a table; what only the table says of some stands behind them. */
export function tableColumns<C extends Columns>({ columns }: { readonly columns: C }) {
  const built = Object.entries(columns).map(([member, { type, isOptional }]) => {
    return [member, COLUMNS[`${type}${isOptional ? 'OrNone' : ''}`](sqlName(member))]
  })
  return Object.fromEntries(built) as ColumnsOf<RecordOf<{ readonly columns: C }>>
}
