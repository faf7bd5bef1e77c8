import { getTableColumns } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'

type NullableKeys<Row> = { [Key in keyof Row]: null extends Row[Key] ? Key : never }[keyof Row]

/** The row with every NULL column left out: absent, never null (API-B1). */
export type Present<Row> = Omit<Row, NullableKeys<Row>> & { [Key in NullableKeys<Row>]?: NonNullable<Row[Key]> }

export type RecordOf<Table extends SQLiteTable> = Present<Table['$inferSelect']>

export function present<Row extends object>(row: Row): Present<Row> {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as Present<Row>
}

/** Selects a table's columns, perhaps under an alias, each by the name of its member. */
export function columnsOf(table: SQLiteTable, alias?: string, leftOut: readonly string[] = []): string {
  const from = alias === undefined ? '' : `${alias}.`
  return Object.entries(getTableColumns(table))
    .filter(([member]) => !leftOut.includes(member))
    .map(([member, { name }]) => `${from}${name} AS "${member}"`)
    .join(', ')
}

/** The record of a row so selected, with flags and JSON decoded. */
export function readRow<Table extends SQLiteTable>(table: Table, row: object): RecordOf<Table> {
  const columns = getTableColumns(table)
  const members = Object.entries(row).flatMap(([member, value]) => {
    const column = columns[member]
    return column && value !== null && value !== undefined ? [[member, column.mapFromDriverValue(value)]] : []
  })
  return Object.fromEntries(members) as RecordOf<Table>
}
