import { chmodSync, existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import { expect, it } from 'vitest'
import { databaseOfEachTest } from '../../../../test/support/storage/testing.ts'
import { openSqlite, openSqliteReader } from '../writer.ts'
import { connectReader, connectWriter } from './connection.ts'

const place = databaseOfEachTest()

it('OCPP-DR5: runs with a write-ahead log and synchronous=FULL', () => {
  const db = connectWriter(place.path)
  expect(db.pragma('journal_mode', { simple: true })).toBe('wal')
  expect(db.pragma('synchronous', { simple: true })).toBe(2)
  expect(db.pragma('wal_autocheckpoint', { simple: true })).toBe(1000)
  expect(db.pragma('busy_timeout', { simple: true })).toBe(5000)
  db.close()
})

it('creates the directory and a file, and its companions, that only their owner can read', () => {
  const writer = openSqlite(place.path)
  for (const file of [place.path, `${place.path}-wal`, `${place.path}-shm`]) {
    expect(statSync(file).mode & 0o777).toBe(0o600)
  }
  expect(statSync(dirname(place.path)).mode & 0o777).toBe(0o700)
  writer.close()
})

it('refuses a database in memory', () => {
  expect(() => connectWriter(':memory:')).toThrow('loses everything')
  expect(() => connectReader('')).toThrow('loses everything')
})

it('a reader cannot write and reads a database that no server has open', () => {
  openSqlite(place.path).close()
  const db = connectReader(place.path)
  expect(() => db.exec('DELETE FROM accounts')).toThrow(/readonly/)
  expect(db.prepare('SELECT count(*) FROM accounts').pluck().get()).toBe(0)
  db.close()
})

it('says what to do when there is nothing to read', () => {
  expect(() => openSqliteReader(place.path)).toThrow(/cannot|unable|directory/i)
  mkdirSync(dirname(place.path), { recursive: true })
  new SqliteDatabase(place.path).exec('CREATE TABLE x (y)').close()
  expect(() => openSqliteReader(place.path)).toThrow('start the server once')
})

it('a file that is no database is left as it is', () => {
  mkdirSync(dirname(place.path), { recursive: true })
  writeFileSync(place.path, 'precious notes'.repeat(100))
  expect(() => openSqlite(place.path)).toThrow(/not a database/)
  expect(statSync(place.path).size).toBe('precious notes'.length * 100)
})

it.skipIf(process.getuid?.() === 0)('a directory without rights is refused', () => {
  mkdirSync(dirname(place.path), { recursive: true })
  chmodSync(dirname(place.path), 0o500)
  expect(() => openSqlite(place.path)).toThrow(/permission|EACCES/i)
  expect(existsSync(place.path)).toBe(false)
})
