import { execFileSync } from 'node:child_process'
import SqliteDatabase from 'better-sqlite3'
import { getTableConfig } from 'drizzle-orm/sqlite-core'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DIFFERENCES } from '../../../../scripts/postgres-schema/tables.ts'
import { everyTable } from '../../../../scripts/record-tables.ts'
import { emptyDatabase, type PostgresDatabase, rowsOf, statement } from '../../../../test/postgres/databases.ts'
import { fill, filledFile } from '../../../../test/support/storage/copy/testing.ts'
import {
  databaseIn,
  loadChargePoint,
  type TemporaryDatabase,
  temporaryDatabase,
} from '../../../../test/support/storage/testing.ts'
import { aCommand, anEvent, changeSet, NOW } from '../../../../test/support/storage-contract/records.ts'
import type { Reads } from '../../../domain/ports/storage.ts'
import type { CopyProgress } from '../../copy/ports.ts'
import { copySource, copyTarget, databaseAt } from '../../open.ts'
import { fromDatabase } from '../connection/text.ts'
import { ADDED, copiedTables, NOT_HERE } from './copied-table.ts'

const rebuild = (reads: Reads, id: string) => reads.findSession(id)

describe('a copy of a database file into PostgreSQL', () => {
  let file: TemporaryDatabase
  let database: PostgresDatabase
  beforeEach(async () => {
    file = temporaryDatabase()
    database = await emptyDatabase()
    await filledFile(file.path)
  })
  afterEach(async () => {
    file.remove()
    await database.drop()
  })

  async function copy(report: (progress: CopyProgress) => void = () => undefined) {
    const target = await copyTarget(database.url, NOW)
    try {
      const source = copySource(`file:${file.path}`)
      try {
        return await target.copyFrom(source, { report, rebuild })
      } finally {
        source.release()
      }
    } finally {
      await target.close()
    }
  }

  it('STORE-C1: every table is among those that are copied, with every column', () => {
    const db = new SqliteDatabase(file.path, { readonly: true })
    const stored = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all() as string[]
    db.close()
    const own = ['__drizzle_migrations', 'sqlite_sequence', 'journal', 'commands_search', 'meta']
    expect(
      copiedTables()
        .map(({ name }) => name)
        .sort(),
    ).toEqual(stored.filter((name) => !own.includes(name)).sort())
    const added = Object.entries(DIFFERENCES).flatMap(([name, { added: columns }]) =>
      columns ? [[name, Object.keys(columns)] as const] : [],
    )
    expect(Object.entries(ADDED).map(([name, { columns }]) => [name, columns])).toEqual(
      expect.arrayContaining(added.map(([name, columns]) => [name, columns])),
    )
    expect(Object.keys(ADDED)).toHaveLength(added.length)
  })

  it('STORE-C1: every row of every table is there as it was, none of them is empty', async () => {
    const report = await copy()
    const db = new SqliteDatabase(file.path, { readonly: true })
    let rows = 0
    for (const { name, columns } of everyTable().map((table) => getTableConfig(table))) {
      if (NOT_HERE.includes(name)) continue
      const list = columns.map((column) => `"${column.name}"`).join(', ')
      const ours = db.prepare(`SELECT ${list} FROM "${name}"`).all() as Record<string, unknown>[]
      const theirs = await rowsOf<Record<string, unknown>>(
        database.url,
        `SELECT ${list} FROM "${name}"${name === 'meta' ? " WHERE name <> 'event_base'" : ''}`,
      )
      expect(ours.length, name).toBeGreaterThan(0)
      expect(sorted(theirs, fromDatabase), name).toEqual(sorted(ours, String))
      if (name !== 'meta') rows += ours.length
    }
    db.close()
    expect(report).toMatchObject({ tables: copiedTables().length, rows, rowsBefore: 0, rebuilt: 3 })
  })

  it('STORE-C1: the columns that PostgreSQL has for itself are what it would have written', async () => {
    await copy()
    const direct = await emptyDatabase()
    const store = await databaseAt(direct.url).openStore()
    await fill(store)
    await store.close()
    for (const [name, { columns }] of Object.entries(ADDED)) {
      const order = { commands: 'id', transactions: 'position', sessions: 'id', events: 'position' }[name]
      const of = (url: string) =>
        rowsOf(
          url,
          `SELECT ${columns.filter((column) => column !== 'position').join(', ') || 'id'} FROM ${name} ORDER BY ${order}`,
        )
      expect(await of(database.url), name).toEqual(await of(direct.url))
    }
    await direct.drop()
  })

  it('STORE-C2: ids, salt, cursors and the order of events survive, and what comes later stands behind', async () => {
    await copy()
    const before = databaseIn(file.path).openReader('in place')
    const store = await databaseAt(database.url).openStore()
    expect(store.salt).toBe(before.salt)
    const check = { name: 'secret_key_check' }
    expect(await store.reads.getRecord('meta', check)).toEqual(await before.getRecord('meta', check))
    expect((await before.getRecord('meta', check))?.value).toBeDefined()
    const read = async (reads: Reads) => [
      await reads.listSessions({ accountId: 'A', limit: 10 }),
      await reads.listSessionEvents('S1'),
      await reads.searchCommands({ chargePointId: 'CP1', fromId: 0, toId: 2 ** 52, filter: {}, limit: 10 }),
      await reads.findChargePoint('CP1'),
    ]
    expect(await read(store.reads)).toEqual(await read(before))
    await store.core.commit([changeSet({ command: aCommand(99), events: [anEvent({ id: 'E4' })] })])
    expect((await store.reads.listSessionEvents('S1')).map(({ id }) => id)).toEqual(['E9', 'E3', 'E5', 'E4'])
    expect(await store.reads.greatestCommandId()).toBe(aCommand(99).id)
    expect((await loadChargePoint(store.core, 'CP1'))?.transactions).toHaveLength(1)
    before.close()
    await store.close()
  })

  it('STORE-C3: a copy that ended in the middle goes on where it was, and nobody else uses the database meanwhile', async () => {
    let stopAt = 0
    for (let ended = 0; ended < 4; ended++) {
      const stopping = copy(({ phase, rows }) => {
        if (phase === 'copy' && rows > stopAt) {
          stopAt = rows
          throw new Error('The power went.')
        }
      })
      await expect(stopping).rejects.toThrow('The power went.')
      await expect(openAndClose()).rejects.toThrow(/run pilotwire database copy again/)
      await expect(databaseAt(database.url).openReader('all')).rejects.toThrow(/is not finished/)
      expect((await databaseAt(database.url).check()).integrity).toMatch(/not finished/)
    }
    const { rows, rowsBefore } = await copy()
    expect(rowsBefore).toBe(stopAt)
    expect(rows).toBeGreaterThan(rowsBefore)
    await openAndClose()
    expect((await databaseAt(database.url).check()).integrity).toBe('ok')
  })

  it('STORE-C3: what was begun from one file is not gone on with from another, or from a later state of it', async () => {
    await expect(
      copy(({ rows }) => {
        if (rows > 0) throw new Error('stop')
      }),
    ).rejects.toThrow('stop')
    const store = databaseIn(file.path).openWriter()
    await store.core.commit([changeSet({ command: aCommand(500) })])
    store.close()
    await expect(copy()).rejects.toThrow(/was changed since it began/)
  })

  it('STORE-C4: refused while a server uses the file or the database, and into an installation that has data', async () => {
    const lock = databaseIn(file.path).lock()
    await expect(copy()).rejects.toThrow(/stop it/)
    lock.release()
    await statement(
      database.url,
      `INSERT INTO nodes (slot, incarnation, last_group, last_id, seen_at, since, name, version, state)
       VALUES (0, 1, 0, 0, extract(epoch FROM now()) * 1000, 0, 'node-1', '', 'live')`,
    )
    await expect(copy()).rejects.toThrow(/server \(node-1\)/)
    await statement(database.url, 'DELETE FROM nodes')
    await copy()
    await expect(copy()).rejects.toThrow(/holds an installation already/)
  })

  it('STORE-C5: a row that is not as it was is found, and the database stays closed', async () => {
    const faulty = copy(({ phase, rows, total }) => {
      // The last rows are in the database, and nothing was verified yet: the copy waits here, or it might be first.
      if (phase === 'copy' && rows === total) execFileSync(process.execPath, [...RUN_STATEMENT, database.url, SPOIL])
    })
    await expect(faulty).rejects.toThrow(/does not hold what .* charge_points \(checksum/)
    await expect(openAndClose()).rejects.toThrow(/is not finished/)
  })

  const SPOIL = `UPDATE charge_points SET name = 'another'`
  const RUN_STATEMENT = [
    '--input-type=module',
    '--eval',
    `import pg from 'pg'
    const client = new pg.Client(process.argv[1])
    await client.connect()
    await client.query(process.argv[2])
    await client.end()`,
  ]

  async function openAndClose(): Promise<void> {
    const writer = await databaseAt(database.url).openWriter()
    await writer.close()
  }
})

function sorted(rows: readonly Record<string, unknown>[], read: (text: string) => string): readonly string[] {
  return rows
    .map((row) => JSON.stringify(Object.values(row).map((value) => (value === null ? null : read(String(value))))))
    .sort()
}

it('STORE-C1: a row that refers to another was copied before it', () => {
  const names = copiedTables().map(({ name }) => name)
  for (const source of everyTable().map((one) => getTableConfig(one))) {
    for (const key of source.foreignKeys) {
      const other = getTableConfig(key.reference().foreignTable).name
      expect(names.indexOf(other)).toBeLessThanOrEqual(names.indexOf(source.name))
    }
  }
})
