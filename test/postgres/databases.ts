/** Databases of the run's PostgreSQL: each test has an empty one, copied from a template that is migrated once. */
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, inject } from 'vitest'
import type { Store } from '../../src/storage/database.ts'
import { databaseAt } from '../../src/storage/open.ts'
import { sharedServer } from './server.ts'

const TEMPLATE = 'pilotwire_template'

export interface PostgresDatabase {
  readonly url: string
  drop(): Promise<void>
}

export async function emptyDatabase(): Promise<PostgresDatabase> {
  const { url } = await sharedServer(inject('postgresFolder'))
  return databaseOf(url, await templateOf(url))
}

/** For the tests of one `describe`: a database that is empty before each, and stores of it that are closed after it. */
export function emptyBeforeEach() {
  let database: PostgresDatabase
  const stores: Store[] = []
  beforeAll(async () => {
    database = await emptyDatabase()
  })
  afterAll(() => database.drop())
  beforeEach(() => empty(database))
  afterEach(async () => {
    for (const store of stores.splice(0)) await store.close()
  })
  return {
    statement: (sql: string) => statement(database.url, sql),
    openStore: async (options?: Parameters<ReturnType<typeof databaseAt>['openStore']>[0]): Promise<Store> => {
      const store = await databaseAt(database.url).openStore(options)
      stores.push(store)
      return store
    },
  }
}

/** One that no server has prepared. */
export async function bareDatabase(): Promise<PostgresDatabase> {
  const { url } = await sharedServer(inject('postgresFolder'))
  return databaseOf(url, 'template0')
}

async function databaseOf(url: string, template: string): Promise<PostgresDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`
  await statement(url, `CREATE DATABASE ${name} TEMPLATE ${template} ENCODING 'UTF8'`)
  return { url: named(url, name), drop: () => statement(url, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`) }
}

const emptying = new Map<string, Promise<pg.Client>>()

/** Everything that tests put into it is gone; much faster than a new one. */
export async function empty({ url }: PostgresDatabase): Promise<void> {
  const client = emptying.get(url) ?? connected(url)
  emptying.set(url, client)
  await (await client).query(EMPTY)
}

async function connected(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  return client
}

const EMPTY = `DO $$
DECLARE
  t text;
  is_filled boolean;
BEGIN
  SET LOCAL session_replication_role = replica;
  FOR t IN SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
      AND NOT relispartition AND relname NOT IN ('meta', 'pilotwire_migrations') LOOP
    EXECUTE format('SELECT EXISTS (SELECT 1 FROM %I)', t) INTO is_filled;
    IF is_filled THEN EXECUTE format('DELETE FROM %I', t); END IF;
  END LOOP;
  DELETE FROM meta WHERE name <> 'log_salt';
END $$`

export async function statement(url: string, sql: string): Promise<void> {
  const client = await connected(url)
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}

export async function rowsOf<Row extends pg.QueryResultRow>(url: string, sql: string): Promise<readonly Row[]> {
  const client = await connected(url)
  try {
    return (await client.query<Row>(sql)).rows
  } finally {
    await client.end()
  }
}

/** Made by the first test that needs it; the others wait. */
async function templateOf(url: string): Promise<string> {
  const folder = inject('postgresFolder')
  const name = process.env.PILOTWIRE_TEST_DATABASE_URL ? `${TEMPLATE}_${folder.slice(-6).toLowerCase()}` : TEMPLATE
  const done = join(folder, 'template')
  if (existsSync(done)) return name
  try {
    mkdirSync(join(folder, 'making-template'))
  } catch {
    while (!existsSync(done)) await new Promise((resolve) => setTimeout(resolve, 50))
    return name
  }
  await statement(url, `CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8'`)
  const writer = await databaseAt(named(url, name)).openWriter()
  await writer.close()
  writeFileSync(done, '')
  return name
}

function named(url: string, database: string): string {
  const address = new URL(url)
  address.pathname = `/${database}`
  return address.href
}
