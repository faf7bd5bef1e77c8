import {
  index,
  integer,
  primaryKey,
  type SQLiteColumn,
  type SQLiteTable,
  sqliteTable,
  text,
} from 'drizzle-orm/sqlite-core'
import type { Declaration } from '../src/domain/records/record.ts'
import { RECORDS, type RecordKind } from '../src/domain/records/records.ts'
import { indexName, sqlColumns, sqlName } from '../src/storage/record-sql.ts'
import { ALL_TABLES } from '../src/storage/schema/all-tables.ts'

/** Every table of a SQLite database. */
export const everyTable = (): readonly SQLiteTable[] => [...ALL_TABLES, ...Object.values(RECORD_TABLES)]

/** By the name of the record; drizzle-kit makes migrations of them through `drizzle.records.cjs`. */
export const RECORD_TABLES = Object.fromEntries(
  RECORDS.map((declaration) => [declaration.name, tableOf(declaration)]),
) as Readonly<Record<RecordKind, ReturnType<typeof tableOf>>>

function tableOf(declaration: Declaration) {
  const { name, key, indexes, unversioned } = declaration
  const only = unversioned && key.length === 1 ? key[0] : undefined
  const columns = Object.fromEntries(
    sqlColumns(declaration).map(({ name: column, type, isNullable }) => {
      const built = type === 'integer' ? integer(column) : text(column)
      return [column, only && column === sqlName(only) ? built.primaryKey() : isNullable ? built : built.notNull()]
    }),
  )
  return sqliteTable(name, columns, (table) => {
    const [first, ...rest] = key.map((member) => columnOf(table, member))
    if (!first) throw new Error(`The record ${name} has no key.`)
    return [
      ...(only ? [] : [primaryKey({ columns: [first, ...rest] })]),
      ...indexes.map((members) => {
        const [start, ...others] = members.map((member) => columnOf(table, member))
        if (!start) throw new Error(`An index of ${name} names no column.`)
        return index(indexName(declaration, members)).on(start, ...others)
      }),
    ]
  })
}

function columnOf(table: Readonly<Record<string, SQLiteColumn>>, member: string): SQLiteColumn {
  const column = table[sqlName(member)]
  if (!column) throw new Error(`No column for ${member}.`)
  return column
}
