import { readdirSync, readFileSync } from 'node:fs'
import { generateDrizzleJson, generateMigration } from 'drizzle-kit/api'
import { getTableConfig as postgresConfig } from 'drizzle-orm/pg-core'
import { getTableConfig as sqliteConfig } from 'drizzle-orm/sqlite-core'
import { expect, it } from 'vitest'
import { OWN_TABLES } from '../../scripts/postgres-schema/own-tables.ts'
import { DIFFERENCES, NOT_HERE, TABLES } from '../../scripts/postgres-schema/tables.ts'
import { everyTable } from '../../scripts/record-tables.ts'
import { emptyDatabase, rowsOf } from './databases.ts'

const sqlite = everyTable().map((table) => sqliteConfig(table))

// STORE-N4: both engines have the same tables and columns
it('but for those that are written down', () => {
  const expected = sqlite
    .filter(({ name }) => !NOT_HERE.includes(name))
    .map(({ name, columns }) => {
      const { added = {} } = DIFFERENCES[name] ?? {}
      return [name, [...columns.map((column) => column.name), ...Object.keys(added)].sort()]
    })
  const derived = [...TABLES].map(([name, table]) => [
    name,
    postgresConfig(table)
      .columns.map((column) => column.name)
      .sort(),
  ])
  expect(Object.fromEntries(derived)).toEqual(Object.fromEntries(expected))
  expect(Object.keys(DIFFERENCES).filter((name) => !TABLES.has(name))).toEqual([])
})

it('the migrations are in step with them (next one: npm run migration:postgres -- <why>)', async () => {
  const folder = new URL('../../drizzle/postgres/meta/', import.meta.url)
  const newest =
    readdirSync(folder)
      .filter((file) => file.endsWith('_snapshot.json'))
      .sort()
      .at(-1) ?? ''
  const before = JSON.parse(readFileSync(new URL(newest, folder), 'utf8')) as ReturnType<typeof generateDrizzleJson>
  const all = { ...Object.fromEntries(TABLES), ...OWN_TABLES }
  expect(await generateMigration(before, generateDrizzleJson(all, before.id))).toEqual([])
})

it('the migrations make them, each with its columns, and nothing else', async () => {
  const database = await emptyDatabase()
  const rows = await rowsOf<{ name: string; columns: string }>(
    database.url,
    `SELECT c.relname AS name, string_agg(a.attname, ',' ORDER BY a.attname COLLATE "C") AS columns
       FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
       WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relnamespace = 'public'::regnamespace
         AND c.relname <> 'pilotwire_migrations' GROUP BY 1`,
  )
  await database.drop()
  const tables = [...TABLES.values(), ...Object.values(OWN_TABLES)].map((table) => postgresConfig(table))
  const expected = tables.map(({ name, columns }) => [
    name,
    columns
      .map((column) => column.name)
      .sort()
      .join(','),
  ])
  expect(Object.fromEntries(rows.map(({ name, columns }) => [name, columns]))).toEqual(Object.fromEntries(expected))
})
