import SqliteDatabase from 'better-sqlite3'
import { getTableConfig } from 'drizzle-orm/sqlite-core'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { RECORD_TABLES } from '../../../scripts/record-tables.ts'
import type { Declaration } from '../../domain/records/record.ts'
import { RECORDS } from '../../domain/records/records.ts'
import { indexName, sqlColumns, sqlName } from '../record-sql.ts'
import { migrateDatabase } from './files/migrate.ts'

interface ColumnInfo {
  readonly name: string
  readonly type: string
  readonly notnull: 0 | 1
  /** Place in the primary key, 0: none. */
  readonly pk: number
}

const dbs: SqliteDatabase.Database[] = []
function empty(): SqliteDatabase.Database {
  const db = new SqliteDatabase(':memory:')
  dbs.push(db)
  return db
}

let migrated: SqliteDatabase.Database
beforeEach(() => {
  migrated = empty()
  migrateDatabase(migrated)
})
afterEach(() => {
  for (const db of dbs.splice(0)) db.close()
})

describe.each(RECORDS.map((declaration) => [declaration.name, declaration as Declaration] as const))(
  'RECORD-D5: the table of %s',
  (name, declaration) => {
    const columnsIn = (db: SqliteDatabase.Database): readonly ColumnInfo[] =>
      db
        .prepare<[], ColumnInfo>(`SELECT name, lower(type) AS type, "notnull", pk FROM pragma_table_info('${name}')`)
        .all()
    const indexesIn = (db: SqliteDatabase.Database) =>
      db
        .prepare<[], { readonly name: string; readonly columns: string }>(
          `SELECT list.name, (SELECT group_concat(info.name) FROM pragma_index_info(list.name) AS info) AS columns
          FROM pragma_index_list('${name}') AS list WHERE list.origin = 'c' ORDER BY list.name`,
        )
        .all()

    it('has the columns of the declaration once all migrations have run', () => {
      const key = declaration.key.map(sqlName)
      const declared = sqlColumns(declaration).map(({ name: column, type, isNullable }) => ({
        name: column,
        type,
        notnull: isNullable ? 0 : 1,
        pk: key.indexOf(column) + 1,
      }))
      const sorted = (columns: readonly { readonly name: string }[]) =>
        [...columns].sort((a, b) => a.name.localeCompare(b.name))
      expect(sorted(columnsIn(migrated))).toEqual(sorted(declared))
      const indexes = declaration.indexes.map((members) => ({
        name: indexName(declaration, members),
        columns: members.map(sqlName).join(),
      }))
      expect(indexesIn(migrated)).toEqual(indexes.sort((a, b) => a.name.localeCompare(b.name)))
    })

    it('is the one that drizzle writes the next migration for', () => {
      const { name: table, columns } = getTableConfig(RECORD_TABLES[name])
      expect(table).toBe(name)
      expect(columns.map((column) => [column.name, column.getSQLType(), !column.notNull])).toEqual(
        sqlColumns(declaration).map((column) => [column.name, column.type, column.isNullable]),
      )
    })
  },
)
