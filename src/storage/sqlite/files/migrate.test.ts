import { readdirSync, readFileSync } from 'node:fs'
import SqliteDatabase from 'better-sqlite3'
import { type DrizzleSQLiteSnapshotJSON, generateSQLiteDrizzleJson, generateSQLiteMigration } from 'drizzle-kit/api'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { temporaryDatabase } from '../../testing.ts'
import { openSqliteReader } from '../reader.ts'
import { openSqlite } from '../writer.ts'

describe('migrations', () => {
  let place: ReturnType<typeof temporaryDatabase>
  beforeEach(() => {
    place = temporaryDatabase()
  })
  afterEach(() => place.remove())

  it('run once, and references are checked afterwards', async () => {
    openSqlite(place.path).close()
    const { writes, close } = openSqlite(place.path)
    const orphan = { id: 'K', accountId: 'none', name: 'x', secretHash: 'x', createdAt: 0 }
    await expect(writes.createCredential(orphan)).rejects.toThrow(/FOREIGN KEY/)
    close()
  })

  it('are in step with the schema of the sources', async () => {
    const journal = readJson<{ readonly entries: readonly { readonly idx: number }[] }>('_journal.json')
    const newest = String(journal.entries.at(-1)?.idx ?? 0).padStart(4, '0')
    const missing = await generateSQLiteMigration(
      readJson<DrizzleSQLiteSnapshotJSON>(`${newest}_snapshot.json`),
      await generateSQLiteDrizzleJson(await schemaOfTheSources()),
    )
    expect(missing, 'run `npx drizzle-kit generate --name <why>`').toEqual([])
  })

  it('a database of a newer version is refused and left alone', () => {
    openSqlite(place.path).close()
    const db = new SqliteDatabase(place.path)
    db.prepare('INSERT INTO __drizzle_migrations (hash, created_at) VALUES (?, ?)').run('later', 8e15)
    db.close()
    expect(() => openSqlite(place.path)).toThrow('newer version')
    expect(() => openSqliteReader(place.path)).toThrow('newer version')
  })

  it('a database of an older version is not read before it is brought up to date', () => {
    openSqlite(place.path).close()
    const db = new SqliteDatabase(place.path)
    db.exec('DELETE FROM __drizzle_migrations WHERE created_at = (SELECT max(created_at) FROM __drizzle_migrations)')
    db.close()
    expect(() => openSqliteReader(place.path)).toThrow(/older version.*start the server once.*backup/)
  })
})

function readJson<Shape>(name: string): Shape {
  return JSON.parse(readFileSync(new URL(`../../../../drizzle/meta/${name}`, import.meta.url), 'utf8')) as Shape
}

async function schemaOfTheSources(): Promise<Record<string, unknown>> {
  const rooms = readdirSync(new URL('../schema/', import.meta.url)).map((file) => file.replace(/\.ts$/, ''))
  const modules = await Promise.all(rooms.map((room) => import(`../schema/${room}.ts`) as Promise<object>))
  return Object.assign({}, ...modules) as Record<string, unknown>
}
