import SqliteDatabase from 'better-sqlite3'
import { expect, it } from 'vitest'
import { databaseOfEachTest } from '../../../test/support/storage/testing.ts'
import { aCommand, changeSet } from '../../../test/support/storage-contract/records.ts'
import { withFailures } from '../operations.ts'
import { sqliteCoreStore } from './core-store.ts'
import { connectWriter } from './files/connection.ts'
import { migrateDatabase } from './files/migrate.ts'
import { logNames } from './journal/apply-change-set.ts'
import { documentWriters } from './journal/document-writers.ts'
import { openJournal } from './journal/journal.ts'
import { storageError } from './storage-error.ts'
import { openSqlite } from './writer.ts'

const place = databaseOfEachTest()

function open() {
  const db = connectWriter(place.path)
  migrateDatabase(db)
  const store = sqliteCoreStore(db, logNames(db), openJournal(db, documentWriters(db)))
  const core = withFailures(store, (error) => storageError(error, place.path))
  const rows = (): unknown => db.prepare('SELECT count(*) FROM commands').pluck().get()
  return { db, core, rows }
}

it('OCPP-DR5: a full disk stores nothing of the group, says so, and the next group works', async () => {
  const { db, core, rows } = open()
  const pages = db.pragma('page_count', { simple: true }) as number
  db.pragma(`max_page_count = ${pages + 4}`)
  const group = Array.from({ length: 100 }, (_, n) =>
    changeSet({ command: aCommand(n, { request: 'x'.repeat(1000) }) }),
  )
  await expect(core.commit(group)).rejects.toMatchObject({ name: 'StorageError', code: 'storage_full' })
  expect(rows()).toBe(0)
  db.pragma('max_page_count = 1000000')
  expect((await core.commit(group)).every(({ ok }) => ok)).toBe(true)
  expect(rows()).toBe(100)
  db.close()
})

it('a read-only database rejects the group and is usable again afterwards', async () => {
  const { db, core, rows } = open()
  db.pragma('query_only = ON')
  await expect(core.commit([changeSet({ command: aCommand(1) })])).rejects.toMatchObject({ code: 'storage_read_only' })
  db.pragma('query_only = OFF')
  await core.commit([changeSet({ command: aCommand(1) })])
  expect(rows()).toBe(1)
  db.close()
})

it('a lock held by another process rejects the group after the busy timeout, nothing is lost', async () => {
  const { db, core, rows } = open()
  db.pragma('busy_timeout = 10')
  const other = new SqliteDatabase(place.path)
  other.exec('BEGIN IMMEDIATE')
  await expect(core.commit([changeSet({ command: aCommand(1) })])).rejects.toMatchObject({ code: 'storage_busy' })
  other.exec('COMMIT')
  other.close()
  await core.commit([changeSet({ command: aCommand(1) })])
  expect(rows()).toBe(1)
  db.close()
})

it('registrationsVersion tells writes of another process from our own', async () => {
  const server = openSqlite(place.path)
  const tool = openSqlite(place.path)
  const before = server.core.registrationsVersion()
  await server.core.commit([changeSet({ command: aCommand(1) })])
  expect(server.core.registrationsVersion()).toBe(before)
  await tool.writes.createAccount({ id: 'A', name: 'A', createdAt: 0 })
  expect(server.core.registrationsVersion()).not.toBe(before)
  await server.core.commit([changeSet({ command: aCommand(2) })])
  server.close()
  tool.close()
})

it('names given by two processes at once mean the same in both', async () => {
  const server = openSqlite(place.path)
  const tool = openSqlite(place.path)
  const give = (core: typeof server.core, n: number, method: string) =>
    core.commit([changeSet({ command: aCommand(n, { method }) })])
  await give(server.core, 1, 'One')
  await give(tool.core, 2, 'Two')
  await give(server.core, 3, 'Three')
  await give(server.core, 4, 'Two')
  const db = new SqliteDatabase(place.path)
  const methods = db.prepare('SELECT name FROM commands JOIN log_methods ON key = method ORDER BY id').pluck().all()
  expect(methods).toEqual(['One', 'Two', 'Three', 'Two'])
  for (const one of [db, server, tool]) one.close()
})
