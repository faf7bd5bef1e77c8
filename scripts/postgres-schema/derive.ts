/** PostgreSQL's tables made from SQLite's, so that a column is declared once. tables.ts has the differences. */
import { is, type SQL, SQL as SqlClass } from 'drizzle-orm'
import {
  bigint,
  customType,
  doublePrecision,
  foreignKey,
  index,
  type PgColumn,
  type PgColumnBuilderBase,
  type PgTable,
  type PgTableExtraConfigValue,
  pgTable,
  primaryKey,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { getTableConfig, type SQLiteColumn, type SQLiteTable } from 'drizzle-orm/sqlite-core'

/** Compared byte by byte, as SQLite does. */
export const plainText = customType<{ data: string; driverData: string }>({ dataType: () => 'text COLLATE "C"' })

export const integerColumn = (name: string) => bigint(name, { mode: 'number' })

export type Columns = Readonly<Record<string, PgColumn>>

export interface Differences {
  /** Columns that PostgreSQL numbers by itself, as SQLite does with an absent key. */
  readonly numbered?: readonly string[] | undefined
  /** Stores any number that a charge point sends (law 7). */
  readonly anyNumber?: readonly string[] | undefined
  readonly added?: Readonly<Record<string, () => PgColumnBuilderBase>>
  readonly dropped?: readonly string[] | undefined
  readonly key?: readonly string[] | 'none' | undefined
  /** By the name of the index: its replacement; undefined leaves it out. */
  readonly indexes?: Readonly<Record<string, ((table: Columns) => PgTableExtraConfigValue) | undefined>>
  readonly notUnique?: readonly string[] | undefined
}

/** @param tableOf the derived table that a foreign key refers to */
export function derive(
  source: SQLiteTable,
  differences: Differences,
  tableOf: (name: string) => PgTable | undefined,
): PgTable {
  const config = getTableConfig(source)
  const { dropped = [], added = {} } = differences
  const kept = config.columns.filter(({ name }) => !dropped.includes(name))
  const columns = Object.fromEntries([
    ...kept.map((column) => [column.name, columnOf(column, differences)] as const),
    ...Object.entries(added).map(([name, build]) => [name, build()] as const),
  ])
  return pgTable(config.name, columns, (table) => [
    ...keyOf(config, differences, table as Columns),
    ...indexesOf(config, differences, table as Columns),
    ...config.foreignKeys.flatMap((key) => {
      const { columns: from, foreignTable, foreignColumns } = key.reference()
      const target = tableOf(getTableConfig(foreignTable as SQLiteTable).name) as (PgTable & Columns) | undefined
      if (!target) return []
      return foreignKey({
        name: `${config.name}_${from.map(({ name }) => name).join('_')}_fk`,
        columns: some(from.map(({ name }) => named(table as Columns, name))),
        foreignColumns: some(foreignColumns.map(({ name }) => named(target, name))),
      })
    }),
  ])
}

type TableConfig = ReturnType<typeof getTableConfig>

function columnOf(column: SQLiteColumn, { numbered, anyNumber, key }: Differences) {
  const isInteger = column.getSQLType() === 'integer'
  const name = column.name
  if (numbered?.includes(name)) {
    const identity = integerColumn(name).notNull().generatedByDefaultAsIdentity()
    return column.primary && key === undefined ? identity.primaryKey() : identity
  }
  const built = anyNumber?.includes(name) ? doublePrecision(name) : isInteger ? integerColumn(name) : plainText(name)
  const required = column.notNull || column.primary ? built.notNull() : built
  const filled = column.hasDefault && column.default !== undefined ? withDefault(required, column) : required
  return column.primary && key === undefined ? filled.primaryKey() : filled
}

type Built = ReturnType<typeof integerColumn> | ReturnType<typeof plainText> | ReturnType<typeof doublePrecision>

function withDefault(built: Built, column: SQLiteColumn): Built {
  const value = column.mapToDriverValue(column.default)
  return (built as { default(value: unknown): Built }).default(value)
}

function keyOf(config: TableConfig, { key }: Differences, table: Columns): readonly PgTableExtraConfigValue[] {
  if (key === 'none') return []
  const names = key ?? config.primaryKeys[0]?.columns.map(({ name }) => name)
  if (!names) return []
  return [primaryKey({ name: `${config.name}_key`, columns: some(names.map((name) => named(table, name))) })]
}

function indexesOf(config: TableConfig, differences: Differences, table: Columns): readonly PgTableExtraConfigValue[] {
  const { indexes = {}, notUnique = [] } = differences
  const derived = config.indexes.flatMap(({ config: one }) => {
    if (one.name in indexes) return []
    const parts = one.columns.map((part) => (is(part, SqlClass) ? part : named(table, (part as SQLiteColumn).name)))
    const [first, ...rest] = parts as [SQL, ...SQL[]]
    const built = (one.unique ? uniqueIndex(one.name) : index(one.name)).on(first, ...rest)
    return [one.where ? built.where(one.where) : built]
  })
  const unique = config.columns
    .filter(({ isUnique, name }) => isUnique && !notUnique.includes(name))
    .map(({ name }) => uniqueIndex(`${config.name}_${name}_unique`).on(named(table, name)))
  const others = Object.values(indexes).flatMap((build) => (build ? [build(table)] : []))
  return [...derived, ...unique, ...others]
}

function named(table: Columns, name: string): PgColumn {
  const column = table[name]
  if (!column) throw new Error(`No column ${name}.`)
  return column
}

function some<T>(values: readonly T[]): [T, ...T[]] {
  const [first, ...rest] = values
  if (first === undefined) throw new Error('A key or an index needs a column.')
  return [first, ...rest]
}
