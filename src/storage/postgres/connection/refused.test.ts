import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { emptyDatabase, type PostgresDatabase, statement } from '../../../../test/postgres/databases.ts'
import { isRunning, startServer } from '../../../../test/postgres/server.ts'
import { poolTransactions } from '../../../../test/postgres/transaction-pooler.ts'
import { databaseAt } from '../../open.ts'
import { postgresAddress } from './address.ts'
import { connect } from './session.ts'

// STORE-N6: a server that cannot keep the promise is refused, with a sentence that says what to do
let database: PostgresDatabase
beforeAll(async () => {
  database = await emptyDatabase()
})
afterAll(() => database.drop())
const name = (): string => new URL(database.url).pathname.slice(1)
const addressed = (change: (url: URL) => void): string => {
  const url = new URL(database.url)
  change(url)
  return url.href
}

it('read-only sessions', async () => {
  await statement(database.url, `ALTER DATABASE ${name()} SET default_transaction_read_only = on`)
  await expect(async () => databaseAt(database.url).openWriter()).rejects.toThrow('default_transaction_read_only')
  const postgres = addressed((url) => {
    url.pathname = '/postgres'
  })
  await statement(postgres, `ALTER DATABASE ${name()} RESET default_transaction_read_only`)
})

it('but not one that is promoted while it is asked: its transaction had begun on a standby', async () => {
  await statement(
    database.url,
    `CREATE SCHEMA promoted;
       CREATE FUNCTION promoted.current_setting(name text) RETURNS text LANGUAGE sql STABLE AS
         $$ SELECT CASE name WHEN 'transaction_read_only' THEN 'on' ELSE pg_catalog.current_setting(name) END $$;
       ALTER DATABASE ${name()} SET search_path = promoted, pg_catalog, public`,
  )
  const { client } = await connect(postgresAddress(database.url))
  await client.end()
  await statement(database.url, `ALTER DATABASE ${name()} RESET search_path; DROP SCHEMA promoted CASCADE`)
})

it('a version before 15, and another encoding than UTF8', async () => {
  // The server's own words are put before those of its catalog.
  await statement(
    database.url,
    `CREATE SCHEMA older;
       CREATE FUNCTION older.current_setting(name text) RETURNS text LANGUAGE sql STABLE AS
         $$ SELECT CASE name WHEN 'server_version_num' THEN '140011' ELSE pg_catalog.current_setting(name) END $$;
       ALTER DATABASE ${name()} SET search_path = older, pg_catalog, public`,
  )
  await expect(async () => databaseAt(database.url).openWriter()).rejects.toThrow('this is PostgreSQL 14')
  await statement(database.url, `ALTER DATABASE ${name()} RESET search_path; DROP SCHEMA older CASCADE`)
  const latin = `latin_${name()}`
  await statement(database.url, `CREATE DATABASE ${latin} TEMPLATE template0 ENCODING 'LATIN1' LOCALE 'C'`)
  const other = addressed((url) => {
    url.pathname = `/${latin}`
  })
  await expect(async () => databaseAt(other).openWriter()).rejects.toThrow("ENCODING 'UTF8'")
  await statement(database.url, `DROP DATABASE ${latin} WITH (FORCE)`)
})

it.each([1, 2, 4])('a pooler in transaction mode with %i connections to the server', async (most) => {
  const pooler = await poolTransactions(database.url, most)
  await expect(async () => databaseAt(pooler.url).openWriter()).rejects.toThrow('pooler in transaction mode')
  await pooler.close()
})

it('fsync or full_page_writes off', async () => {
  const folder = join(inject('postgresFolder'), 'careless')
  for (const setting of ['fsync', 'full_page_writes']) {
    const { url, pid } = await startServer(folder, undefined, { [setting]: 'off' })
    try {
      await expect(async () => databaseAt(url).openWriter()).rejects.toThrow(`set ${setting} = on`)
    } finally {
      process.kill(pid, 'SIGINT')
      await expect.poll(() => isRunning(pid)).toBe(false)
    }
  }
})

it('synchronous_commit is on whatever the database says', async () => {
  await statement(database.url, `ALTER DATABASE ${name()} SET synchronous_commit = off`)
  const { client } = await connect(postgresAddress(database.url))
  expect((await client.query('SHOW synchronous_commit')).rows).toEqual([{ synchronous_commit: 'on' }])
  await client.end()
  await statement(database.url, `ALTER DATABASE ${name()} RESET synchronous_commit`)
})

it('no such database; a user without rights; never with the password', async () => {
  const absent = addressed((url) => {
    url.pathname = '/absent'
    url.password = 'geheim'
  })
  await expect(async () => databaseAt(absent).openWriter()).rejects.toThrow('CREATE DATABASE')
  await expect(async () => databaseAt(absent).openWriter()).rejects.not.toThrow('geheim')
  await statement(database.url, `DROP ROLE IF EXISTS nobody_${name()}`)
  await statement(database.url, `CREATE ROLE nobody_${name()} LOGIN`)
  await statement(database.url, 'REVOKE CREATE ON SCHEMA public FROM PUBLIC')
  const without = addressed((url) => {
    url.username = `nobody_${name()}`
  })
  await expect(async () => databaseAt(without).openWriter()).rejects.toThrow('GRANT CREATE')
  await statement(database.url, `DROP ROLE nobody_${name()}`)
})

it('an address is taken apart as libpq does', () => {
  expect(postgresAddress('postgres://a%40b:p%3Aw@h1:1,h2/db?sslmode=require')).toEqual({
    hosts: [
      { host: 'h1', port: 1 },
      { host: 'h2', port: 5432 },
    ],
    user: 'a@b',
    password: 'p:w',
    database: 'db',
    ssl: { rejectUnauthorized: false, checkServerIdentity: expect.any(Function) },
    shown: 'postgres://a@b@h1:1,h2:5432/db',
  })
  for (const wrong of ['postgres://:secret@h/db', 'postgres://u:secret@h', 'postgres://u:secret@h:x/db']) {
    expect(() => postgresAddress(wrong)).toThrow(/postgres:\/\/user:password@host/)
    expect(() => postgresAddress(wrong)).not.toThrow(/secret/)
  }
  expect(() => postgresAddress('postgres://u:secret@h/db?wrong=1')).toThrow('wrong')
})

it('of several hosts the primary is used', async () => {
  const { hostname, port } = new URL(database.url)
  const { client } = await connect(postgresAddress(`postgres://pilotwire@127.0.0.1:1,${hostname}:${port}/${name()}`))
  await client.end()
})
